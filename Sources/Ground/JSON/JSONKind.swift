/// The kind of the next value of a document.
public enum JSONKind: Sendable, Hashable {
  case object, array, string, number, bool, null
  /// No value: the document is over, or was cut off here.
  case end
}

/// The location of a string in a document, between its quotes.
public struct JSONText: Sendable, Hashable {
  /// In bytes from the start of the borrowed bytes.
  public let start: Int
  /// In bytes, with escapes not decoded.
  public let count: Int
  /// Whether it contains escapes, so that its bytes are not its text.
  public let isEscaped: Bool

  @inlinable
  init(start: Int, count: Int, isEscaped: Bool) {
    self.start = start
    self.count = count
    self.isEscaped = isEscaped
  }
}
