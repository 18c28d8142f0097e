/// Possible meanings of an unknown id.
public struct NearMatches: Sendable {
  /// Groups with the number in the id.
  public var groups: [GroupName] = []
  /// Apps with groups: the prefix of their ids, and the highest number among them.
  public var apps: [AppGroups] = []
  /// Reports whose ids share a prefix with the unknown one, longest prefix first.
  public var reports: [ReportSummary] = []

  public init() {}

  /// A group with its name.
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
    /// The number of the newest group.
    public var last: Int
  }
}
