/// Whose traces are to go.
public enum ErasureSubject: Sendable {
  /// A user, by any of the names that reports may have for the same one.
  case user([String])
  /// An installation or device, by any of the spellings of what reports call it.
  case install([String])
}

/// What an erasure took away, or would take.
public struct ErasureCount: Equatable, Sendable {
  public var reports = 0
  /// Submissions that went with the last of their reports, and their bytes.
  public var submissions = 0
  public var bytes = 0
  /// Attachments of those reports.
  public var attachments = 0
  /// Attachments that waited for a report.
  public var orphans = 0
  public var sessions = 0
  /// What the app did in sessions.
  public var events = 0
  /// What clients had said of reports, also of some that had expired.
  public var clientReports = 0
  /// Crashes that only crash-free rates still counted.
  public var expiredCrashes = 0
  /// Groups that knew the installation from reports that had expired.
  public var groups = 0

  public init() {}
}
