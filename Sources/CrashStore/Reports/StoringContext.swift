internal import CrashModel

/// What the submissions share that are stored in one transaction.
struct StoringContext {
  let now: Timestamp
  let rules: SplitRules
  let search: SearchIndex
  let waiting: WaitingReports
  /// What is counted, to be written at the end.
  var sheet = LedgerSheet()

  init(in store: CrashStore, now: Timestamp) {
    self.now = now
    rules = SplitRules(reader: StoredReader(contents: store.contents))
    search = SearchIndex(store.searchCache)
    waiting = WaitingReports(store.imageCache)
  }
}
