internal import Database
internal import Likeness
public import TriageModel

extension CrashStore.Apps {
  /// Sets which keys of an app are linked by likeness, and regroups its reports. Groups that a user merged or
  /// split stay as they are.
  ///
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  /// - Complexity: O(stacks of the app).
  public func setLinking(_ policy: LinkPolicy, of app: String) throws {
    let rules = SplitRules(reader: StoredReader(contents: store.contents))
    try store.act(.apps([app])) { database, now in
      let row = try AppsTable.known(app, in: database).row
      let text = policy == .standard ? nil : policy.text
      guard try database.text("SELECT link FROM apps WHERE id = ?1", row) != text else { return }
      try database.run("UPDATE apps SET link = ?2 WHERE id = ?1", row, text)
      var changed = try Self.linkedKeys(of: row, in: database)
      try KeyStacks(of: row).relinkAll(in: database)
      changed.formUnion(try Self.linkedKeys(of: row, in: database))
      for key in changed.sorted() {
        var arrangement = KeyRegrouping(of: row, now: now, rules)
        try arrangement.run(around: [key], in: database)
      }
    }
  }

  private static func linkedKeys(
    of app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> Set<String> {
    let rows = try database.prepare("SELECT DISTINCT key FROM key_links WHERE app = ?1", [app])
    var keys: Set<String> = []
    while try rows.step() { try keys.insert(rows.text("key")) }
    return keys
  }
}
