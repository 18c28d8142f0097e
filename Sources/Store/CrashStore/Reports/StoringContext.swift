internal import CrashModel

/// What the submissions share that are stored in one transaction.
struct StoringContext {
  let now: Timestamp
  let rules: SplitRules
  let search: SearchIndex
  let waiting: WaitingReports
  /// Whether reports beyond the daily limit of their group are only counted.
  let isLimited: Bool
  /// What is counted, to be written at the end.
  var sheet = LedgerSheet()

  init(in store: CrashStore, now: Timestamp, isLimited: Bool = false) {
    self.isLimited = isLimited
    self.now = now
    rules = SplitRules(reader: StoredReader(contents: store.contents))
    search = SearchIndex(store.searchCache)
    waiting = WaitingReports(store.imageCache)
  }
}
