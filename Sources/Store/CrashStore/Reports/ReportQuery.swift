public import Query

/// Which reports to list, and in what order.
public struct ReportQuery: Sendable {
  public enum Order: String, Sendable, CaseIterable {
    /// Those that crashed last first.
    case time
    /// Those that came last first.
    case received
  }

  public var query: Query
  public var order = Order.time
  /// The most reports to return; `nil` for all.
  public var limit: Int?
  /// The ``Page/next`` of the part before.
  public var after: String?
  /// Whether to begin with the oldest.
  public var isReversed = false

  public init(_ query: Query = .all) { self.query = query }

  /// Begins the list by time behind one of its reports.
  ///
  /// - Parameter report: Its whole id.
  public mutating func start(after report: String) {
    order = .time
    after = Self.placeOfReport + report
  }

  /// How a cursor begins that names a report.
  static let placeOfReport = "report."

  /// What a cursor is good for.
  var list: String { "reports-\(order.rawValue)\(isReversed ? "-up" : "")" }
}
