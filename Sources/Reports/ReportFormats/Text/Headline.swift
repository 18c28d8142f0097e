internal import Bytes

/// A line of a log that begins a report, or that a program prints before one.
struct Headline {
  /// The kind of a headline, named by the reader that declares it.
  struct Kind: Hashable, Sendable {
    private let name: String

    init(_ name: String) { self.name = name }
  }

  /// The positions that a rule found.
  struct Location {
    /// The start of the headline's own text, after a logger's prefix.
    let start: Int
    /// The start of the headline's content.
    let content: Int
    /// The end of the headline's line, if its mark is in a later one.
    var lineEnd: Int?

    init(start: Int, content: Int, lineEnd: Int? = nil) {
      self.start = start
      self.content = content
      self.lineEnd = lineEnd
    }
  }

  let kind: Kind
  let role: HeadlineRule.Role
  /// The index of the log reader in the registry that declares it.
  let reader: Int
  let line: Range<Int>
  /// The start as in ``Location``.
  let start: Int
  /// The content's start as in ``Location``.
  let content: Int
}
