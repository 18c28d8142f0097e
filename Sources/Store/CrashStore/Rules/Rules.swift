internal import Database
internal import Identifiers

/// The rules that group the reports of apps. Every choice is recorded; a roll-back adds a record and
/// restores the groups.
extension CrashStore.Rules {
  /// The built-in rules that an app begins with.
  public static let ofNewApps = "v1"

  /// All rules chosen for an app, newest first.
  ///
  /// - Throws: ``StoreError/unknownApp(_:near:)``; `DatabaseError`.
  public func history(of app: String) throws -> [RuleSetRecord] {
    try store.read { database in
      let app = try AppsTable.known(app, in: database)
      return try RuleSetsTable.history(of: app, in: database)
    }
  }

  /// The initial built-in rules of an app.
  ///
  /// - Throws: ``StoreError/unknownApp(_:near:)``; `DatabaseError`.
  public func standard(of app: String) throws -> String {
    try store.read { database in
      let app = try AppsTable.known(app, in: database)
      return try database.requiredText("SELECT rules FROM apps WHERE id = ?1", app.row)
    }
  }

  /// The number of the rules by which reports of an app get their signatures, 0 before any were chosen,
  /// and the initial built-in rules; `nil` for an unknown app.
  ///
  /// - Throws: `DatabaseError`.
  public func current(of app: String) throws -> (number: Int, standard: String)? {
    try store.read { database in
      guard let app = try AppsTable.find(app, in: database) else { return nil }
      return (
        try RuleSetsTable.number(of: app.row, in: database),
        try database.requiredText("SELECT rules FROM apps WHERE id = ?1", app.row)
      )
    }
  }

  /// The number of groups of an app.
  ///
  /// - Throws: ``StoreError/unknownApp(_:near:)``; `DatabaseError`.
  public func groupCount(of app: String) throws -> Int {
    try store.read { database in
      let app = try AppsTable.known(app, in: database)
      return try database.requiredInteger(
        "SELECT count(*) FROM groups WHERE app = ?1 AND redirect IS NULL", app.row)
    }
  }

  /// The number of reports of an app that still need a signature by the latest rules.
  ///
  /// - Throws: ``StoreError/unknownApp(_:near:)``; `DatabaseError`.
  public func waitingCount(of app: String) throws -> Int {
    try store.read { database in
      let app = try AppsTable.known(app, in: database)
      return try RuleSetsTable.waitingCount(of: app.row, in: database)
    }
  }

  /// Chooses rules for an app. The signatures of its reports are to be recomputed; until
  /// ``CrashStore/Groups/settle()`` is done, groups are unchanged.
  ///
  /// - Parameters:
  ///   - text: Custom rules; empty for none.
  ///   - digest: The SHA-256 of all rules, as in results.
  /// - Throws: ``StoreError/notFound(_:)``, ``RuleSetError``, ``ActionError`` for an author;
  ///   `DatabaseError`.
  public func apply(
    builtIn: String, text: String, digest: String, to app: String, by author: String
  ) throws -> RuleSetRecord {
    try CrashStore.Triage.check(name: author)
    return try store.act(.apps([app])) { database, now in
      let app = try AppsTable.known(app, in: database)
      let current = try RuleSetsTable.history(of: app, in: database).first
      if current?.digest == digest { throw RuleSetError.unchanged(app: app.name) }
      let record = RuleSetRecord(
        app: app.name, number: (current?.number ?? 0) + 1, time: now.wholeMicroseconds,
        author: author, event: .applied, builtIn: builtIn, text: text, digest: digest)
      try RuleSetsTable.choose(record, of: app.row, restores: 0, in: database)
      return record
    }
  }

  /// Restores rules that were chosen before, and the groups of that time; newer reports are grouped by
  /// those rules.
  ///
  /// - Parameters:
  ///   - number: The number of the rules; 0 for the initial ones, `nil` for the previous ones.
  ///   - standard: Returns the digest of built-in rules for their version.
  /// - Throws: As ``apply(builtIn:text:digest:to:by:)``.
  public func rollBack(
    _ app: String, to number: Int? = nil, by author: String, standard: (String) -> String
  ) throws -> RuleSetRecord {
    try CrashStore.Triage.check(name: author)
    return try store.act(.apps([app])) { database, now in
      let app = try AppsTable.known(app, in: database)
      let history = try RuleSetsTable.history(of: app, in: database)
      guard let current = history.first else { throw RuleSetError.noFormer(app: app.name) }
      let number = number ?? current.number - 1
      guard number != current.number else { throw RuleSetError.unchanged(app: app.name) }
      guard (0..<current.number).contains(number) else {
        throw RuleSetError.noSuchNumber(number, app: app.name)
      }
      var record = current
      if let former = history.first(where: { $0.number == number }) {
        record = former
      } else {
        record.builtIn = try database.requiredText("SELECT rules FROM apps WHERE id = ?1", app.row)
        record.text = ""
        record.digest = standard(record.builtIn)
      }
      record.number = current.number + 1
      record.time = now.wholeMicroseconds
      record.author = author
      record.event = .rolledBack
      record.source = number
      try RuleSetsTable.choose(record, of: app.row, restores: number + 1, in: database)
      return record
    }
  }
}
