public import Identifiers
public import Query

/// A selection of groups, and their order.
///
/// Conditions on groups choose groups. Conditions on reports choose the groups with a report for which all of
/// them hold, and all counts are then those of these reports.
public struct GroupQuery: Sendable {
  public enum Order: String, Sendable, CaseIterable {
    /// Groups with the most reports first.
    case reports
    /// Groups that were seen last first.
    case lastSeen = "last"
    /// The newest first.
    case firstSeen = "first"
    /// Groups that were seen in the most versions first.
    case versions
    /// Groups with the most installations first.
    case installs
    /// Groups with the strongest evidence of a rise first, those that fall last: see
    /// ``GroupQuery/changeDays``.
    case change
  }

  public var query: Query
  public var order = Order.reports
  /// Maximum number of groups to return; `nil` for all.
  public var limit: Int?
  /// The ``Page/next`` of the previous page.
  public var after: String?
  /// Whether to begin at the other end.
  public var isReversed = false
  /// The ``Page/previous`` of the next page; instead of ``after``.
  public var before: String?
  /// The number of days that ``Order/change`` compares with those before. They end as in `TrendWindow`.
  public var changeDays = Self.usualChangeDays
  /// The current time, for ``Order/change``.
  public var now = CrashStore.now

  public static let usualChangeDays = 30
  /// The most days: ten years.
  public static let mostChangeDays = 3650

  public init(_ query: Query = .all) { self.query = query }

  /// The list that a cursor is valid for.
  var list: String { "groups-\(order.rawValue)\(isReversed ? "-up" : "")" }

  /// The list in the opposite direction, which ends before ``before``.
  var opposite: GroupQuery {
    var other = self
    other.isReversed.toggle()
    (other.before, other.after) = (nil, nil)
    return other
  }
}
