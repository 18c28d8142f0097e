/// Writes minidumps for tests, part by part.
///
/// Source of the layouts: minidumpapiset.h, and Crashpad's `minidump/minidump_extensions.h`.
public struct MinidumpBuilder {
  public let isBigEndian: Bool
  /// The bytes after the header so far.
  private var body: [UInt8] = []
  private var streams: [(type: UInt32, size: Int, offset: Int)] = []
  private static let headerSize = 32

  public init(isBigEndian: Bool = false) { self.isBigEndian = isBigEndian }

  /// Numbers in the order of the dump, each with its size in bytes.
  public func numbers(_ values: (UInt64, Int)...) -> [UInt8] {
    values.flatMap { value, size in
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
      return isBigEndian ? bytes.reversed() : bytes
    }
  }

  /// Adds bytes that a stream points at.
  ///
  /// - Returns: Their offset in the file.
  public mutating func add(_ bytes: [UInt8]) -> UInt64 {
    let offset = Self.headerSize + body.count
    body += bytes
    return UInt64(offset)
  }

  /// Adds a text in UTF-16 after its length.
  public mutating func add(text: String) -> UInt64 {
    let units = Array(text.utf16)
    return add(
      numbers((UInt64(units.count * 2), 4)) + units.flatMap { numbers((UInt64($0), 2)) } + [0, 0])
  }

  /// Adds a text in UTF-8 after its length, as Crashpad does.
  public mutating func add(crashpadText text: String) -> UInt64 {
    add(numbers((UInt64(text.utf8.count), 4)) + Array(text.utf8) + [0])
  }

  public mutating func stream(_ type: UInt32, _ bytes: [UInt8]) {
    streams.append((type, bytes.count, Int(add(bytes))))
  }

  /// The file.
  public func bytes(time: UInt32 = 1_800_000_000) -> [UInt8] {
    let directory = Self.headerSize + body.count
    var bytes = Array((isBigEndian ? "PMDM" : "MDMP").utf8)
    bytes += numbers(
      (0xa793, 4), (UInt64(streams.count), 4), (UInt64(directory), 4), (0, 4), (UInt64(time), 4),
      (0, 8))
    bytes += body
    for stream in streams {
      bytes += numbers(
        (UInt64(stream.type), 4), (UInt64(stream.size), 4), (UInt64(stream.offset), 4))
    }
    return bytes
  }
}

extension MinidumpBuilder {
  /// The system: 9 is x86-64, 12 is 64-bit Arm; 2 is Windows, 0x8101 macOS, 0x8201 Linux.
  public mutating func system(
    processor: UInt64 = 9, platform: UInt64 = 0x8201, version: (UInt64, UInt64, UInt64) = (6, 1, 0),
    text: String = "Linux 6.1.0 #1 SMP x86_64"
  ) {
    let place = add(text: text)
    stream(
      7,
      numbers(
        (processor, 2), (0, 2), (0, 2), (4, 1), (1, 1), (version.0, 4), (version.1, 4),
        (version.2, 4), (platform, 4), (place, 4), (0, 4)) + [UInt8](repeating: 0, count: 24))
  }

  /// A thread's registers on x86-64.
  public func context(rip: UInt64, rsp: UInt64, rbp: UInt64) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1232)
    func put(_ value: UInt64, _ offset: Int) {
      bytes.replaceSubrange(offset..<offset + 8, with: numbers((value, 8)))
    }
    put(rip, 248)
    put(rsp, 152)
    put(rbp, 160)
    return bytes
  }

  /// A module with the build id of an ELF file.
  public mutating func module(
    base: UInt64, size: UInt64, name: String, buildID: [UInt8]
  ) -> [UInt8] {
    let place = add(text: name)
    let record = add(numbers((0x4270_454c, 4)) + buildID)
    return numbers((base, 8), (size, 4), (0, 4), (0, 4), (place, 4))
      + [UInt8](repeating: 0, count: 52) + numbers((UInt64(buildID.count + 4), 4), (record, 4))
      + [UInt8](repeating: 0, count: 24)
  }

  /// A list that begins with the number of its entries.
  public mutating func list(_ type: UInt32, _ entries: [[UInt8]], claims count: UInt64? = nil) {
    stream(type, numbers((count ?? UInt64(entries.count), 4)) + entries.flatMap { $0 })
  }

  /// Uses of addresses: state 0x1000 is memory, 0x2000 reserved, 0x10000 free; protection 4 is reading and
  /// writing, 0x20 reading and executing, 0x100 a guard.
  public mutating func memoryInformation(
    _ entries: [(start: UInt64, size: UInt64, state: UInt64, protection: UInt64)]
  ) {
    stream(
      16,
      numbers((16, 4), (48, 4), (UInt64(entries.count), 8))
        + entries.flatMap { entry in
          numbers(
            (entry.start, 8), (entry.start, 8), (entry.protection, 4), (0, 4), (entry.size, 8),
            (entry.state, 4), (entry.protection, 4), (0x2_0000, 4), (0, 4))
        })
  }

  /// A thread with its stack.
  ///
  /// - Parameter block: The address of Windows' data about the thread.
  public mutating func thread(
    id: UInt64, block: UInt64 = 0, stack: (start: UInt64, words: [UInt64]), context: [UInt8]
  ) -> [UInt8] {
    let bytes = stack.words.flatMap { numbers(($0, 8)) }
    let place = add(bytes)
    let registers = add(context)
    return numbers(
      (id, 4), (0, 4), (0, 4), (0, 4), (block, 8), (stack.start, 8), (UInt64(bytes.count), 4),
      (place, 4), (UInt64(context.count), 4), (registers, 4))
  }

  /// The exception, with the registers of its thread.
  public mutating func exception(
    thread: UInt64, code: UInt64, flags: UInt64, address: UInt64, parameters: [UInt64] = [],
    context: [UInt8]
  ) {
    let registers = add(context)
    var bytes = numbers(
      (thread, 4), (0, 4), (code, 4), (flags, 4), (0, 8), (address, 8),
      (UInt64(parameters.count), 4), (0, 4))
    for index in 0..<15 {
      bytes += numbers((parameters.indices.contains(index) ? parameters[index] : 0, 8))
    }
    bytes += numbers((UInt64(context.count), 4), (registers, 4))
    stream(6, bytes)
  }
}
