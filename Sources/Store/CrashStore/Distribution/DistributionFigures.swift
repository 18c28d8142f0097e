public import Identifiers

/// How often the files of a release were downloaded, and how many installations reported that they run it.
public struct DistributionFigures: Hashable, Sendable {
  /// The counts of a group, in all, the most downloads first.
  public var groups: [Group] = []
  /// The counts of days that have any, oldest first.
  public var days: [Day] = []

  public init() {}

  public var downloads: Int { groups.reduce(0) { $0 + $1.downloads } }
  public var installs: Int { groups.reduce(0) { $0 + $1.installs } }

  /// The counts of each day, of all groups, oldest first.
  public var totals: [Day] {
    var totals: [Day] = []
    for day in days {
      if totals.last?.start != day.start { totals.append(Day(start: day.start, group: nil)) }
      totals[totals.count - 1].downloads += day.downloads
      totals[totals.count - 1].installs += day.installs
    }
    return totals
  }

  public struct Group: Hashable, Sendable {
    /// `nil` where the client didn't say from which group it got the file, the group is gone, or a tester was
    /// given the file by name.
    public var id: String?
    public var name: String?
    public var downloads = 0
    public var installs = 0

    public init(id: String?, name: String?) {
      self.id = id
      self.name = name
    }
  }

  public struct Day: Hashable, Sendable {
    /// Midnight, in UTC.
    public var start: Timestamp
    /// The name of the group, as in ``Group``.
    public var group: String?
    public var downloads = 0
    public var installs = 0

    public init(start: Timestamp, group: String?) {
      self.start = start
      self.group = group
    }
  }
}
