internal import Database
internal import Identifiers

/// Unnamed apps: created for unknown secrets. Any client that can reach a server can have them created.
extension CrashStore.Apps {

  /// - Parameter secret: In canonical spelling.
  /// - Throws: `DatabaseError`.
  public func knowledge(ofSecret secret: String) throws -> CrashStore.SecretKnowledge {
    try store.read { database in
      let name = try database.text(
        "SELECT apps.name FROM app_secrets JOIN apps ON apps.id = app WHERE secret = ?1", secret)
      guard let name else { return .none }
      return name.hasPrefix(AppsTable.unknownPrefix) ? .unnamed : .named
    }
  }

  /// A range of the index of names; it ends with the character after the hyphen.
  private static let unnamed = "name >= 'unknown-' AND name < 'unknown.' AND key_name IS NULL"

  /// No data is stored: no report, no session, no file that waits for its report.
  private static let isEmpty = """
    NOT EXISTS (SELECT 1 FROM submissions WHERE app = apps.id)
    AND NOT EXISTS (SELECT 1 FROM groups WHERE app = apps.id)
    AND NOT EXISTS (SELECT 1 FROM client_reports WHERE app = apps.id)
    AND NOT EXISTS (SELECT 1 FROM orphan_attachments WHERE app = apps.id)
    AND NOT EXISTS (SELECT 1 FROM sessions WHERE app = apps.id)
    AND NOT EXISTS (SELECT 1 FROM session_counts WHERE app = apps.id)
    AND NOT EXISTS (SELECT 1 FROM past_crashes WHERE app = apps.id)
    AND NOT EXISTS (SELECT 1 FROM session_events WHERE app = apps.id)
    AND NOT EXISTS (SELECT 1 FROM update_documents WHERE app = apps.id)
    AND NOT EXISTS (SELECT 1 FROM ledger WHERE ledger.app = apps.name)
    """

  /// Returns the number of unnamed apps.
  ///
  /// - Throws: `DatabaseError`.
  public func unnamedCount() throws -> Int {
    try store.read {
      try $0.requiredInteger("SELECT count(*) FROM apps WHERE \(Self.unnamed)")
    }
  }

  /// Removes unnamed apps without data, the oldest first. If more arrives with such a secret, it gets an app
  /// again.
  ///
  /// - Parameter age: Minimum age of the apps, in seconds.
  /// - Returns: The number of removed apps.
  /// - Throws: `DatabaseError`.
  public func removeEmptyUnnamed(olderThan age: Int, atMost count: Int) throws -> Int {
    let latest = Timestamp(seconds: CrashStore.now.seconds - Int64(age))
    return try store.write(.global) { database in
      var apps: [(row: RowID<Tables.Apps>, name: String)] = []
      do {
        let rows = try database.prepare(
          """
          SELECT id, name FROM apps WHERE \(Self.unnamed) AND created <= ?1 AND \(Self.isEmpty)
          ORDER BY created, id LIMIT ?2
          """, [latest.microseconds, count])
        while try rows.step() { try apps.append((rows.id("id"), rows.text("name"))) }
      }
      for app in apps { try Self.clear(app.row, app.name, in: database) }
      return apps.count
    }
  }

  /// Returns unnamed apps, the oldest first.
  ///
  /// - Parameter isEmpty: Whether to return only those without data.
  /// - Throws: `DatabaseError`.
  public func unnamed(isEmpty: Bool) throws -> [(name: String, reports: Int)] {
    try store.read { database in
      var apps: [(name: String, reports: Int)] = []
      let rows = try database.prepare(
        """
        SELECT name, (SELECT count(*) FROM reports WHERE app = apps.id) AS reports FROM apps
        WHERE \(Self.unnamed) \(isEmpty ? "AND \(Self.isEmpty)" : "") ORDER BY created, id
        """)
      while try rows.step() { try apps.append((rows.text("name"), rows.int("reports"))) }
      return apps
    }
  }

  /// Removes unnamed apps with all their data. An app that was named meanwhile stays, as does one that has
  /// received data although `areEmpty` is set.
  ///
  /// - Parameter areEmpty: Whether they had no data.
  /// - Returns: The names of the removed apps.
  /// - Throws: `DatabaseError`.
  public func removeUnnamed(_ names: [String], areEmpty: Bool) throws -> [String] {
    var removed: [String] = []
    var rest = names[...]
    while !rest.isEmpty {
      // Batches, so that other writers are not blocked for long.
      let batch = rest.prefix(100)
      rest = rest.dropFirst(batch.count)
      removed += try store.write(.global) { database in
        try batch.filter { name in
          let row: RowID<Tables.Apps>? = try database.id(
            """
            SELECT id FROM apps WHERE name = ?1 AND \(Self.unnamed)
            \(areEmpty ? "AND \(Self.isEmpty)" : "")
            """, name)
          guard let row else { return false }
          try Self.clear(row, name, in: database)
          return true
        }
      }
    }
    return removed
  }
}
