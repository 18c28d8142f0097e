internal import CrashModel
internal import Database

/// By which rules the reports of apps are grouped. Every choice is kept; a roll-back is one more line,
/// and finds the groups as they were.
extension CrashStore.Rules {
  /// The built-in rules that an app begins with.
  public static let ofNewApps = "v2"

  /// All that was chosen for an app, the newest first.
  ///
  /// - Throws: ``StoreError/notFound(_:)`` for an app that is not there; `DatabaseError`.
  public func history(of app: String) throws -> [RuleSetRecord] {
    try store.read { database in
      let app = try AppsTable.known(app, in: database)
      return try RuleSetsTable.history(of: app, in: database)
    }
  }

  /// The built-in rules of an app that never chose any.
  ///
  /// - Throws: ``StoreError/notFound(_:)`` for an app that is not there; `DatabaseError`.
  public func standard(of app: String) throws -> String {
    try store.read { database in
      let app = try AppsTable.known(app, in: database)
      return try database.requiredText("SELECT rules FROM apps WHERE id = ?1", app.row)
    }
  }

  /// By which number of its history reports of an app are signed, 0 before anything was chosen, and the
  /// built-in rules that it began with; `nil` for an app that is not there.
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

  /// How many groups an app has.
  ///
  /// - Throws: ``StoreError/notFound(_:)`` for an app that is not there; `DatabaseError`.
  public func groupCount(of app: String) throws -> Int {
    try store.read { database in
      let app = try AppsTable.known(app, in: database)
      return try database.requiredInteger(
        "SELECT count(*) FROM groups WHERE app = ?1 AND redirect IS NULL", app.row)
    }
  }

  /// How many reports of an app have still to be signed by the rules that were chosen last.
  ///
  /// - Throws: ``StoreError/notFound(_:)`` for an app that is not there; `DatabaseError`.
  public func waitingCount(of app: String) throws -> Int {
    try store.read { database in
      let app = try AppsTable.known(app, in: database)
      return try RuleSetsTable.waitingCount(of: app.row, in: database)
    }
  }

  /// Chooses rules for an app. Its reports are to be signed again; until ``CrashStore/Groups/settle()`` is
  /// done, groups are as they were.
  ///
  /// - Parameters:
  ///   - text: Rules of somebody's own; empty for none.
  ///   - digest: The SHA-256 of all rules, as results name it.
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

  /// Goes back to rules that were chosen before, and to the groups of that time; reports that came since
  /// are grouped by those rules.
  ///
  /// - Parameters:
  ///   - number: 0 for what the app began with; `nil` for those before the present ones.
  ///   - standard: What the app began with: the digest of built-in rules, by their version.
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
