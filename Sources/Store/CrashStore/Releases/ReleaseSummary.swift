public import Identifiers

/// The figures of a release in a list, beside its ``ReleaseRecord``.
public struct ReleaseSummary: Hashable, Sendable {
  /// Number of groups with a report of it.
  public var groups = 0
  /// Number of groups that were seen in it and in no release before it.
  public var newGroups = 0
  /// Groups that were resolved and came back in it, such as `TERN-12`.
  public var regressedGroups: Set<String> = []
  /// Distinct installations with a report or a session of it.
  public var installs = 0
  /// Number of its sessions on the days of adoption.
  public var sessions = 0

  public init() {}
}

/// The summaries of an app's releases.
public struct ReleaseSummaries: Hashable, Sendable {
  /// Number of days on which ``sessions`` and ``ReleaseSummary/sessions`` are counted.
  public static let adoptionDays = 7

  /// The releases with a report or a session.
  public var releases: [Release: ReleaseSummary] = [:]
  /// Number of sessions of all releases.
  public var sessions = 0

  public init() {}
}
