public import Identifiers
public import Query
public import TriageModel

/// A list of groups by their status, with the figures around it.
public struct GroupListingQuery: Sendable {
  /// The order and the page; the conditions are those of the search, without ``scope`` and ``states``.
  public var groups: GroupQuery
  /// Conditions on groups that hold for all figures, those of ``GroupListing/all`` too.
  public var scope: Query
  /// The listed states; `nil` for all.
  public var states: Set<GroupState>?
  /// The days of ``GroupListing/days``, counted from 1970.
  public var days: Range<Int>
  /// Whether the search's conditions on the time of reports hold for ``GroupListing/days``.
  public var limitsDays: Bool
  /// The days of ``GroupListing/daysOfGroups``, counted from 1970.
  public var daysOfGroups: Range<Int>

  public init(
    _ groups: GroupQuery, scope: Query = .all, states: Set<GroupState>? = nil, days: Range<Int>,
    limitsDays: Bool = false, daysOfGroups: Range<Int>
  ) {
    self.groups = groups
    self.scope = scope
    self.states = states
    self.days = days
    self.limitsDays = limitsDays
    self.daysOfGroups = daysOfGroups
  }
}

/// A page of groups, and the figures around it, all of one moment.
public struct GroupListing: Sendable {
  public internal(set) var groups = Page<GroupSummary>()
  /// The number of groups that match the search, by state.
  public internal(set) var matching: [GroupState: Int] = [:]
  /// The number of groups without the search, by state.
  public internal(set) var all: [GroupState: Int] = [:]
  /// The reports of all listed groups by day. Without conditions on reports, the counters give them.
  public internal(set) var days: [Int: Int] = [:]
  /// The reports of each group of the page by day, whatever their time; see
  /// ``CrashStore/Search/dailyReports(of:inGroups:days:)``.
  public internal(set) var daysOfGroups: [String: [Int: Int]] = [:]
  /// When each group of the page was first seen, whatever the search.
  public internal(set) var firstSeen: [String: Timestamp] = [:]
}
