public import Bytes
public import CrashModel

/// The unwind rules of one debug file, opened for look-ups.
///
/// Opening reads the header and the index; a look-up is a binary search in the mapped file and a read
/// of sixteen neighbours. It allocates nothing, and any number of threads may share the file.
public struct UnwindRules: Sendable {
  /// The whole file.
  public let bytes: ByteView
  /// The version of the form in which rules are written.
  public static var formatVersion: Int { Int(UnwindFormat.version) }
  public let debugID: DebugID?
  public let architecture: Architecture
  /// The linked address that offsets count from.
  public let imageBase: UInt64
  /// The size of an address in bytes, 4 or 8.
  public let addressSize: Int
  /// The byte order of the program's memory.
  public let endianness: Endianness
  public let sources: UnwindSources
  /// How many rows with rules there are.
  public let rowCount: Int
  let blockStarts: Range<Int>
  let blocks: Range<Int>
  let rules: Range<Int>
  let expressions: Range<Int>
  private let noteRange: Range<Int>

  /// What of the debug file could not be read, in words for a person.
  ///
  /// - Complexity: O(length).
  public var notes: [String] {
    bytes.clamped(noteRange).text.split(separator: "\n").map(String.init)
  }

  /// - Throws: ``ParseError`` for a file that holds no unwind rules, is of another version, cut off,
  ///   or whose header or index is damaged. Then compile it again.
  /// - Complexity: O(n) in the size of the index, about a thirtieth of the file.
  public init(opening bytes: ByteView) throws(ParseError) {
    try self.init(opening: bytes, checksSum: true)
  }

  /// - Parameter checksSum: Whether damage of the header or the index is looked for; without, tests
  ///   and the fuzzer get to what lies behind it.
  package init(opening bytes: ByteView, checksSum: Bool) throws(ParseError) {
    let structure = "unwind rules"
    guard bytes.starts(with: UnwindFormat.magic) else {
      throw ParseError(.notRecognised, in: structure, at: 0)
    }
    let header = try bytes.slice(at: 0, count: UInt64(UnwindFormat.headerSize), of: structure)
    var reader = ByteReader(header.bytes, reading: "unwind rules")
    try reader.skip(8)
    let version: UInt32 = try reader.read()
    guard version == UnwindFormat.version else {
      throw ParseError(.unsupported("version \(version)"), in: structure, at: 8)
    }
    sources = UnwindSources(rawValue: try reader.read())
    let sum: UInt64 = try reader.read()
    try reader.skip(8)
    let size: UInt64 = try reader.read()
    guard size == UInt64(bytes.count) else {
      throw ParseError(
        .invalid("\(bytes.count) bytes instead of \(size)"), in: structure, at: 32)
    }
    imageBase = try reader.read()
    let uuid = try reader.readBytes(16)
    let age: UInt32 = try reader.read()
    let hasID: UInt32 = try reader.read()
    debugID = hasID == 1 ? DebugID(uuid: ByteView(copying: uuid).array, age: age) : nil
    let name = try reader.readBytes(32)
    architecture = Architecture(
      name.extracting(0..<name.textLength(from: 0, limit: 32)).text)
    rowCount = Int(try reader.read(UInt32.self))
    addressSize = try reader.read(UInt8.self) == 4 ? 4 : 8
    endianness = try reader.read(UInt8.self) == 1 ? .big : .little
    try reader.skip(2)
    let count: UInt32 = try reader.read()
    guard count == UInt32(UnwindFormat.sectionCount) else {
      throw ParseError(.invalid("\(count) sections"), in: structure, at: 112)
    }
    try reader.seek(to: UnwindFormat.sectionTable)
    var ranges: [Range<Int>] = []
    for _ in 0..<UnwindFormat.sectionCount {
      let place = reader.position
      let offset: UInt64 = try reader.read()
      let count: UInt64 = try reader.read()
      guard offset <= size, count <= size - offset else {
        throw ParseError(
          .outOfBounds(offset: offset, count: count, size: bytes.count), in: structure, at: place)
      }
      ranges.append(Int(offset)..<Int(offset + count))
    }
    (blockStarts, blocks) = (ranges[0], ranges[1])
    (rules, expressions, noteRange) = (ranges[2], ranges[3], ranges[4])
    guard !checksSum || bytes.bytes.unwindHeaderChecksum(index: blockStarts) == sum else {
      throw ParseError(.invalid("wrong checksum"), in: structure, at: 16)
    }
    self.bytes = bytes
  }

  /// Checks all of the file against its checksum, which opening does not.
  ///
  /// - Throws: ``ParseError`` when it is damaged.
  /// - Complexity: O(n) in the size of the file.
  public func verify() throws(ParseError) {
    guard bytes.bytes.word64(at: 24) == bytes.bytes.unwindContentsChecksum else {
      throw ParseError(.invalid("wrong checksum of the contents"), in: "unwind rules", at: 24)
    }
  }
}
