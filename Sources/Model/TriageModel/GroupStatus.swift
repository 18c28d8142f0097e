public import Identifiers

/// The state of a group, and how it was reached.
public struct GroupStatus: Hashable, Sendable {
  public var state: GroupState
  /// The time of the change; `nil` while there was none.
  public var time: Timestamp?
  /// The author of the change; `mayday` where it followed from reports.
  public var author: String?
  /// The fix, for a resolved group and for a regressed one.
  public var fix: GroupFix?
  /// The remaining condition, for an ignored group.
  public var ignore: IgnoreCondition?

  public init(
    _ state: GroupState = .open, time: Timestamp? = nil, author: String? = nil,
    fix: GroupFix? = nil, ignore: IgnoreCondition? = nil
  ) {
    self.state = state
    self.time = time
    self.author = author
    self.fix = fix
    self.ignore = ignore
  }

  /// The state in one line: `resolved in 1.5.0 by ann`.
  public var words: String {
    let by = author.map { " by \($0)" } ?? ""
    switch state {
    case .open: return time == nil ? "open" : "open again" + by
    case .resolved: return "resolved" + by + (fix.map { " " + $0.words } ?? "")
    case .ignored: return "ignored" + by + (ignore.map { " " + $0.words } ?? "")
    case .regressed:
      return "regressed" + (fix.map { ": it was resolved " + $0.words } ?? "")
    }
  }
}
