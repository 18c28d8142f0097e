/// How a report came to the group that it is in.
public struct ReportMembership: Hashable, Sendable {
  /// The group that it is in: `TERN-12`.
  public var group: String
  /// The group that it belongs to of itself: another where that was merged into ``group``.
  public var home: String
  /// How its signature found a group.
  public var found: FoundBy
  /// The group from which somebody split ``home`` off; `nil` where nobody did.
  public var splitFrom: String?
  /// The query that reports must match for that split; `nil` where keys were chosen.
  public var rule: String?

  public init(
    group: String, home: String, found: FoundBy, splitFrom: String? = nil, rule: String? = nil
  ) {
    self.group = group
    self.home = home
    self.found = found
    self.splitFrom = splitFrom
    self.rule = rule
  }
}
