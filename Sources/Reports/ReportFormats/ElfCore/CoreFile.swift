internal import Bytes
internal import CrashModel

/// An ELF core file as its program headers describe it: the memory of a process, and notes about it.
///     32  64  SIZE    FIELD
///      0   0    16    0x7f "ELF", class (1 for 32 bits, 2 for 64), byte order (1 little, 2 big)
///     16  16     2    type, 4
///     18  18     2    machine
///     28  32     4/8  offset of the program headers
///     32  40     4/8  offset of the section headers
///     42  54     2    size of a program header
///     44  56     2    number of program headers; 0xffff if it is in `sh_info` of section 0
///
/// Source: System V gABI, chapters 4 and 5; Linux, `fs/binfmt_elf.c`, `elf_core_dump`.
struct CoreFile {
  /// Upper limits, whatever the file claims.
  enum Limits {
    static let segments = 1 << 19
    static let notes = 1 << 20
    static let threads = FormatLimits.stacks
    static let modules = FormatLimits.images
    /// Mappings of files that are read; four times as many as a process of Linux may have by default.
    static let mappings = 1 << 18
    /// Program headers of a module, and of all mapped files together.
    static let moduleSegments = 256
    static let allModuleSegments = 1 << 18
    /// Bytes of a module's notes that are read.
    static let noteBytes = 64 << 10
    /// Entries of a dynamic section, and of an auxiliary vector.
    static let tableEntries = 4096
    /// Bytes of writable memory in which the list of loaded modules is searched.
    static let searchedBytes = 64 << 20
  }

  /// A part of the process's memory, or the notes.
  ///
  ///     32  64  SIZE    FIELD
  ///      0   0     4    type: 1 memory, 4 notes
  ///      -   4     4    flags (64 bits): 1 executable, 2 writable, 4 readable
  ///      4   8     4/8  offset in the file
  ///      8  16     4/8  address
  ///     16  32     4/8  size in the file
  ///     20  40     4/8  size in memory
  ///     24   -     4    flags (32 bits)
  struct Segment {
    let type: UInt32
    let flags: UInt32
    let offset: UInt64
    let address: UInt64
    let fileSize: UInt64
    let memorySize: UInt64

    var isMemory: Bool { type == 1 }
    var isNotes: Bool { type == 4 }
    var isExecutable: Bool { flags & 1 != 0 }
    var isWritable: Bool { flags & 2 != 0 }
    /// The address after the last byte; the largest one if it overflows.
    var end: UInt64 {
      let (sum, overflow) = address.addingReportingOverflow(memorySize)
      return overflow ? .max : sum
    }
  }

  let bytes: ByteView
  let numbers: CoreNumbers
  let machine: CoreMachine
  private(set) var segments: [Segment] = []
  /// Whether there are more segments than were read.
  private(set) var isCut = false
  /// Damage, a sentence each.
  private(set) var notes: [String] = []

  static func recognises(_ bytes: ByteView) -> Bool { FileMagic(of: bytes) == .elfCore }

  /// - Throws: ``ParseError`` for a file that ends before its program headers.
  init(_ bytes: ByteView) throws(ParseError) {
    self.bytes = bytes
    guard bytes.count >= 64 else {
      throw ParseError(.truncated(needed: 64, left: bytes.count), in: "ELF core", at: 0)
    }
    guard bytes[4] == 1 || bytes[4] == 2 else {
      throw ParseError(.unsupported("class \(bytes[4])"), in: "ELF core", at: 4)
    }
    numbers = CoreNumbers(
      wordSize: bytes[4] == 1 ? 4 : 8, endianness: bytes[5] == 2 ? .big : .little)
    machine = CoreMachine(
      rawValue: UInt16(truncatingIfNeeded: numbers.number(bytes, at: 18, size: 2) ?? 0))
    try readSegments()
  }

  private mutating func readSegments() throws(ParseError) {
    let is64 = numbers.wordSize == 8
    let table = numbers.word(bytes, at: is64 ? 32 : 28) ?? 0
    let stride = Int(numbers.number(bytes, at: is64 ? 54 : 42, size: 2) ?? 0)
    var count = Int(numbers.number(bytes, at: is64 ? 56 : 44, size: 2) ?? 0)
    guard stride >= (is64 ? 56 : 32), table > 0, table < UInt64(bytes.count) else {
      throw ParseError(
        .invalid("program headers of \(stride) bytes at \(table)"), in: "ELF core", at: 32)
    }
    let start = Int(table)
    if count == 0xffff { count = largeCount(from: start, stride: stride) }
    let fitting = min(count, (bytes.count - start) / stride, Limits.segments)
    isCut = fitting < count
    if isCut {
      notes.append("the core names \(count) segments; \(fitting) of them were read")
    }
    segments.reserveCapacity(fitting)
    for index in 0..<fitting {
      if let segment = segment(at: start + index * stride) { segments.append(segment) }
    }
  }

  /// The number of program headers if the header cannot hold it: section 0, at the end of a core, has it. In
  /// a truncated core the headers end where the first segment begins.
  private func largeCount(from table: Int, stride: Int) -> Int {
    let is64 = numbers.wordSize == 8
    let section = numbers.word(bytes, at: is64 ? 40 : 32) ?? 0
    let countOffset = Int(clamping: section).addingClamped(is64 ? 44 : 28)
    if section > 0, let count = numbers.number(bytes, at: countOffset, size: 4), count >= 0xffff {
      return Int(count)
    }
    let first = segment(at: table).map { Int(clamping: $0.offset) } ?? 0
    return max(0xffff, max(0, first - table) / stride)
  }

  private func segment(at header: Int) -> Segment? {
    let is64 = numbers.wordSize == 8
    func word(_ short: Int, _ long: Int) -> UInt64? {
      numbers.word(bytes, at: header + (is64 ? long : short))
    }
    guard let type = numbers.number(bytes, at: header, size: 4),
      let flags = numbers.number(bytes, at: header + (is64 ? 4 : 24), size: 4),
      let offset = word(4, 8), let address = word(8, 16), let fileSize = word(16, 32),
      let memorySize = word(20, 40)
    else { return nil }
    return Segment(
      type: UInt32(type), flags: UInt32(flags), offset: offset, address: address,
      fileSize: fileSize, memorySize: memorySize)
  }

  mutating func note(_ text: String) { notes.append(text) }

  /// The bytes of a segment, as far as the file has them.
  func contents(of segment: Segment) -> ByteView {
    let start = Int(clamping: segment.offset)
    return bytes.clamped(start..<start.addingClamped(Int(clamping: segment.fileSize)))
  }

  /// The memory that the core holds.
  ///
  /// - Parameter process: The process with the mapped files.
  mutating func memory(of process: CoreProcess) -> ProcessMemory {
    var regions: [ProcessMemory.Region] = []
    var cut = 0
    for segment in segments where segment.isMemory && segment.fileSize > 0 {
      let bytes = contents(of: segment)
      if UInt64(bytes.count) < segment.fileSize { cut += 1 }
      if !bytes.isEmpty { regions.append(.init(start: segment.address, bytes: bytes)) }
    }
    if cut > 0 {
      note("\(cut) regions of memory lie outside the core, which is cut off")
    }
    return ProcessMemory(
      regions, addressSize: numbers.wordSize, endianness: numbers.endianness,
      addressMask: process.addressMask, mappings: mappings(of: process),
      // The kernel names them all, even those whose bytes it leaves out; debuggers do not.
      hasAllMappings: process.signal != nil && !isCut)
  }

  /// The uses of the addresses. The kernel lists a file with several parts once for each of them.
  private func mappings(of process: CoreProcess) -> [MemoryMapping] {
    let files = process.mappings.sorted { $0.start < $1.start }
    return segments.lazy.filter(\.isMemory).map { segment in
      var protection: MemoryMapping.Protection = []
      if segment.flags & 4 != 0 { protection.insert(.read) }
      if segment.isWritable { protection.insert(.write) }
      if segment.isExecutable { protection.insert(.execute) }
      let after = files.lowerBound { $0.start <= segment.address }
      let file = after > 0 && files[after - 1].end > segment.address ? files[after - 1] : nil
      return MemoryMapping(
        start: segment.address, end: segment.end, protection: protection, name: file?.path)
    }
  }
}

/// Reads numbers in the order and word size of a core.
struct CoreNumbers: Sendable {
  /// 4 or 8.
  let wordSize: Int
  let endianness: Endianness

  /// A number of `size` bytes; `nil` past the end.
  func number(_ bytes: ByteView, at offset: Int, size: Int) -> UInt64? {
    var reader = ByteReader(bytes.bytes, reading: "ELF core", endianness: endianness)
    guard (try? reader.seek(to: offset)) != nil else { return nil }
    return try? reader.readUnsigned(size: size)
  }

  func word(_ bytes: ByteView, at offset: Int) -> UInt64? {
    number(bytes, at: offset, size: wordSize)
  }

  /// A signed number.
  func integer(_ bytes: ByteView, at offset: Int) -> Int32? {
    number(bytes, at: offset, size: 4).map { Int32(truncatingIfNeeded: $0) }
  }

  /// A text in a fixed-size field.
  func text(_ bytes: ByteView, at offset: Int, size: Int) -> String? {
    guard offset >= 0, offset < bytes.count else { return nil }
    let field = bytes.clamped(offset..<offset.addingClamped(size)).array.prefix { $0 != 0 }
    return field.isEmpty ? nil : String(decoding: field, as: UTF8.self)
  }
}
