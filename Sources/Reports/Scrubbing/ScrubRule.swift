public import Patterns

/// A pattern of text that is taken out, and the name that replaces it.
public struct ScrubRule: Sendable {
  /// The list that it belongs to: `secrets`, `email`, `home`, or `own`.
  public let list: String
  /// Replaces what fits, in brackets.
  public let name: String
  /// As it is written.
  public let text: String
  let pattern: ScrubPattern

  /// - Throws: ``PatternError``.
  public init(list: String, name: String, pattern text: String) throws(PatternError) {
    self.list = list
    self.name = name
    self.text = text
    pattern = try ScrubPattern(text)
  }

  /// Nothing that a quoted text of any language could not hold.
  var replacement: [UInt8] { Array("[\(name)]".utf8) }
}
