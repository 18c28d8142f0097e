/// How much of the metadata of .NET is read before it is refused.
enum MetadataLimits {
  /// The length of a file.
  static let bytes = 1 << 29
  static let streams = 64
  /// The length of a name or a path that is given back.
  static let textBytes = 1 << 16
  /// Parts of a path.
  static let pathParts = 256
  /// Sequence points of a method that are read.
  static let sequencePoints = 1 << 20
  /// A source that is embedded, unpacked.
  static let sourceBytes = 1 << 26
  /// A debug file that is embedded, unpacked.
  static let embeddedBytes = 1 << 28
  /// Types in each other.
  static let nesting = 16
  /// Methods of one name that are looked at.
  static let overloads = 4096
}
