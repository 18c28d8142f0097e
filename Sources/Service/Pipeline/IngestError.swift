/// Why nothing was stored.
public enum IngestError: Error, Equatable, Sendable {
  /// Attachments were given, but there is no report below the paths.
  case noReportToAttachTo
  /// Attachments were given, but there is more than one report below the paths; the location of the second.
  case severalReports(String)
}
