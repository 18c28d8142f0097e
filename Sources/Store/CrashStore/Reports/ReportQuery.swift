public import Query

/// A selection of reports, and their order.
public struct ReportQuery: Sendable {
  public enum Order: String, Sendable, CaseIterable {
    /// Most recent crash first.
    case time
    /// Most recently received first.
    case received
  }

  public var query: Query
  public var order = Order.time
  /// The most reports to return; `nil` for all.
  public var limit: Int?
  /// The ``Page/next`` of the previous page.
  public var after: String?
  /// Whether to begin with the oldest.
  public var isReversed = false
  /// The ``Page/previous`` of the next page; instead of ``after``.
  public var before: String?

  public init(_ query: Query = .all) { self.query = query }

  /// Begins the list by time after one of its reports.
  ///
  /// - Parameter report: Its full id.
  public mutating func start(after report: String) {
    order = .time
    after = Self.reportPrefix + report
  }

  /// Prefix of a cursor that names a report.
  static let reportPrefix = "report."

  /// Name of the list that a cursor is valid for.
  var list: String { "reports-\(order.rawValue)\(isReversed ? "-up" : "")" }

  /// The list in the opposite direction, which ends before ``before``.
  var opposite: ReportQuery {
    var other = self
    other.isReversed.toggle()
    (other.before, other.after) = (nil, nil)
    return other
  }
}
