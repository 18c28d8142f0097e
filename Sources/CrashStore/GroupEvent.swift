public import CrashModel

/// A line of a group's history.
public struct GroupEvent: Hashable, Sendable {
  public var time: Timestamp
  /// Who did it; `mayday` for what follows from the reports themselves.
  public var author: String
  /// `opened`, `titled`, `moved`, `merged`.
  public var event: String
  /// What changed, in words.
  public var detail: String
}
