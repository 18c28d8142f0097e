public import Bytes
internal import FlatFile
public import Identifiers

/// The unwind rules of one debug file, opened for look-ups.
///
/// Opening reads the header and the index; a look-up is a binary search in the mapped file and a
/// read of sixteen neighbours. It allocates nothing, and any number of threads may share the file.
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

  /// The parts of the debug file that could not be read, as text for people.
  ///
  /// - Complexity: O(length).
  public var notes: [String] {
    bytes.clamped(noteRange).text.split(separator: "\n").map(String.init)
  }

  /// - Throws: ``ParseError`` for a file that holds no unwind rules, is of another version, cut
  ///   off, or whose header or index is damaged. Then compile it again.
  /// - Complexity: O(n) in the size of the index, about a thirtieth of the file.
  public init(opening bytes: ByteView) throws(ParseError) {
    try self.init(opening: bytes, checksSum: true)
  }

  /// - Parameter checksSum: Whether damage of the header or the index is looked for; without, tests
  ///   and the fuzzer get to what lies after it.
  package init(opening bytes: ByteView, checksSum: Bool) throws(ParseError) {
    let layout = UnwindFormat.layout
    let header = try FlatFileHeader(opening: bytes, layout, checksSum: checksSum)
    sources = UnwindSources(rawValue: header.flags)
    debugID = header.subject.debugID
    architecture = header.subject.architecture
    imageBase = header.subject.imageBase
    var reader = ByteReader(bytes.bytes, reading: layout.name)
    try reader.seek(to: UnwindFormat.rowCount)
    rowCount = Int(try reader.read(UInt32.self))
    addressSize = try reader.read(UInt8.self) == 4 ? 4 : 8
    endianness = try reader.read(UInt8.self) == 1 ? .big : .little
    let ranges = header.sections
    (blockStarts, blocks) = (ranges[0], ranges[1])
    (rules, expressions, noteRange) = (ranges[2], ranges[3], ranges[4])
    self.bytes = bytes
  }

  /// Checks all of the file against its checksum, which opening does not.
  ///
  /// - Throws: ``ParseError`` when it is damaged.
  /// - Complexity: O(n) in the size of the file.
  public func verify() throws(ParseError) {
    try UnwindFormat.layout.verify(bytes)
  }
}
