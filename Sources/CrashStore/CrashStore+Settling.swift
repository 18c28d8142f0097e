internal import SQLite

extension CrashStore {
  /// Groups and reports that one transaction looks at, about.
  private static let settlingLimit = (groups: 500, reports: 20_000)

  /// Finds the groups of reports that were done again, some of them at a time.
  ///
  /// Nothing is done as long as reports are to be done again, as a group is judged by all of its
  /// reports: one all of whose reports got one new key keeps its name and gains the key; when they
  /// got several, it keeps that of most of them (of the oldest report where that is undecided), and
  /// the others move. Where the key belongs to another group already, the older of the two survives
  /// and the other becomes another name of it. Counters move along; nothing is counted twice.
  ///
  /// - Returns: Whether there is more to do.
  /// - Throws: `DatabaseError`.
  public func settle() throws -> Bool {
    try write { database in
      var done = (groups: 0, reports: 0)
      while done.groups < Self.settlingLimit.groups, done.reports < Self.settlingLimit.reports {
        let isEarly =
          try database.integer("SELECT EXISTS (SELECT 1 FROM redo WHERE problem IS NULL)") == 1
        guard !isEarly, let (id, phase) = try Self.nextToSettle(in: database) else {
          return false
        }
        done.groups += 1
        guard let origin = try Origin.find(id, in: database) else {
          try Regrouping.forget(id, in: database)
          continue
        }
        done.reports += try Regrouping(origin, in: database).run(phase: phase, in: database)
      }
      return true
    }
  }

  private static func nextToSettle(
    in database: borrowing Connection
  ) throws -> (id: Int, phase: Int)? {
    let rows = try database.prepare(
      "SELECT origin, phase FROM regroup ORDER BY phase, origin LIMIT 1")
    return try rows.step() ? (rows.int(0), rows.int(1)) : nil
  }
}
