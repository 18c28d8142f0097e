public import Query

/// Which groups to list, and in what order.
///
/// Conditions of groups choose groups. Those of reports choose the groups with a report for which all
/// of them hold, and every figure is then of those reports.
public struct GroupQuery: Sendable {
  public enum Order: String, Sendable, CaseIterable {
    /// Those with the most reports first.
    case reports
    /// Those that were seen last first.
    case lastSeen = "last"
    /// The newest first.
    case firstSeen = "first"
    /// Those that were seen in the most versions first.
    case versions
    /// Those that the most installations have first.
    case installs
  }

  public var query: Query
  public var order = Order.reports
  /// The most groups to return; `nil` for all.
  public var limit: Int?
  /// The ``Page/next`` of the part before.
  public var after: String?
  /// Whether to begin at the other end.
  public var isReversed = false

  public init(_ query: Query = .all) { self.query = query }

  /// What a cursor is good for.
  var list: String { "groups-\(order.rawValue)\(isReversed ? "-up" : "")" }
}
