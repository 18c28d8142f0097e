public import Identifiers

/// Reports or groups by the values of a field.
public struct FieldCounts: Hashable, Sendable {
  /// The items to count.
  public enum What: String, Sendable, CaseIterable {
    case reports, groups
  }

  public struct Count: Hashable, Sendable {
    /// Empty where the report has no value.
    public var value: String
    public var count: Int
  }

  /// Sorted by descending frequency, then by value.
  public var counts: [Count]
  /// The number of further values.
  public var omitted: Int
  /// The number of reports or groups counted.
  public var total: Int
}

/// The number of reports on a day.
public struct TrendPoint: Hashable, Sendable {
  /// Maximum number of days of a trend: ten years.
  public static let mostDays = 3660

  /// Midnight of the day in UTC.
  public var day: Timestamp
  public var reports: Int

  public init(day: Timestamp, reports: Int) {
    self.day = day
    self.reports = reports
  }
}
