public import Patterns

/// A pattern of text to remove, and the name that replaces it.
public struct ScrubRule: Sendable {
  /// The list that it belongs to: `secrets`, `email`, `home`, or `own`.
  public let list: String
  /// The name that replaces a match, in brackets.
  public let name: String
  /// The rule as it was written.
  public let text: String
  let pattern: ScrubPattern

  /// - Throws: ``PatternError``.
  public init(list: String, name: String, pattern text: String) throws(PatternError) {
    self.list = list
    self.name = name
    self.text = text
    pattern = try ScrubPattern(text)
  }

  /// The replacement: only characters that a quoted string of any language may hold.
  var replacement: [UInt8] { Array("[\(name)]".utf8) }
}
