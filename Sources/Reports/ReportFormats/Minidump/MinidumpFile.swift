internal import Bytes

/// A number at the head of a stream of a minidump.
///
/// Sources: MINIDUMP_STREAM_TYPE in minidumpapiset.h; Breakpad, `src/google_breakpad/common/minidump_format.h`;
/// Crashpad, `minidump/minidump_extensions.h`.
struct MinidumpStreamType: Hashable, Sendable {
  let rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }

  static let unused = Self(rawValue: 0)
  static let threadList = Self(rawValue: 3)
  static let moduleList = Self(rawValue: 4)
  static let memoryList = Self(rawValue: 5)
  static let exception = Self(rawValue: 6)
  static let systemInfo = Self(rawValue: 7)
  static let memory64List = Self(rawValue: 9)
  static let comment = Self(rawValue: 10)
  static let wideComment = Self(rawValue: 11)
  static let handleData = Self(rawValue: 12)
  static let unloadedModuleList = Self(rawValue: 14)
  static let miscInfo = Self(rawValue: 15)
  static let memoryInfoList = Self(rawValue: 16)
  static let threadNames = Self(rawValue: 24)
  static let breakpadInfo = Self(rawValue: 0x4767_0001)
  static let assertionInfo = Self(rawValue: 0x4767_0002)
  static let linuxCPUInfo = Self(rawValue: 0x4767_0003)
  static let linuxProcStatus = Self(rawValue: 0x4767_0004)
  static let linuxRelease = Self(rawValue: 0x4767_0005)
  static let linuxMaps = Self(rawValue: 0x4767_0009)
  static let crashpadInfo = Self(rawValue: 0x4350_0001)
  /// The crash information of Mozilla's writers.
  static let macCrashInfo = Self(rawValue: 0x4d7a_0001)
  static let macBootArguments = Self(rawValue: 0x4d7a_0002)
  static let linuxLimits = Self(rawValue: 0x4d7a_0003)
  static let softErrors = Self(rawValue: 0x4d7a_0004)
}

/// A minidump as its directory describes it: the memory, threads and modules of a process, written by
/// Windows, Breakpad, Crashpad and similar writers.
///     OFFSET  SIZE  FIELD
///          0     4  "MDMP", or "PMDM" if all numbers are big-endian
///          4     4  version; the low half is 0xa793
///          8     4  number of streams
///         12     4  offset of the directory
///         16     4  checksum
///         20     4  time of the dump, in seconds since 1970
///         24     8  flags
///
/// A directory entry is a type, a size and an offset, four bytes each. All offsets count from the start
/// of the file.
///
/// Source: MINIDUMP_HEADER and MINIDUMP_DIRECTORY in minidumpapiset.h.
struct MinidumpFile {
  /// Upper limits, whatever the file claims.
  enum Limits {
    static let streams = 4096
    static let threads = FormatLimits.stacks
    static let modules = FormatLimits.images
    static let regions = 1 << 20
    static let mappings = 1 << 20
    static let mapsBytes = 64 << 20
    /// UTF-16 units, or bytes.
    static let text = FormatLimits.nameBytes
    static let codeViewBytes = 32 << 10
    /// UTF-16 units of a path, and of the name of a thread: many entries may refer to one text.
    static let path = 4096
    static let threadName = 1024
    static let unloadedModules = 1 << 10
    /// Threads that are searched for the crashed one.
    static let searchedThreads = 1 << 20
    /// Bytes of a Linux text that is searched for its values.
    static let textBytes = 1 << 20
  }

  let bytes: ByteView
  let endianness: Endianness
  /// Seconds since 1970; 0 for none.
  let time: UInt32
  private var streams: [MinidumpStreamType: ByteView] = [:]
  /// Damage, a sentence each.
  private(set) var notes: [String] = []

  static func recognises(_ bytes: ByteView) -> Bool {
    switch FileMagic(of: bytes) {
    case .minidump?, .bigEndianMinidump?: true
    default: false
    }
  }

  /// - Throws: ``ParseError`` for a file that ends before its directory.
  init(_ bytes: ByteView) throws(ParseError) {
    self.bytes = bytes
    endianness = FileMagic(of: bytes) == .bigEndianMinidump ? .big : .little
    var header = ByteReader(bytes.bytes, reading: "minidump header", endianness: endianness)
    try header.skip(8)
    let count = Int(try header.read(UInt32.self))
    let directory = Int(try header.read(UInt32.self))
    try header.skip(4)
    time = try header.read(UInt32.self)
    try header.seek(to: directory)
    if count > Limits.streams {
      notes.append("the minidump names \(count) streams; the first \(Limits.streams) were read")
    }
    for _ in 0..<min(count, Limits.streams) {
      guard header.remaining >= 12 else {
        notes.append("the minidump ends in its directory")
        break
      }
      let type = MinidumpStreamType(rawValue: try header.read(UInt32.self))
      let size = UInt64(try header.read(UInt32.self))
      let offset = UInt64(try header.read(UInt32.self))
      guard type != .unused else { continue }
      // A stream that is cut off has its beginning.
      let start = Int(clamping: offset)
      let view = bytes.clamped(start..<start.addingClamped(Int(clamping: size)))
      if UInt64(view.count) < size {
        notes.append("stream \(String(type.rawValue, radix: 16)) of the minidump is cut off")
      }
      if !view.isEmpty { streams[type] = view }
    }
  }

  /// The bytes of a stream; the last of several of one type.
  subscript(type: MinidumpStreamType) -> ByteView? { streams[type] }

  mutating func note(_ text: String) { notes.append(text) }

  // MARK: Parts that streams point at

  /// A part of the file; `nil` if the file does not have all of it.
  func part(at offset: UInt32, size: UInt32) -> ByteView? {
    guard size > 0, offset > 0 else { return nil }
    return try? bytes.slice(at: UInt64(offset), count: UInt64(size), of: "minidump")
  }

  /// A text in UTF-16 after its length in bytes.
  ///
  /// Source: MINIDUMP_STRING in minidumpapiset.h.
  ///
  /// - Parameter limit: The most UTF-16 units that are read.
  func wideText(at offset: UInt64, limit: Int = Limits.text) -> String? {
    guard offset > 0, let head = try? bytes.slice(at: offset, count: 4, of: "text") else {
      return nil
    }
    let count = number(head, at: 0, as: UInt32.self) ?? 0
    let start = Int(clamping: offset).addingClamped(4)
    let text = bytes.clamped(start..<start.addingClamped(min(Int(count), limit * 2)))
    return wideText(text)
  }

  /// UTF-16 up to a zero.
  func wideText(_ bytes: ByteView) -> String {
    var units: [UInt16] = []
    var position = 0
    while let unit = number(bytes, at: position, as: UInt16.self), unit != 0 {
      units.append(unit)
      position += 2
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// A text in UTF-8 after its length, as Crashpad writes it.
  func text(at offset: UInt32) -> String? {
    guard let head = part(at: offset, size: 4), let count = number(head, at: 0, as: UInt32.self)
    else { return nil }
    let start = Int(offset) + 4
    return bytes.clamped(start..<start.addingClamped(min(Int(count), Limits.text))).text
  }

  /// A number in the order of the file; `nil` past the end.
  func number<T: FixedWidthInteger & BitwiseCopyable>(
    _ bytes: ByteView, at offset: Int, as type: T.Type
  ) -> T? {
    var reader = ByteReader(bytes.bytes, reading: "minidump", endianness: endianness)
    guard (try? reader.seek(to: offset)) != nil else { return nil }
    return try? reader.read(type)
  }

  /// The entries of a list that begins with their number. Some writers leave four bytes after it, so that
  /// the entries are aligned.
  func entries(of type: MinidumpStreamType, size: Int, limit: Int) -> (list: [ByteView], count: Int)
  {
    guard let stream = self[type], let count = number(stream, at: 0, as: UInt32.self) else {
      return ([], 0)
    }
    let start = stream.count == 8 + Int(count) * size ? 8 : 4
    let fitting = min(Int(count), max(0, stream.count - start) / size, limit)
    return (
      (0..<fitting).map { stream.clamped((start + $0 * size)..<(start + ($0 + 1) * size)) },
      Int(count)
    )
  }

  /// The entries of a list whose header gives its own size and that of an entry.
  ///
  /// - Parameters:
  ///   - needed: The least bytes of an entry that can be read.
  ///   - hasWideCount: Whether the number of entries has eight bytes.
  func sizedEntries(
    of type: MinidumpStreamType, needed: Int, hasWideCount: Bool = false, limit: Int
  ) -> (list: [ByteView], count: Int) {
    guard let stream = self[type], let header = number(stream, at: 0, as: UInt32.self),
      let size = number(stream, at: 4, as: UInt32.self), size >= needed,
      let count = hasWideCount
        ? number(stream, at: 8, as: UInt64.self)
        : number(stream, at: 8, as: UInt32.self).map(UInt64.init)
    else { return ([], 0) }
    let start = Int(header)
    let fitting = min(Int(clamping: count), max(0, stream.count - start) / Int(size), limit)
    return (
      (0..<fitting).map {
        stream.clamped((start + $0 * Int(size))..<(start + ($0 + 1) * Int(size)))
      },
      Int(clamping: count)
    )
  }
}
