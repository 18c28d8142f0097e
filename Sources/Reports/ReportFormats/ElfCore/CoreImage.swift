internal import Bytes
internal import CrashModel

/// A program or library in the memory of a core, as far as the core holds its headers.
///
/// Source: System V gABI, chapters 4 and 5.
struct CoreImage {
  struct Segment {
    let type: UInt32
    let offset: UInt64
    let address: UInt64
    let memorySize: UInt64
    let alignment: UInt64

    static let load: UInt32 = 1
    static let dynamic: UInt32 = 2
    static let notes: UInt32 = 4
    static let headers: UInt32 = 6
  }

  let segments: [Segment]
  /// The difference between loaded and linked addresses.
  let bias: UInt64
  private let memory: ProcessMemory
  private let numbers: CoreNumbers

  /// Whether the core has the first bytes of an ELF file at an address.
  static func isFile(
    at start: UInt64, in memory: ProcessMemory, _ numbers: CoreNumbers
  ) -> Bool {
    memory.number(at: start, size: 4)
      == (numbers.endianness == .little ? 0x464c_457f : 0x7f45_4c46)
  }

  /// - Parameter start: The address of the file's first byte.
  /// - Returns: `nil` if the core has no headers of an ELF file there.
  init?(at start: UInt64, in memory: ProcessMemory, _ numbers: CoreNumbers) {
    let is64 = numbers.wordSize == 8
    guard Self.isFile(at: start, in: memory, numbers),
      let table = memory.word(at: start &+ (is64 ? 32 : 28)),
      let size = memory.number(at: start &+ (is64 ? 54 : 42), size: 2),
      let count = memory.number(at: start &+ (is64 ? 56 : 44), size: 2)
    else { return nil }
    let segments = Self.segments(at: start &+ table, size: size, count: count, memory, numbers)
    guard let first = segments.first(where: { $0.type == Segment.load }) else { return nil }
    self.init(segments, bias: start &- (first.address &- first.offset), memory, numbers)
  }

  /// The main program, by the address of its program headers.
  init?(
    programHeaders: UInt64, size: UInt64, count: UInt64, in memory: ProcessMemory,
    _ numbers: CoreNumbers
  ) {
    let segments = Self.segments(
      at: programHeaders, size: size, count: count, memory, numbers)
    let own = segments.first { $0.type == Segment.headers }
    // Without an entry for themselves they follow the header at the start of the file.
    let first = segments.first { $0.type == Segment.load && $0.offset == 0 }
    guard
      let linked = own?.address ?? first.map({ $0.address &+ (numbers.wordSize == 8 ? 64 : 52) })
    else { return nil }
    self.init(segments, bias: programHeaders &- linked, memory, numbers)
  }

  private init(
    _ segments: [Segment], bias: UInt64, _ memory: ProcessMemory, _ numbers: CoreNumbers
  ) {
    self.segments = segments
    self.bias = numbers.wordSize == 8 ? bias : bias & 0xffff_ffff
    self.memory = memory
    self.numbers = numbers
  }

  private static func segments(
    at table: UInt64, size: UInt64, count: UInt64, _ memory: ProcessMemory, _ numbers: CoreNumbers
  ) -> [Segment] {
    let is64 = numbers.wordSize == 8
    guard size >= (is64 ? 56 : 32) else { return [] }
    var segments: [Segment] = []
    for index in 0..<min(count, UInt64(CoreFile.Limits.moduleSegments)) {
      let header = table &+ index &* size
      guard let type = memory.number(at: header, size: 4),
        let offset = memory.word(at: header &+ (is64 ? 8 : 4)),
        let address = memory.word(at: header &+ (is64 ? 16 : 8)),
        let memorySize = memory.word(at: header &+ (is64 ? 40 : 20)),
        let alignment = memory.word(at: header &+ (is64 ? 48 : 28))
      else { break }
      segments.append(
        Segment(
          type: UInt32(type), offset: offset, address: address, memorySize: memorySize,
          alignment: alignment))
    }
    return segments
  }

  /// The start of the first loaded segment, rounded down to a page.
  var base: UInt64? {
    segments.first { $0.type == Segment.load }.map { loadedAddress($0.address) & ~0xfff }
  }

  /// The extent of the loaded segments from ``base``; `nil` if they are invalid.
  var size: UInt64? {
    guard let first = segments.first(where: { $0.type == Segment.load }) else { return nil }
    let start = first.address & ~0xfff
    var end = start
    for segment in segments where segment.type == Segment.load {
      let (sum, overflow) = segment.address.addingReportingOverflow(segment.memorySize)
      if overflow { return nil }
      end = max(end, sum)
    }
    let (rounded, overflow) = end.addingReportingOverflow(0xfff)
    return overflow || end <= start ? nil : (rounded & ~0xfff) - start
  }

  /// The memory address of a linked address.
  func loadedAddress(_ address: UInt64) -> UInt64 {
    let sum = address &+ bias
    return numbers.wordSize == 8 ? sum : sum & 0xffff_ffff
  }

  /// Hands the notes that the linker left to `body`, as far as the core holds them.
  func eachNote(_ body: (CoreNote) -> Void) {
    for segment in segments where segment.type == Segment.notes {
      let size = Int(clamping: min(segment.memorySize, UInt64(CoreFile.Limits.noteBytes)))
      guard let bytes = memory.bytes(at: loadedAddress(segment.address), count: size) else {
        continue
      }
      CoreNote.each(
        in: bytes, numbers, alignment: segment.alignment == 8 ? 8 : 4, limit: 256, body)
    }
  }

  /// The value of an entry of the dynamic section.
  func dynamicValue(_ tag: UInt64) -> UInt64? {
    guard let section = segments.first(where: { $0.type == Segment.dynamic }) else { return nil }
    let size = UInt64(numbers.wordSize)
    for index in 0..<UInt64(CoreFile.Limits.tableEntries) {
      let entry = loadedAddress(section.address &+ index &* size &* 2)
      guard let found = memory.word(at: entry), found != 0 else { return nil }
      if found == tag { return memory.word(at: entry &+ size) }
    }
    return nil
  }
}
