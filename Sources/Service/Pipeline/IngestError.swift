/// Why nothing was stored.
public enum IngestError: Error, Equatable, Sendable {
  /// Attachments were given, and no report below the paths.
  case noReportToAttachTo
  /// Attachments were given, and more than one report below the paths; where the second one is.
  case severalReports(String)
}
