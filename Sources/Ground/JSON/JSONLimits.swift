/// How much of a document is read before it is refused.
public struct JSONLimits: Sendable, Hashable {
  /// Objects and arrays inside each other; at most 128, which is what the reader keeps a bit for.
  public var depth: Int
  /// The length of the document, in bytes.
  public var bytes: Int
  /// Values in a tree, members of objects included. The pull parser builds none and ignores it.
  public var nodes: Int
  /// The length of one string that is kept, in bytes as it is in the document.
  public var stringBytes: Int

  public init(depth: Int, bytes: Int, nodes: Int, stringBytes: Int) {
    self.depth = min(max(depth, 1), 128)
    self.bytes = bytes
    self.nodes = nodes
    self.stringBytes = stringBytes
  }

  /// For crash reports: the deepest that are known nest 12 levels, and the largest are some tens of
  /// megabytes.
  public static let report = JSONLimits(
    depth: 128, bytes: 1 << 30, nodes: 4_000_000, stringBytes: 16 << 20)
}
