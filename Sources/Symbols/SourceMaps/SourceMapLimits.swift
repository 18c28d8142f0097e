/// How much of a source map is read before it is refused.
public enum SourceMapLimits {
  /// The length of a map; the maps of the largest bundles have some hundred megabytes.
  public static let bytes = 1 << 29
  /// Maps inside an indexed map; Metro writes one for each module.
  static let sections = 1 << 17
  /// Indexed maps inside each other. ECMA-426 allows none; concatenating tools have written some.
  static let nesting = 4
  /// Segments of lines whose columns go back, which are kept as they are.
  static let unsortedSegments = 1 << 22
  /// Segments of one line that are looked at for a position without a column.
  static let lineSegments = 4096
  /// The length of a name or a path that is given back.
  static let textBytes = 1 << 16
  /// The length of an original source whose functions are looked for.
  static let sourceBytes = 1 << 24
  /// Functions that are kept of one original source.
  static let functions = 1 << 18
  /// Original sources whose functions are kept at a time.
  static let keptSources = 32
  /// The end of a script in which its comments about its map are looked for.
  static let commentBytes = 4096
}
