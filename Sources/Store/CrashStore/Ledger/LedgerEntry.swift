/// The amounts that the ledger counts: the outcome of each submission that arrived, and of each report in it.
enum LedgerEntry: String, CaseIterable, Sendable {
  /// Submissions that arrived: stored, only counted, known before or refused.
  case received
  case stored
  /// Submissions that were known; the reason is empty when they are still there.
  case duplicate
  /// Submissions whose reports were all only counted: nothing of them is stored.
  case counted
  case refused
  /// Submissions that retention deleted with the last of their reports.
  case expired
  /// Submissions that a user removed.
  case removed
  case reportsStored = "reports stored"
  case reportsExpired = "reports expired"
  case reportsRemoved = "reports removed"
  /// Reports that were only counted.
  case reportsCounted = "reports counted"
  /// Reports that were left out of stored submissions, because a limit of a submission was reached.
  case reportsLeftOut = "reports left out"
  /// Images whose debug file was available when the report was stored, and images that a missing debug file
  /// could have explained.
  case imagesFound = "images found"
  case imagesMissing = "images missing"
}
