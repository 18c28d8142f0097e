public import CrashModel

/// Which reports to list, the newest first; every condition that is given must hold.
public struct ReportQuery: Sendable {
  /// The name of the app.
  public var app: String?
  /// `TERN-12`.
  public var group: String?
  /// The version of the app: `1.4.0`, without the build.
  public var version: String?
  /// The state of the group that the report is in.
  public var state: GroupState?
  /// Words that stand in the signature or the reason, in either letter case.
  public var text: String?
  /// The most reports to return; `nil` for all.
  public var limit: Int?
  /// How many to pass over.
  public var offset = 0

  public init() {}
}
