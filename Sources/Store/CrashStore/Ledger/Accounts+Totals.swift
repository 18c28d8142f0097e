internal import Database

/// The ledger of all apps together.
public struct LedgerTotals: Equatable, Sendable {
  /// Submissions that arrived: stored, only counted, known before, or refused.
  public var received = LedgerAmount()
  public var stored = LedgerAmount()
  public var duplicates = LedgerAmount()
  public var refused = LedgerAmount()
  /// Submissions whose reports were all only counted.
  public var counted = LedgerAmount()
  public var reportsStored = 0
  public var reportsExpired = 0
  public var reportsRemoved = 0
  /// Reports that were only counted.
  public var reportsCounted = 0
  /// Reports beyond the limit of their submission.
  public var reportsLeftOut = 0
  /// Images whose debug file was available when the report was stored.
  public var imagesFound = 0
  /// Images that a missing debug file could have explained.
  public var imagesMissing = 0

  init() {}
}

extension CrashStore.Accounts {
  /// Returns the totals of the ledger, without recounting anything.
  ///
  /// - Throws: `DatabaseError`.
  public func totals() throws -> LedgerTotals {
    try store.read { database in
      var totals = LedgerTotals()
      let rows = try database.prepare(
        "SELECT what, sum(count) AS count, sum(bytes) AS bytes FROM ledger GROUP BY what")
      while try rows.step() {
        guard let entry = try LedgerEntry(rawValue: rows.text("what")) else { continue }
        let amount = try LedgerAmount(count: rows.int("count"), bytes: rows.int("bytes"))
        switch entry {
        case .received: totals.received = amount
        case .stored: totals.stored = amount
        case .duplicate: totals.duplicates = amount
        case .refused: totals.refused = amount
        case .reportsStored: totals.reportsStored = amount.count
        case .reportsExpired: totals.reportsExpired = amount.count
        case .counted: totals.counted = amount
        case .reportsCounted: totals.reportsCounted = amount.count
        case .reportsRemoved: totals.reportsRemoved = amount.count
        case .reportsLeftOut: totals.reportsLeftOut = amount.count
        case .imagesFound: totals.imagesFound = amount.count
        case .imagesMissing: totals.imagesMissing = amount.count
        case .expired, .removed: break
        }
      }
      return totals
    }
  }
}
