internal import JSON

/// How much of a bundle of sources is taken, whatever it says.
enum SourceLimits {
  /// Files in a bundle.
  static let members = 1 << 18
  /// Bytes of one source file.
  static let fileBytes = 64 << 20
  /// The bundle's list of its files.
  static let manifest = JSONLimits(
    depth: 16, bytes: 256 << 20, nodes: 4_000_000, stringBytes: 1 << 16)
}
