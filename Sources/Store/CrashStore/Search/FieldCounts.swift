public import CrashModel

/// Reports or groups by the values of a field.
public struct FieldCounts: Hashable, Sendable {
  /// What is counted.
  public enum What: String, Sendable, CaseIterable {
    case reports, groups
  }

  public struct Count: Hashable, Sendable {
    /// Empty where the report says nothing.
    public var value: String
    public var count: Int
  }

  /// The most frequent first, those that are as frequent by value.
  public var counts: [Count]
  /// How many more values there are.
  public var omitted: Int
  /// How many reports or groups were counted.
  public var total: Int
}

/// The reports of a day.
public struct TrendPoint: Hashable, Sendable {
  /// The most days of a trend: ten years.
  public static let mostDays = 3660

  /// Its midnight in UTC.
  public var day: Timestamp
  public var reports: Int

  public init(day: Timestamp, reports: Int) {
    self.day = day
    self.reports = reports
  }
}
