internal import Bytes
internal import Database
internal import Identifiers
internal import Updates

/// The tables of groups and testers, inside a transaction.
enum DistributionTables {
  /// Returns a random UUID (version 4).
  static func makeID() -> String {
    var source = SystemRandomNumberGenerator()
    var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &source) }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Array(bytes.hexadecimalDigits)
    return [(0, 8), (8, 12), (12, 16), (16, 20), (20, 32)]
      .map { String(digits[$0.0..<$0.1]) }.joined(separator: "-")
  }

  /// Returns the groups of an app, by name.
  static func groups(
    of app: RowID<Tables.Apps>, _ name: String, in database: borrowing Connection
  ) throws -> [DistributionGroup] {
    let rows = try database.prepare(
      "SELECT id, name, public FROM distribution_groups WHERE app = ?1 ORDER BY name", [app])
    var groups: [DistributionGroup] = []
    while try rows.step() {
      try groups.append(
        DistributionGroup(
          id: rows.text("id"), app: name, name: rows.text("name"), isPublic: rows.bool("public")))
    }
    return groups
  }

  /// Returns the testers of an app, by email address.
  static func testers(
    of app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> [Tester] {
    var groups: [String: [String]] = [:]
    do {
      let rows = try database.prepare(
        """
        SELECT tester, distribution_group FROM distribution_members WHERE app = ?1
        ORDER BY tester, distribution_group
        """, [app])
      while try rows.step() {
        try groups[rows.text("tester"), default: []].append(rows.text("distribution_group"))
      }
    }
    let rows = try database.prepare(
      """
      SELECT id, email, accepted IS NOT NULL AS accepted, tester_refusals.time IS NOT NULL AS refuses,
        (SELECT max(expires) FROM tester_secrets WHERE tester_secrets.app = testers.app
          AND tester_secrets.tester = testers.id AND kind = 'invitation' AND expires > ?2) AS open,
        (SELECT time FROM tester_sightings WHERE tester_sightings.app = testers.app
          AND tester_sightings.tester = testers.id) AS seen
      FROM testers LEFT JOIN tester_refusals
        ON tester_refusals.app = testers.app AND tester_refusals.tester = testers.id
      WHERE testers.app = ?1 ORDER BY email
      """, [app, CrashStore.now.microseconds])
    var testers: [Tester] = []
    while try rows.step() {
      let id = try rows.text("id")
      var tester = try Tester(
        id: id, email: rows.text("email"), groups: groups[id] ?? [],
        hasAccepted: rows.bool("accepted"))
      tester.isUnsubscribed = try rows.bool("refuses")
      tester.invitedUntil = try rows.optionalTimestamp("open")
      tester.lastSeen = try rows.optionalTimestamp("seen")
      testers.append(tester)
    }
    return testers
  }

  /// Creates the group that every app has, if it is missing.
  static func ensureCollaborators(
    of app: RowID<Tables.Apps>, now: Int, in database: borrowing Connection
  ) throws {
    try database.insert(
      into: "distribution_groups",
      [
        "app": app, "id": makeID(), "name": DistributionGroup.collaborators, "public": false,
        "created": now,
      ], onConflict: "ON CONFLICT DO NOTHING")
  }

  /// Returns the group with this name or id.
  ///
  /// - Throws: ``DistributionError/noSuchGroup(_:app:)``.
  static func group(
    _ name: String, of app: RowID<Tables.Apps>, _ appName: String, in database: borrowing Connection
  ) throws -> DistributionGroup {
    let rows = try database.prepare(
      """
      SELECT id, name, public FROM distribution_groups WHERE app = ?1 AND (name = ?2 OR id = ?2)
      ORDER BY name != ?2 LIMIT 1
      """, [app, name])
    guard try rows.step() else { throw DistributionError.noSuchGroup(name, app: appName) }
    return try DistributionGroup(
      id: rows.text("id"), app: appName, name: rows.text("name"), isPublic: rows.bool("public"))
  }

  /// Returns the id and email address of the tester with this email address or id.
  ///
  /// - Throws: ``DistributionError/noSuchTester(_:app:)``.
  static func tester(
    _ name: String, of app: RowID<Tables.Apps>, _ appName: String, in database: borrowing Connection
  ) throws -> (id: String, email: String) {
    let rows = try database.prepare(
      "SELECT id, email FROM testers WHERE app = ?1 AND (email = ?2 OR id = ?2)",
      [app, name.lowercased()])
    guard try rows.step() else { throw DistributionError.noSuchTester(name, app: appName) }
    return try (rows.text("id"), rows.text("email"))
  }

  /// Returns the display name of a destination.
  ///
  /// - Throws: ``DistributionError`` where it does not exist.
  static func name(
    of destination: Artefact.Destination, app: RowID<Tables.Apps>, _ appName: String,
    in database: borrowing Connection
  ) throws -> String {
    switch destination.kind {
    case .group: try group(destination.id, of: app, appName, in: database).name
    case .tester: try tester(destination.id, of: app, appName, in: database).email
    }
  }
}
