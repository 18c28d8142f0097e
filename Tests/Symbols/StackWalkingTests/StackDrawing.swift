import Bytes
import CrashModel
import Identifiers
import StackWalking
import Testing
import UnwindRules

/// A stack as a test draws it, a word in each line, from the lowest address up:
///
///     rsp:      0          a local
///     rbp:      @main      saved rbp
///               0x402000   return address
///     main:     0
///
/// A label is the address of its word: of a register it is the value, and `@label` is a word that holds it.
/// Text after the word is a comment.
struct StackDrawing {
  var architecture: Architecture
  var words: [UInt64] = []
  var registers: [String: UInt64] = [:]
  var os: String?
  var endianness = Endianness.little
  /// Code by its address.
  var code: [UInt64: [UInt8]] = [:]
  /// Uses of memory; empty if unknown.
  var mappings: [MemoryMapping] = []
  var image = DrawnImage()
  var budget = WalkBudget()

  /// Address of the lowest word.
  static let start: UInt64 = 0x7fff_0000
  private let wordSize: UInt64

  init(
    _ architecture: Architecture, _ registers: [String: UInt64], os: String? = "Linux",
    _ drawing: String
  ) throws {
    self.architecture = architecture
    self.os = os
    self.registers = registers
    wordSize = UInt64(DrawnImage.wordSize(of: architecture))
    var labels: [String: UInt64] = [:]
    var values: [String] = []
    for line in drawing.split(separator: "\n") {
      var words = line.split(separator: " ").map(String.init)[...]
      while let label = words.first, label.hasSuffix(":") {
        labels[String(label.dropLast())] = Self.start + UInt64(values.count) * wordSize
        words = words.dropFirst()
      }
      values.append(try #require(words.first))
    }
    for value in values {
      if value.hasPrefix("@") {
        words.append(try #require(labels[String(value.dropFirst())]))
      } else if value.hasPrefix("0x") {
        words.append(try #require(UInt64(value.dropFirst(2), radix: 16)))
      } else {
        words.append(try #require(UInt64(value)))
      }
    }
    for (name, address) in labels { self.registers[name] = self.registers[name] ?? address }
  }

  /// The frames, each with its trust: `401500 context`.
  func walk() throws -> [String] {
    try stack().frames.map { frame in
      let address = try #require(frame.address)
      let mark = frame.position == .exact && frame.trust != .context ? " exact" : ""
      return "\(String(address.value, radix: 16)) \(frame.trust.rawValue)\(mark)"
    }
  }

  func stack() throws -> StackWalker.Stack {
    var regions = [ProcessMemory.Region(start: Self.start, bytes: ByteView(bytes))]
    for (address, bytes) in code { regions.append(.init(start: address, bytes: ByteView(bytes))) }
    let memory = ProcessMemory(
      regions, addressSize: Int(wordSize), endianness: endianness, addressMask: nil,
      mappings: mappings)
    let walker = try #require(StackWalker(memory, architecture: architecture, os: os))
    var image = image
    var budget = budget
    return try walker.walk(
      registers.sorted { $0.key < $1.key }.map { Register($0.key, $0.value) }, in: &image, &budget,
      hasRegisters: true)
  }

  private var bytes: [UInt8] {
    words.flatMap { word in
      let bytes = (0..<wordSize).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
      return endianness == .little ? bytes : bytes.reversed()
    }
  }
}

/// One image of 64 KiB at 0x40_0000.
struct DrawnImage: WalkedCode {
  /// Addresses of known functions.
  var functions: [Range<UInt64>] = [0x40_1000..<0x40_9000]
  /// Whether their beginnings are.
  var hasStarts = false
  var rules: [UnwindRules] = []
  /// A second image, of which nothing is known.
  var library: Range<UInt64> = 0..<0
  var isOfSwift = false
  /// Addresses at which suspended Swift functions continue.
  var resumptions: Set<UInt64> = []
  var functionsOfGo: [Range<UInt64>: String] = [:]
  var variables: [String: Address] = [:]

  func isSwift(_ image: Int) -> Bool { isOfSwift }
  func isResumption(at address: Address) -> Bool { resumptions.contains(address.value) }
  func functionOfGo(at address: Address) -> String? {
    functionsOfGo.first { $0.key.contains(address.value) }?.value
  }
  func variable(_ name: String, ofImageAt address: Address) -> Address? { variables[name] }

  static func wordSize(of architecture: Architecture) -> Int {
    [.i386, .armv7, .mips, .ppc].contains(architecture) ? 4 : 8
  }

  /// Rules of one function at 0x1000: the registers' offsets from the CFA, which is 32 bytes above the stack
  /// pointer.
  mutating func addFrame(
    _ architecture: Architecture, stackPointer: UInt8, returnAddress: UInt8, _ steps: [UInt8]
  ) throws {
    // Version 1, addresses of 8 bytes, offsets in 8 bytes downwards.
    let common: [UInt8] =
      [12, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0x78, returnAddress, 0x0c, stackPointer, 32]
    let function: [UInt8] =
      [28, 0, 0, 0, 20, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0]
      + steps + Array(repeating: 0, count: 8 - steps.count)
    try add(.callFrames(ByteView(common + function + [0, 0, 0, 0]), isEHFrame: true), architecture)
  }

  /// Rules of Breakpad's `STACK` lines, and of sections of call frame information.
  mutating func add(_ part: UnwindPart, _ architecture: Architecture) throws {
    let target = UnwindTarget(
      architecture: architecture, addressSize: Self.wordSize(of: architecture))
    let bytes = try UnwindRules.compile(part, for: target)
    rules.append(try UnwindRules(opening: bytes))
  }

  /// Rules of an exception index: starts of functions, from the image on, and the words beside them. Of the
  /// largest word, further information is at 0x100.
  mutating func addIndex(
    _ functions: [(start: UInt32, word: UInt32)], _ information: [UInt32] = []
  ) throws {
    var words: [UInt32] = []
    for (start, word) in functions {
      words.append((start &- UInt32(words.count * 4)) & 0x7fff_ffff)
      words.append(word == .max ? 0x100 - UInt32(words.count * 4) : word)
    }
    let count = UInt32(words.count * 4)
    words += Array(repeating: 0, count: 0x40 - words.count) + information
    let bytes = words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    try add(.exceptionIndex(0..<count, image: ByteView(bytes)), .armv7)
  }

  func image(at address: Address) -> (image: Int, offset: UInt64)? {
    if library.contains(address.value) { return (1, address.value - library.lowerBound) }
    return (0x40_0000..<0x41_0000).contains(address.value) ? (0, address.value - 0x40_0000) : nil
  }

  func rules(of image: Int) -> [UnwindRules] { image == 0 ? rules : [] }

  func isCode(_ address: Address) -> Bool {
    library.contains(address.value) || functions.contains { $0.contains(address.value) }
  }

  func functionStart(at address: Address) -> Address? {
    guard hasStarts else { return nil }
    return functions.first { $0.contains(address.value) }.map { Address($0.lowerBound) }
  }

  func code(at address: Address, count: Int) -> UInt64? { nil }
}
