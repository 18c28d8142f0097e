internal import Bytes
internal import CrashModel
internal import Identifiers

/// Parses a microdump line by line.
struct MicrodumpParser {
  /// The most bytes of memory that are read: writers print one stack of at most 32 KiB.
  private static let memoryBytes = 64 << 20

  private var report = CrashReport(format: .microdump)
  private var processor: MinidumpProcessor?
  private var context: [UInt8] = []
  private var memory: [(start: UInt64, bytes: [UInt8])] = []
  private var memoryCount = 0
  private var stackBytes: UInt64?
  private var damagedLines = 0
  /// Whether nothing was read.
  private(set) var isEmpty = true
  /// Whether the last line was read.
  private(set) var isWhole = false

  mutating func take(_ line: RawSpan) {
    let line = line.from(Self.prefixLength(of: line))
    if line.has("-----END BREAKPAD MICRODUMP-----") {
      isWhole = true
      return
    }
    guard line.byteCount > 2, line.byte(1) == UInt8(ascii: " ") else { return }
    let words = line.from(2)
    let isRead: Bool
    switch line.byte(0) {
    case UInt8(ascii: "V"): isRead = takeProduct(words.text)
    case UInt8(ascii: "P"):
      report.properties["process_type"] = words.text
      isRead = true
    case UInt8(ascii: "R"): isRead = takeReason(Self.fields(words.text))
    case UInt8(ascii: "O"): isRead = takeSystem(words.text)
    case UInt8(ascii: "G"):
      if words.text != "UNKNOWN" { report.tags[.gpu] = words.text }
      isRead = true
    case UInt8(ascii: "S"): isRead = takeMemory(Self.fields(words.text))
    case UInt8(ascii: "C"): isRead = takeContext(words)
    case UInt8(ascii: "M"): isRead = takeModule(words.text)
    default: return
    }
    if isRead { isEmpty = false } else { damagedLines += 1 }
  }

  /// The length of a logger's prefix of a line that was not recognised as one before.
  private static func prefixLength(of line: RawSpan) -> Int {
    guard line.byteCount > 2, line.byte(1) != UInt8(ascii: " "),
      let tag = line.find("google-breakpad"), let colon = line.find(": ", from: tag)
    else { return 0 }
    return colon + 2
  }

  private static func fields(_ text: String) -> [Substring] { text.split(separator: " ") }

  private static func number(_ text: Substring) -> UInt64? { UInt64(text, radix: 16) }

  /// `WebView:48.0.2564.106`.
  private mutating func takeProduct(_ text: String) -> Bool {
    guard let colon = text.lastIndex(of: ":") else { return false }
    let name = String(text[..<colon])
    let version = String(text[text.index(after: colon)...])
    if name != "UNKNOWN", !name.isEmpty { report.app.name = name }
    if version != "0.0.0.0", !version.isEmpty { report.app.version = version }
    return true
  }

  /// `0000000B SIGSEGV 00000010`.
  private mutating func takeReason(_ fields: [Substring]) -> Bool {
    guard fields.count >= 2, let signal = Self.number(fields[0]),
      let number = UInt32(exactly: signal)
    else { return false }
    guard number != .max else {
      report.kind = .other
      report.reason.type = "DUMP_REQUESTED"
      return true
    }
    report.reason.signal = LinuxSignal.name(number) ?? String(fields[1])
    if fields.count > 2, let address = Self.number(fields[2]) {
      report.reason.address = Address(address)
    }
    return true
  }

  /// `A arm64 02 aarch64 VERSION`, whose version has blanks.
  private mutating func takeSystem(_ text: String) -> Bool {
    let fields = text.split(separator: " ", maxSplits: 4)
    guard fields.count >= 3 else { return false }
    report.os.name = fields[0] == "A" ? "Android" : fields[0] == "L" ? "Linux" : String(fields[0])
    if fields.count > 4 { report.os.version = String(fields[4]) }
    processor = Self.processors[fields[1]]
    report.device.architecture =
      processor?.architecture ?? Architecture(String(fields[1]))
    if let count = Self.number(fields[2]), count > 0 { report.tags[.cpuCount] = String(count) }
    return true
  }

  /// Breakpad writes the older of the two contexts of 64-bit Arm.
  private static let processors: [Substring: MinidumpProcessor] = [
    "arm": .arm, "arm64": .oldARM64, "x86": .x86, "x86_64": .amd64, "mips": .mips,
    "mips64": .mips64, "riscv": .riscv32, "riscv32": .riscv32, "riscv64": .riscv64,
  ]

  private mutating func takeMemory(_ fields: [Substring]) -> Bool {
    if fields.count == 4, fields[0] == "0" {
      stackBytes = Self.number(fields[3])
      return stackBytes != nil
    }
    guard fields.count == 2, let start = Self.number(fields[0]),
      let bytes = Self.bytes(fields[1].utf8)
    else { return false }
    guard memoryCount + bytes.count <= Self.memoryBytes else { return false }
    memoryCount += bytes.count
    if let last = memory.indices.last,
      memory[last].start &+ UInt64(memory[last].bytes.count) == start
    {
      memory[last].bytes += bytes
    } else {
      memory.append((start, bytes))
    }
    return true
  }

  private mutating func takeContext(_ words: RawSpan) -> Bool {
    guard let bytes = Self.bytes(words.text.utf8) else { return false }
    context += bytes.prefix(max(0, 64 << 10 - context.count))
    return true
  }

  /// Whole bytes only: a trailing odd digit is ignored.
  private static func bytes(_ digits: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in digits {
      guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { return nil }
      if let first = high {
        bytes.append(first << 4 | UInt8(value))
        high = nil
      } else {
        high = UInt8(value)
      }
    }
    return bytes
  }

  /// `F6F86000 00000000 00032000 9475E844ABDBBE3B512F5232E393E5590 libbinder.so`.
  private mutating func takeModule(_ text: String) -> Bool {
    let fields = text.split(separator: " ", maxSplits: 4)
    guard fields.count == 5, let start = Self.number(fields[0]), let size = Self.number(fields[2])
    else { return false }
    guard report.images.count < FormatLimits.images else { return true }
    let path = String(fields[4])
    let name = path.split(separator: "/").last.map(String.init) ?? path
    var image = LoadedImage(
      name: name, path: path == name ? nil : path, architecture: report.device.architecture,
      base: Address(start), size: size == 0 ? nil : size)
    if let id = DebugID(String(fields[3])), !id.isZero { image.debugID = id }
    report.images.append(image)
    return true
  }

  func finished() -> CrashReport {
    var report = report
    var thread = CrashThread(index: 0, crashed: true)
    if let processor, !context.isEmpty {
      thread.registers = MinidumpContext.registers(
        in: ByteView(context), of: processor, endianness: .little)
    }
    if thread.registers.isEmpty { report.notes.append("the registers of the thread are missing") }
    report.threads = [thread]
    report.crashedThread = 0
    report.memory = ProcessMemory(
      memory.map { ProcessMemory.Region(start: $0.start, bytes: ByteView($0.bytes)) },
      addressSize: processor?.addressSize ?? 8, endianness: .little)
    if let program = report.images.first {
      report.process.name = program.name
      report.process.path = program.path
    }
    if let stackBytes, UInt64(memoryCount) < stackBytes {
      report.notes.append("\(memoryCount) of \(stackBytes) bytes of the stack are there")
    }
    if damagedLines > 0 {
      report.notes.append("\(damagedLines) lines of the microdump are damaged")
    }
    if !isWhole { report.notes.append("the microdump is cut off") }
    return report
  }
}
