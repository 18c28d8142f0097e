/// The state of a group, and how it came to it.
public struct GroupStatus: Hashable, Sendable {
  public var state: GroupState
  /// When it came to be so; `nil` while nothing was ever decided.
  public var time: Timestamp?
  /// Who decided it; `mayday` where that followed from reports.
  public var author: String?
  /// For a resolved group, and for one that came back.
  public var fix: GroupFix?
  /// What is left to wait for, for an ignored group.
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
