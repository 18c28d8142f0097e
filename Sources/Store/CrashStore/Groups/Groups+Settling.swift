internal import Database

extension CrashStore.Groups {
  /// Approximate maximum of groups and reports that one transaction processes.
  private static let settlingLimit = (groups: 500, reports: 20_000)

  /// Finds the groups of reprocessed reports, some of them at a time.
  ///
  /// Nothing is done while reports are waiting for reprocessing, as a group is judged by all of its reports:
  /// a group whose reports all got one new key keeps its name and gains the key; when they got several, it
  /// keeps the most frequent one (that of the oldest report in a tie), and the other reports move. Where the
  /// key already belongs to another group, the older of the two survives and the other redirects to it.
  /// Counters move along; nothing is counted twice.
  ///
  /// - Returns: Whether there is more to do.
  /// - Throws: `DatabaseError`.
  public func settle() throws -> Bool {
    let rules = SplitRules(reader: StoredReader(contents: store.contents))
    return try store.act(.global) { database, _ in
      var done = (groups: 0, reports: 0)
      while done.groups < Self.settlingLimit.groups, done.reports < Self.settlingLimit.reports {
        guard let count = try Regrouping.step(rules, in: database) else { return false }
        done.groups += 1
        done.reports += count
      }
      return true
    }
  }
}
