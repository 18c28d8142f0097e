internal import Bytes

/// A line of a log that begins a report, or that a program prints before one.
struct Headline {
  /// The kind of a headline, named by the reader that declares it.
  struct Kind: Hashable, Sendable {
    private let name: String

    init(_ name: String) { self.name = name }
  }

  /// Where a rule found what it looks for.
  struct Location {
    /// Where the headline's own text begins; before it stands a logger's prefix.
    let start: Int
    /// Where what the headline says begins.
    let content: Int
    /// Where the headline's line ends, if its mark stands in a later one.
    var lineEnd: Int?

    init(start: Int, content: Int, lineEnd: Int? = nil) {
      self.start = start
      self.content = content
      self.lineEnd = lineEnd
    }
  }

  let kind: Kind
  let role: HeadlineRule.Role
  /// Which log reader of the registry declares it.
  let reader: Int
  let line: Range<Int>
  /// As in ``Location``.
  let start: Int
  /// As in ``Location``.
  let content: Int
}
