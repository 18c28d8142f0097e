internal import Identifiers

/// State shared by the submissions stored in one transaction.
struct StoringContext {
  let now: Timestamp
  let rules: SplitRules
  let search: SearchIndex
  let waiting: WaitingReports
  /// Whether reports beyond the daily limit of their group are only counted.
  let isLimited: Bool
  /// Counts for the ledger, written at the end.
  var sheet = LedgerBatch()

  init(in store: CrashStore, now: Timestamp, isLimited: Bool = false) {
    self.isLimited = isLimited
    self.now = now
    rules = SplitRules(reader: StoredReader(contents: store.contents))
    search = SearchIndex(store.searchCache)
    waiting = WaitingReports(store.imageCache)
  }
}
