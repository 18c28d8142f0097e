public import Bytes
package import DWARF
public import DebugInfo
internal import FlatFile
public import ObjectFormats

/// A symbol cache just made, and what was wrong with the debug file.
public struct CompiledCache: Sendable {
  /// The bytes of the cache as they lie in memory, one part after the other.
  public let parts: [ByteView]
  /// Damage that cost a part of the debug file, as text for people.
  public let notes: [String]

  /// In bytes.
  public var size: Int { parts.reduce(0) { $0 + $1.count } }

  /// The cache in one piece.
  ///
  /// - Complexity: O(n).
  public var bytes: ByteView { parts.joined }
}

/// The content of a symbol cache.
public struct CacheOptions: Sendable {
  /// Whether lines have columns; rows that differ only by column are dropped without.
  public var keepsColumns = true
  /// The most threads that work on it; the cache does not depend on their number.
  public var width = 1
  /// More find nothing to do.
  public static var mostThreads: Int { 64 }
  /// Offsets from the image base, for which alone the cache answers, as that of the whole object
  /// would; then it is made faster by far. `nil` for all.
  public var offsets: [UInt32]?
  /// Whether paths stand as the compiler was given them, without the folder in which it ran where
  /// they are relative to that.
  public var hasRelativePaths: Bool {
    get { !limits.joinsCompilationFolder }
    set { limits.joinsCompilationFolder = !newValue }
  }
  package var limits = DWARFLimits()

  public init() {}
}

extension SymbolCache {
  /// Compiles an object's debug information and symbols; the same objects always give the same
  /// bytes.
  ///
  /// - Parameter supplementary: The files in which the debug information goes on.
  /// - Throws: ``ParseError`` when nothing of the object can be read, or a limit of the cache's
  ///   format is reached. Damage to a part costs that part and leaves a note.
  /// - Complexity: O(n) in the size of the debug information.
  public static func compiling(
    _ object: ObjectFile, supplementary: SupplementaryObjects = .none,
    options: CacheOptions = CacheOptions()
  ) throws(ParseError) -> CompiledCache {
    RecycledMemory.begin()
    defer { RecycledMemory.end() }
    let code = try ObjectCode(
      object, supplementary: supplementary, limits: options.limits, width: options.width,
      near: options.offsets)
    return try CacheWriter(code, options: options).write(object)
  }

  /// The same, where the code of the object has been read.
  ///
  /// - Parameter code: That of `object`.
  /// - Throws: ``ParseError`` when a limit of the cache's format is reached.
  public static func compiling(
    _ object: ObjectFile, from code: ObjectCode, options: CacheOptions = CacheOptions()
  ) throws(ParseError) -> CompiledCache {
    try CacheWriter(code, options: options).write(object)
  }

  /// The same, without the notes.
  ///
  /// - Throws: as ``compiling(_:supplementary:options:)``.
  public static func compile(
    _ object: ObjectFile, supplementary: SupplementaryObjects = .none
  ) throws(ParseError) -> ByteView {
    try compiling(object, supplementary: supplementary).bytes
  }
}
