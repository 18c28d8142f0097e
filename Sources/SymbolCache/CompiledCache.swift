public import Bytes
internal import DWARF
public import DebugInfo
public import ObjectFormats

/// A symbol cache just made, and what was wrong with the debug file.
public struct CompiledCache: Sendable {
  public let bytes: ByteView
  /// Damage that cost a part of the debug file, in words for a person.
  public let notes: [String]
}

/// What to put into a symbol cache.
public struct CacheOptions: Sendable {
  /// Whether lines have columns; rows that differ only by column are dropped without.
  public var keepsColumns = true

  public init() {}
}

extension SymbolCache {
  /// Compiles an object's debug information and symbols; the same objects always give the same bytes.
  ///
  /// - Parameter companions: The files in which the debug information goes on.
  /// - Throws: ``ParseError`` when nothing of the object can be read, or a limit of the cache's format
  ///   is reached. Damage to a part costs that part and leaves a note.
  /// - Complexity: O(n) in the size of the debug information.
  public static func compiling(
    _ object: ObjectFile, companions: Companions = .none, options: CacheOptions = CacheOptions()
  ) throws(ParseError) -> CompiledCache {
    let code = try ObjectCode(object, companions: companions)
    let writer = CacheWriter(keepsColumns: options.keepsColumns)
    let bytes = try writer.write(code, of: object)
    return CompiledCache(bytes: bytes, notes: code.notes)
  }

  /// The same, without the notes.
  ///
  /// - Throws: as ``compiling(_:companions:options:)``.
  public static func compile(
    _ object: ObjectFile, companions: Companions = .none
  ) throws(ParseError) -> ByteView {
    try compiling(object, companions: companions).bytes
  }
}
