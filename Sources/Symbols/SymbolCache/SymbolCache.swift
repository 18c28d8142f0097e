public import Bytes
internal import FlatFile
public import Identifiers

/// A symbol cache, opened for look-ups.
///
/// Opening reads the header and the index; a look-up reads one block of the mapped file, and what
/// that names.
public struct SymbolCache: Sendable {
  /// The whole file.
  public let bytes: ByteView
  /// The version of the form in which caches are written.
  public static var formatVersion: Int { Int(SymbolCacheFormat.version) }
  public let debugID: DebugID?
  public let architecture: Architecture
  /// The linked address that offsets count from.
  public let imageBase: UInt64
  /// Whether any address has a line.
  public let hasLines: Bool
  public let hasColumns: Bool
  /// Whether the object had debug information, or only symbols.
  public let hasDebugInfo: Bool
  /// Whether symbols may have what Microsoft's C compilers put around a name, and whether an
  /// underscore is a part of it.
  let isDecoratingC: Bool
  let hasUnderscores: Bool
  let sections: CacheSections
  let scopeForm: ScopeForm
  /// The fields of a location in a block.
  let locationBytes: Int

  /// The parts of the debug file that could not be read, as text for people.
  ///
  /// - Complexity: O(length).
  public var notes: [String] {
    bytes.clamped(sections.notes).text.split(separator: "\n").map(String.init)
  }

  /// - Throws: ``ParseError`` for a file that is not a symbol cache, of another version, cut off,
  ///   or whose header or index is damaged. Then compile it again.
  /// - Complexity: O(1): of the header and the index no more than 4 KiB.
  public init(opening bytes: ByteView) throws(ParseError) {
    try self.init(opening: bytes, checksSum: true)
  }

  /// - Parameter checksSum: Whether damage of the header or the index is looked for; without, tests
  ///   and the fuzzer get to what lies after it.
  package init(opening bytes: ByteView, checksSum: Bool) throws(ParseError) {
    let layout = SymbolCacheFormat.layout
    let header = try FlatFileHeader(opening: bytes, layout, checksSum: checksSum)
    var reader = ByteReader(bytes.bytes, reading: layout.name)
    try reader.seek(to: SymbolCacheFormat.widths)
    let form = ScopeForm(
      function: try reader.read(), distance: try reader.read(), file: try reader.read(),
      line: try reader.read(), column: try reader.read())
    let locationSize: UInt8 = try reader.read()
    guard let form, locationSize == 5 || locationSize == 8 else {
      throw ParseError(
        .invalid("widths of numbers"), in: "symbol cache", at: SymbolCacheFormat.widths)
    }
    debugID = header.subject.debugID
    architecture = header.subject.architecture
    imageBase = header.subject.imageBase
    self.bytes = bytes
    sections = CacheSections(header.sections)
    scopeForm = form
    locationBytes = Int(locationSize)
    hasLines = header.flags & SymbolCacheFormat.Flags.lines != 0
    hasColumns = header.flags & SymbolCacheFormat.Flags.columns != 0
    hasDebugInfo = header.flags & SymbolCacheFormat.Flags.debugInfo != 0
    isDecoratingC = header.flags & SymbolCacheFormat.Flags.decoratedC != 0
    hasUnderscores = header.flags & SymbolCacheFormat.Flags.underscores != 0
  }

  /// Checks all of the file against its checksum, which opening does not.
  ///
  /// - Throws: ``ParseError`` when it is damaged.
  /// - Complexity: O(n) in the size of the file.
  public func verify() throws(ParseError) {
    try SymbolCacheFormat.layout.verify(bytes)
  }
}
