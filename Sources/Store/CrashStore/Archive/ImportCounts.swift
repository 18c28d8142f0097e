/// What an import did.
public struct ImportCounts: Equatable, Sendable {
  /// Submissions that are new here.
  public var submissions = 0
  /// Submissions that were known.
  public var duplicates = 0
  public var reports = 0
  /// Groups that were opened.
  public var groups = 0
  /// Debug files that are new here.
  public var debugFiles = 0
  /// Submissions of a backup that were not stored there: they are not taken over.
  public var queued = 0
  /// Those of ``queued`` that are quarantined.
  public var quarantined = 0

  public init() {}
}
