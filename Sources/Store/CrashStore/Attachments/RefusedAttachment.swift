/// A file that was sent with a report and refused.
public struct RefusedAttachment: Hashable, Sendable {
  public var name: String
  /// The limit that was reached, or what is wrong with it.
  public var reason: String

  public init(name: String, reason: String) {
    self.name = name
    self.reason = reason
  }
}
