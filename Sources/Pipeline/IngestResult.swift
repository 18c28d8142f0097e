/// What an ingest did.
public struct IngestResult: Sendable {
  /// How many files and archive members were looked at.
  public var files = 0
  /// How many reports were filed.
  public var reports = 0
  /// How many submissions had been filed before and were not counted again.
  public var duplicates = 0
  /// How many attachments were added.
  public var attachments = 0
  /// The groups that reports were filed under, and how many of them, in the order in which they were
  /// first met.
  public var groups: [(id: String, reports: Int, isNew: Bool, isRegressed: Bool)] = []
  /// Files that are no report, with the reason.
  public var refused: [RefusedFile] = []
}
