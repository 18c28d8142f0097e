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
  /// See ``CrashStore/readsAhead``.
  let readsAhead: Bool
  /// Counts for the ledger, written at the end.
  var sheet = LedgerBatch()
  /// Rows of reports, written at the end, and before something reads them.
  var rows = NewRows()
  /// Counts of groups and releases, written at the end, and before something reads them.
  var counts = CountChanges()

  /// Whether a report has moved others, or has given a group another title.
  var hasRearranged = false

  init(in store: CrashStore, now: Timestamp, isLimited: Bool = false) {
    self.isLimited = isLimited
    readsAhead = store.readsAhead
    self.now = now
    rules = SplitRules(reader: StoredReader(contents: store.contents))
    search = SearchIndex(store.searchCache, batch)
    waiting = WaitingReports(store.imageCache, facts)
  }

  /// Writes the rows of the reports so far.
  mutating func writeRows(to database: borrowing Connection) throws {
    try rows.write(to: database)
    try batch.writeFacts(to: database)
  }

  /// Writes the rows and the counts of the reports so far.
  mutating func write(to database: borrowing Connection) throws {
    try writeRows(to: database)
    try counts.write(to: database)
  }

  /// Writes what was left for the end: the transaction calls it after its last report.
  mutating func finish(in database: borrowing Connection) throws {
    try write(to: database)
    try batch.write(to: database)
    try sheet.write(to: database)
  }
}
