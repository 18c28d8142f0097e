internal import Database

extension CrashStore.Groups {
  /// Approximate maximum of groups and reports that one transaction processes.
  private static let settlingLimit = (groups: 500, reports: 20_000)

  /// Finds the groups of reprocessed reports, some of them at a time, one app after the other.
  ///
  /// Nothing is done for an app of which reports are waiting for reprocessing, as a group is judged by all of its
  /// reports:
  /// a group whose reports all got one new key keeps its name and gains the key; when they got several, it
  /// keeps the most frequent one (that of the oldest report in a tie), and the other reports move. Where the
  /// key already belongs to another group, the older of the two survives and the other redirects to it.
  /// Counters move along; nothing is counted twice.
  ///
  /// - Returns: Whether there was something to do; there may be more.
  /// - Throws: `DatabaseError`.
  public func settle() throws -> Bool {
    guard let app = try store.read({ try Regrouping.nextApp(in: $0) }) else { return false }
    let rules = SplitRules(reader: StoredReader(contents: store.contents))
    try store.act(.apps([app.name])) { database, _ in
      var done = (groups: 0, reports: 0)
      while done.groups < Self.settlingLimit.groups, done.reports < Self.settlingLimit.reports {
        // Another process may have been faster.
        guard let count = try Regrouping.step(app.row, rules, in: database) else { return }
        done.groups += 1
        done.reports += count
      }
    }
    return true
  }

  /// Whether ``settle()`` has something to do.
  ///
  /// - Throws: `DatabaseError`.
  public func canSettle() throws -> Bool {
    try store.read { try Regrouping.nextApp(in: $0) != nil }
  }
}
