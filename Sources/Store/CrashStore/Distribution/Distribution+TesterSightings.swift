internal import Database
public import Identifiers

/// When testers were last seen.
extension CrashStore.Distribution {
  /// Notes when an update token of a tester was used; an earlier time changes nothing.
  ///
  /// - Parameter tester: The tester's id. One who was removed is ignored.
  /// - Throws: `DatabaseError`.
  public func noteSighting(ofTester tester: String, app: String, at time: Timestamp) throws {
    try store.write(app: app) { database in
      guard let row = try AppsTable.find(app, in: database)?.row else { return }
      let isKnown = try database.integer(
        "SELECT 1 FROM testers WHERE app = ?1 AND id = ?2", row, tester)
      guard isKnown != nil else { return }
      try database.insert(
        into: "tester_sightings", ["app": row, "tester": tester, "time": time.microseconds],
        onConflict: """
          ON CONFLICT (app, tester) DO UPDATE SET time = excluded.time
            WHERE excluded.time > tester_sightings.time
          """)
    }
  }
}
