/// A pattern that cannot be understood.
public struct PatternError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Where, in bytes from the start of the pattern.
  public let offset: Int
  public let reason: String

  package init(offset: Int, reason: String) {
    self.offset = offset
    self.reason = reason
  }

  public var description: String { "at \(offset + 1): \(reason)" }
}
