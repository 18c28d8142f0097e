public import Bytes
public import CrashModel

/// A symbol cache, opened for look-ups.
///
/// Opening reads the header and the index; a look-up reads one block of the mapped file, and what that names.
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
  let sections: CacheSections
  let scopeForm: ScopeForm
  /// What a place has in a block.
  let placeBytes: Int

  /// What of the debug file could not be read, in words for a person.
  ///
  /// - Complexity: O(length).
  public var notes: [String] {
    bytes.clamped(sections.notes).text.split(separator: "\n").map(String.init)
  }

  /// - Throws: ``ParseError`` for a file that is no symbol cache, of another version, cut off, or
  ///   whose header or index is damaged. Then compile it again.
  /// - Complexity: O(1): of the header and the index no more than 4 KiB.
  public init(opening bytes: ByteView) throws(ParseError) {
    try self.init(opening: bytes, checksSum: true)
  }

  /// - Parameter checksSum: Whether damage of the header or the index is looked for; without, tests
  ///   and the fuzzer get to what lies behind it.
  package init(opening bytes: ByteView, checksSum: Bool) throws(ParseError) {
    let structure = "symbol cache"
    guard bytes.starts(with: SymbolCacheFormat.magic) else {
      throw ParseError(.notRecognised, in: structure, at: 0)
    }
    let header = try bytes.slice(
      at: 0, count: UInt64(SymbolCacheFormat.headerSize), of: structure)
    var reader = ByteReader(header.bytes, reading: "symbol cache")
    try reader.skip(8)
    let version: UInt32 = try reader.read()
    guard version == SymbolCacheFormat.version else {
      throw ParseError(.unsupported("version \(version)"), in: structure, at: 8)
    }
    let flags: UInt32 = try reader.read()
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
    let count: UInt32 = try reader.read()
    guard count == UInt32(SymbolCacheFormat.sectionCount) else {
      throw ParseError(.invalid("\(count) sections"), in: structure, at: 104)
    }
    try reader.seek(to: SymbolCacheFormat.sectionTable)
    var ranges: [Range<Int>] = []
    for _ in 0..<SymbolCacheFormat.sectionCount {
      let place = reader.position
      let offset: UInt64 = try reader.read()
      let count: UInt64 = try reader.read()
      guard offset <= size, count <= size - offset else {
        throw ParseError(
          .outOfBounds(offset: offset, count: count, size: bytes.count), in: structure, at: place)
      }
      ranges.append(Int(offset)..<Int(offset + count))
    }
    try reader.seek(to: SymbolCacheFormat.widths)
    let form = ScopeForm(
      function: try reader.read(), distance: try reader.read(), file: try reader.read(),
      line: try reader.read(), column: try reader.read())
    let placeSize: UInt8 = try reader.read()
    guard let form, placeSize == 5 || placeSize == 8 else {
      throw ParseError(.invalid("widths of numbers"), in: structure, at: SymbolCacheFormat.widths)
    }
    guard !checksSum || CacheChecksum.header(bytes.bytes, stretches: ranges[0]) == sum else {
      throw ParseError(.invalid("wrong checksum"), in: structure, at: 16)
    }
    self.bytes = bytes
    sections = CacheSections(ranges)
    scopeForm = form
    placeBytes = Int(placeSize)
    hasLines = flags & SymbolCacheFormat.Flags.lines != 0
    hasColumns = flags & SymbolCacheFormat.Flags.columns != 0
    hasDebugInfo = flags & SymbolCacheFormat.Flags.debugInfo != 0
  }

  /// Checks all of the file against its checksum, which opening does not.
  ///
  /// - Throws: ``ParseError`` when it is damaged.
  /// - Complexity: O(n) in the size of the file.
  public func verify() throws(ParseError) {
    let header = try bytes.slice(at: 24, count: 8, of: "symbol cache")
    var reader = ByteReader(header.bytes, reading: "symbol cache", base: 24)
    guard try reader.read(UInt64.self) == CacheChecksum.contents(bytes.bytes) else {
      throw ParseError(.invalid("wrong checksum of the contents"), in: "symbol cache", at: 24)
    }
  }
}
