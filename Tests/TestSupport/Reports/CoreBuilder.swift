/// Writes ELF core files for tests, part by part.
///
/// Source of the layouts: System V gABI, chapters 4 and 5; `elf.h` and `link.h` of glibc.
public struct CoreBuilder {
  public let wordSize: Int
  public let isBigEndian: Bool
  public let machine: UInt64
  private var notes: [UInt8] = []
  private var segments: [Segment] = []

  private struct Segment {
    let address: UInt64
    let bytes: [UInt8]
    let memorySize: UInt64
    let flags: UInt64
  }

  /// - Parameter machine: 62 is x86-64, 3 i386, 183 64-bit Arm, 40 Arm, 243 RISC-V, 8 MIPS.
  public init(machine: UInt64 = 62, wordSize: Int = 8, isBigEndian: Bool = false) {
    self.machine = machine
    self.wordSize = wordSize
    self.isBigEndian = isBigEndian
  }

  /// Numbers in the order of the core, each with its size in bytes.
  public func numbers(_ values: (UInt64, Int)...) -> [UInt8] {
    values.flatMap { value, size in number(value, size) }
  }

  private func number(_ value: UInt64, _ size: Int) -> [UInt8] {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    return isBigEndian ? bytes.reversed() : bytes
  }

  public func words(_ values: [UInt64]) -> [UInt8] { values.flatMap { number($0, wordSize) } }

  /// One note; `claims` is the size in its header.
  public func note(
    _ owner: String, _ type: UInt64, _ content: [UInt8], claims size: UInt64? = nil
  ) -> [UInt8] {
    let name = Array(owner.utf8) + [0]
    return numbers(
      (UInt64(name.count), 4), (size ?? UInt64(content.count), 4), (type, 4))
      + Self.padded(name) + Self.padded(content)
  }

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
  }

  public mutating func add(_ note: [UInt8]) { notes += note }

  /// Memory; of `memorySize` bytes the first are in the file.
  ///
  /// - Parameter flags: 1 executable, 2 writable, 4 readable.
  public mutating func memory(
    at address: UInt64, _ bytes: [UInt8], memorySize: UInt64? = nil, flags: UInt64 = 6
  ) {
    segments.append(
      Segment(
        address: address, bytes: bytes, memorySize: memorySize ?? UInt64(bytes.count),
        flags: flags))
  }

  /// The file.
  ///
  /// - Parameter isExtended: Whether the number of segments is in section 0.
  public func bytes(isExtended: Bool = false) -> [UInt8] {
    let header = wordSize == 8 ? 64 : 52
    let stride = wordSize == 8 ? 56 : 32
    var offset = header + stride * (segments.count + 1)
    var table = program(type: 4, flags: 0, offset, address: 0, notes.count, 0)
    offset += notes.count
    for segment in segments {
      table += program(
        type: 1, flags: segment.flags, offset, address: segment.address, segment.bytes.count,
        segment.memorySize)
      offset += segment.bytes.count
    }
    let count = UInt64(segments.count + 1)
    var bytes: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, wordSize == 8 ? 2 : 1, isBigEndian ? 2 : 1, 1]
    bytes += [UInt8](repeating: 0, count: 9)
    bytes += numbers((4, 2), (machine, 2), (1, 4), (0, wordSize), (UInt64(header), wordSize))
    bytes += numbers((isExtended ? UInt64(offset) : 0, wordSize), (0, 4), (UInt64(header), 2))
    bytes += numbers(
      (UInt64(stride), 2), (isExtended ? 0xffff : count, 2), (wordSize == 8 ? 64 : 40, 2),
      (isExtended ? 1 : 0, 2), (0, 2))
    bytes += table + notes + segments.flatMap(\.bytes)
    if isExtended {
      let before = wordSize == 8 ? 44 : 28
      bytes += [UInt8](repeating: 0, count: before) + numbers((count, 4))
      bytes += [UInt8](repeating: 0, count: (wordSize == 8 ? 64 : 40) - before - 4)
    }
    return bytes
  }

  private func program(
    type: UInt64, flags: UInt64, _ offset: Int, address: UInt64, _ fileSize: Int,
    _ memorySize: UInt64
  ) -> [UInt8] {
    let places = words([UInt64(offset), address, 0, UInt64(fileSize), memorySize])
    return wordSize == 8
      ? numbers((type, 4), (flags, 4)) + places + words([4096])
      : numbers((type, 4)) + places + numbers((flags, 4), (4096, 4))
  }
}

extension CoreBuilder {
  /// A thread of Linux with its registers, in the order of its processor.
  public mutating func thread(
    id: UInt64, signal: UInt64 = 0, registers: [UInt64], registerSize: Int? = nil
  ) {
    var status = numbers((0, 4), (0, 4), (0, 4), (signal, 2), (0, 2)) + words([0, 0])
    status += numbers((id, 4))
    status += [UInt8](repeating: 0, count: (wordSize == 8 ? 112 : 72) - status.count)
    for register in registers { status += numbers((register, registerSize ?? wordSize)) }
    add(note("CORE", 1, status + numbers((0, 4))))
  }

  /// A thread on x86-64.
  public mutating func thread(
    id: UInt64, signal: UInt64 = 0, rip: UInt64, rsp: UInt64, rbp: UInt64
  ) {
    var registers = [UInt64](repeating: 0, count: 27)
    registers[4] = rbp
    registers[16] = rip
    registers[19] = rsp
    thread(id: id, signal: signal, registers: registers)
  }

  /// The signal that ended the process.
  public mutating func signal(_ number: UInt64, code: UInt64, address: UInt64) {
    let second = machine == 8 ? code : 0
    let third = machine == 8 ? 0 : code
    var bytes = numbers((number, 4), (second, 4), (third, 4))
    if wordSize == 8 { bytes += numbers((0, 4)) }
    bytes += words([address])
    add(note("CORE", 0x5349_4749, bytes + [UInt8](repeating: 0, count: 128 - bytes.count)))
  }

  /// A signal sent by a process; its id and its user's are where a fault has its address.
  public mutating func sentSignal(
    _ number: UInt64, code: Int32, from process: UInt64, user: UInt64
  ) {
    let code = UInt64(UInt32(bitPattern: code))
    var bytes = numbers((number, 4), (machine == 8 ? code : 0, 4), (machine == 8 ? 0 : code, 4))
    if wordSize == 8 { bytes += numbers((0, 4)) }
    bytes += numbers((process, 4), (user, 4))
    add(note("CORE", 0x5349_4749, bytes + [UInt8](repeating: 0, count: 128 - bytes.count)))
  }

  /// Name and number of the process.
  public mutating func process(name: String, id: UInt64) {
    var bytes = [UInt8](repeating: 0, count: wordSize == 8 ? 136 : 124)
    let place = wordSize == 8 ? 24 : 12
    bytes.replaceSubrange(place..<place + 4, with: numbers((id, 4)))
    let text = Array((name + "\0").utf8.prefix(16))
    let start = wordSize == 8 ? 40 : 28
    bytes.replaceSubrange(start..<start + text.count, with: text)
    bytes.replaceSubrange(start + 16..<start + 22, with: Array("secret".utf8))
    add(note("CORE", 3, bytes))
  }

  public mutating func auxiliaryVector(_ entries: [(UInt64, UInt64)]) {
    add(note("CORE", 6, words(entries.flatMap { [$0.0, $0.1] } + [0, 0])))
  }

  /// The mapped files, with offsets in pages.
  public mutating func files(
    _ files: [(start: UInt64, end: UInt64, pages: UInt64, path: String)],
    claims count: UInt64? = nil
  ) {
    let table = files.flatMap { [$0.start, $0.end, $0.pages] }
    add(
      note(
        "CORE", 0x4649_4c45,
        words([count ?? UInt64(files.count), 4096] + table)
          + files.flatMap { Array($0.path.utf8) + [0] }))
  }

  /// The first page of a program: its headers, one part that is loaded, and its build id.
  ///
  /// - Parameter linked: Where it was linked to lie.
  public func firstPage(
    linked: UInt64 = 0, size: UInt64, buildID: [UInt8], package: String? = nil
  ) -> [UInt8] {
    let header = wordSize == 8 ? 64 : 52
    let stride = wordSize == 8 ? 56 : 32
    let place = header + 2 * stride
    var content = note("GNU", 3, buildID)
    if let package { content += note("FDO", 0xcafe_1a7e, Array(package.utf8) + [0]) }
    var bytes: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, wordSize == 8 ? 2 : 1, isBigEndian ? 2 : 1, 1]
    bytes += [UInt8](repeating: 0, count: 9)
    bytes += numbers((3, 2), (machine, 2), (1, 4), (0, wordSize), (UInt64(header), wordSize))
    bytes += numbers(
      (0, wordSize), (0, 4), (UInt64(header), 2), (UInt64(stride), 2), (2, 2), (0, 2), (0, 2),
      (0, 2))
    bytes += program(type: 1, flags: 5, 0, address: linked, Int(size), size)
    bytes += program(
      type: 4, flags: 4, place, address: linked + UInt64(place), content.count,
      UInt64(content.count))
    bytes += content
    return bytes + [UInt8](repeating: 0, count: max(0, 4096 - bytes.count))
  }
}
