/// What a wrong id may have been meant to be.
public struct NearMatches: Sendable {
  /// Groups that have the number which the id names.
  public var groups: [GroupName] = []
  /// Apps with groups: the prefix of their ids, and the highest number among them.
  public var apps: [AppGroups] = []
  /// Reports whose ids begin like the wrong one, the longest likeness first.
  public var reports: [ReportSummary] = []

  public init() {}

  /// A group as it is called.
  public struct GroupName: Hashable, Sendable {
    /// `TERN-12`.
    public var id: String
    /// The text of its signature.
    public var title: String
  }

  /// The groups of an app.
  public struct AppGroups: Hashable, Sendable {
    public var app: String
    /// `TERN`.
    public var prefix: String
    /// The number of the group that was opened last.
    public var last: Int
  }
}
