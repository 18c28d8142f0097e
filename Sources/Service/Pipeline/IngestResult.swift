/// The result of an ingest.
public struct IngestResult: Sendable {
  /// The files and archive members that were looked at.
  public var files = FileCounts()
  /// How many submissions were stored: a file with reports of two apps is one of each.
  public var submissions = 0
  /// How many reports were stored.
  public var reports = 0
  /// How many attachments were added.
  public var attachments = 0
  /// The groups that reports were stored under, and how many of them, in the order in which they
  /// were first met.
  public var groups: [(id: String, reports: Int, isNew: Bool, isRegressed: Bool)] = []
  /// Files that are not reports, with the reason.
  public var refused: [RefusedFile] = []
}
