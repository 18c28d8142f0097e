internal import Database

extension CrashStore.Groups {
  /// Groups and reports that one transaction looks at, about.
  private static let settlingLimit = (groups: 500, reports: 20_000)

  /// Finds the groups of reports that were reprocessed, some of them at a time.
  ///
  /// Nothing is done as long as reports are to be reprocessed, as a group is judged by all of its
  /// reports: one all of whose reports got one new key keeps its name and gains the key; when they
  /// got several, it keeps that of most of them (of the oldest report where that is undecided), and
  /// the others move. Where the key belongs to another group already, the older of the two survives
  /// and the other becomes another name of it. Counters move along; nothing is counted twice.
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
