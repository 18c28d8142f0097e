public import Identifiers

/// The distribution of a group's reports over versions, systems, devices and days.
///
/// It comes from counters, and so includes every report that was ever counted, even those that retention has
/// removed.
public struct GroupBreakdown: Hashable, Sendable {
  /// A version of the app, and when the group was seen in it.
  public struct Version: Hashable, Sendable {
    /// `1.4.0 (512)`; empty where the reports name none.
    public var name: String
    public var reports: Int
    /// The start of the day of the first report, in UTC.
    public var firstDay: Timestamp
    /// The start of the day of the last report, in UTC.
    public var lastDay: Timestamp

    public init(name: String, reports: Int, firstDay: Timestamp, lastDay: Timestamp) {
      self.name = name
      self.reports = reports
      self.firstDay = firstDay
      self.lastDay = lastDay
    }
  }

  /// One value among others, such as a device.
  public struct Share: Hashable, Sendable {
    /// Empty where the reports name none.
    public var name: String
    public var reports: Int

    public init(name: String, reports: Int) {
      self.name = name
      self.reports = reports
    }
  }

  /// The most frequent values, and the totals of all others.
  public struct Ranking: Hashable, Sendable {
    /// The most frequent first; equally frequent ones by name.
    public var top: [Share]
    /// Number of other values.
    public var others: Int
    /// Number of reports with one of the other values.
    public var reportsOfOthers: Int

    public init(top: [Share], others: Int, reportsOfOthers: Int) {
      self.top = top
      self.others = others
      self.reportsOfOthers = reportsOfOthers
    }
  }

  /// Reports of one day.
  public struct Day: Hashable, Sendable {
    /// The start of the day, in UTC.
    public var start: Timestamp
    public var reports: Int

    public init(start: Timestamp, reports: Int) {
      self.start = start
      self.reports = reports
    }
  }

  /// The reports of the group's app, in all its groups.
  public var reportsOfApp: Int
  /// In the order of the versions.
  public var versions: [Version]
  /// Name and version of the operating system.
  public var systems: Ranking
  /// The models.
  public var devices: Ranking
  /// Each day of a month, also those without reports. It ends today; for a group that was not seen this month
  /// it ends with the day on which it was last seen.
  public var days: [Day]

  public init(
    reportsOfApp: Int, versions: [Version], systems: Ranking, devices: Ranking, days: [Day]
  ) {
    self.reportsOfApp = reportsOfApp
    self.versions = versions
    self.systems = systems
    self.devices = devices
    self.days = days
  }
}
