/// What the ledger counts: what became of each submission that came, and of each report in it.
enum LedgerEntry: String, CaseIterable, Sendable {
  /// Submissions that came: stored, only counted, known before or refused.
  case received
  case stored = "filed"
  /// Submissions that were known; the reason is empty when they are still there.
  case duplicate
  /// Submissions of whose reports each was only counted: nothing of them is kept.
  case counted
  case refused
  /// Submissions that retention took away with the last of their reports.
  case expired
  /// Submissions that somebody removed.
  case removed
  case reportsStored = "reports filed"
  case reportsExpired = "reports expired"
  case reportsRemoved = "reports removed"
  /// Reports that were only counted.
  case reportsCounted = "reports counted"
  /// Reports in submissions that were stored without them, because a limit of a submission was reached.
  case reportsLeftOut = "reports left out"
  /// Images of reports for which a debug file was there when the report was stored, and for which one
  /// could have said something and was not there.
  case imagesFound = "images found"
  case imagesMissing = "images missing"
}
