internal import Database
internal import Identifiers

/// State shared by the submissions stored in one transaction.
struct StoringContext {
  let now: Timestamp
  let facts = StoringFacts()
  let rules: SplitRules
  let search: SearchIndex
  private let batch = SearchBatch()
  let waiting: WaitingReports
  /// Whether reports beyond the daily limit of their group are only counted.
  let isLimited: Bool
  /// Counts for the ledger, written at the end.
  var sheet = LedgerBatch()
  /// Counts of groups and releases, written at the end, and before something reads them.
  var counts = CountChanges()

  init(in store: CrashStore, now: Timestamp, isLimited: Bool = false) {
    self.isLimited = isLimited
    self.now = now
    rules = SplitRules(reader: StoredReader(contents: store.contents))
    search = SearchIndex(store.searchCache, batch)
    waiting = WaitingReports(store.imageCache, facts)
  }

  /// Writes what was left for the end: the transaction calls it after its last report.
  mutating func finish(in database: borrowing Connection) throws {
    try counts.write(to: database)
    try batch.write(to: database)
    try sheet.write(to: database)
  }
}
