/// How a report came to the group that it is in.
public struct ReportMembership: Hashable, Sendable {
  /// The group that it is in: `TERN-12`.
  public var group: String
  /// The group that it originally belongs to: not ``group`` where that group was merged into it.
  public var home: String
  /// How its signature found a group.
  public var found: MatchReason
  /// The group from which a user split ``home`` off; `nil` if it was not split off.
  public var splitFrom: String?
  /// The query that reports must match for that split; `nil` where keys were chosen.
  public var rule: String?

  public init(
    group: String, home: String, found: MatchReason, splitFrom: String? = nil, rule: String? = nil
  ) {
    self.group = group
    self.home = home
    self.found = found
    self.splitFrom = splitFrom
    self.rule = rule
  }
}
