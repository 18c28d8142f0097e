/// Counts of an import.
public struct ImportCounts: Equatable, Sendable {
  /// Submissions that are new here.
  public var submissions = 0
  /// Submissions that were already known.
  public var duplicates = 0
  public var reports = 0
  /// Groups that were created.
  public var groups = 0
  /// Debug files that are new here.
  public var debugFiles = 0
  /// Submissions that were only queued in a backup: they are not imported.
  public var queued = 0
  /// Number of ``queued`` submissions that are quarantined.
  public var quarantined = 0

  public init() {}
}
