/// The user or installation whose data is to be erased.
public enum ErasureSubject: Sendable {
  /// A user, by any of the names that reports may use.
  case user([String])
  /// An installation or device, by any spelling of its id in reports.
  case install([String])
}

/// The numbers of items that an erasure deleted, or would delete.
public struct ErasureCount: Equatable, Sendable {
  public var reports = 0
  /// Submissions deleted with the last of their reports, and their bytes.
  public var submissions = 0
  public var bytes = 0
  /// Attachments of those reports.
  public var attachments = 0
  /// Attachments that waited for a report.
  public var orphans = 0
  public var sessions = 0
  /// Events of the app in sessions.
  public var events = 0
  /// Client records of reports, including expired ones.
  public var clientReports = 0
  /// Crashes that only crash-free rates still counted.
  public var expiredCrashes = 0
  /// Groups that knew the installation from expired reports.
  public var groups = 0

  public init() {}
}
