/// Lines of a source file around one that is meant.
public struct SourceExcerpt: Hashable, Sendable {
  /// The number of the first line, from 1.
  public var first: Int
  /// Without their ends.
  public var lines: [String]

  public init(first: Int, lines: [String]) {
    self.first = first
    self.lines = lines
  }
}
