/// What the ledger counts: what became of each submission that came, and of each report in it.
enum LedgerEntry: String, CaseIterable, Sendable {
  /// Submissions that came: filed, known before or refused.
  case received
  case filed
  /// Submissions that were known; the reason is empty when they are still there.
  case duplicate
  case refused
  /// Submissions that retention took away with the last of their reports.
  case expired
  /// Submissions that somebody removed.
  case removed
  case reportsFiled = "reports filed"
  case reportsExpired = "reports expired"
  case reportsRemoved = "reports removed"
}
