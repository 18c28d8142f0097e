/// The result of an ingest.
public struct IngestResult: Sendable {
  /// The files and archive members that were examined.
  public var files = FileCounts()
  /// The number of stored submissions: a file with reports of two apps counts for each.
  public var submissions = 0
  /// The number of stored reports.
  public var reports = 0
  /// The number of added attachments.
  public var attachments = 0
  /// The groups that reports were stored under, with their numbers of reports, in the order of their first
  /// report.
  public var groups: [(id: String, reports: Int, isNew: Bool, isRegressed: Bool)] = []
  /// Files that are not reports, with the reason.
  public var refused: [RefusedFile] = []
}
