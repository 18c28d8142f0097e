public import Identifiers

/// A line of a group's history.
public struct GroupEvent: Hashable, Sendable {
  /// Its name in commands, as `#57`.
  public var number: Int
  /// The group to which it happened: not the one that was asked for where that group was merged into it, or
  /// split off and put back.
  public var group: String
  public var time: Timestamp
  /// The user who did it; `mayday` for what follows from the reports themselves.
  public var author: String
  /// `opened`, `titled`, `symbolicated`, `regrouped`, `moved`, `regressed`, `returned` for what follows from
  /// reports and time; `resolved`, `reopened`, `ignored`, `assigned`, `noted`, `ticketed`, `merged`, `unmerged`,
  /// `split`, `distinct`, `undone` for actions of users.
  public var event: String
  /// A text that describes the change.
  public var detail: String
  /// The line that undid it.
  public var undone: Int?
  /// Whether it is an action that can be undone.
  public var isAction: Bool

  public init(
    number: Int, group: String, time: Timestamp, author: String, event: String, detail: String,
    undone: Int? = nil, isAction: Bool
  ) {
    self.number = number
    self.group = group
    self.time = time
    self.author = author
    self.event = event
    self.detail = detail
    self.undone = undone
    self.isAction = isAction
  }
}
