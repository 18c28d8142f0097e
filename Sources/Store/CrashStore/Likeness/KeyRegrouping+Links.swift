internal import Database
internal import Likeness

/// Keys that are linked by likeness.
extension KeyRegrouping {
  /// Returns the links between keys of an origin, and between them and other origins, whose names replace
  /// those of their keys. Origins that were split by hand, and their parts, are not linked.
  func links(
    of live: [String: RowID<Tables.Origins>], in origin: Origin, of database: borrowing Connection
  ) throws -> [(String, String)] {
    guard origin.parent == nil else { return [] }
    let rows = try database.prepare(
      """
      SELECT key_links.key, other, theirs.origin FROM group_keys AS main
        JOIN key_links ON key_links.app = main.app AND key_links.key = main.key
        JOIN group_keys AS theirs ON theirs.app = key_links.app AND theirs.key = key_links.other
        JOIN origins ON origins.id = theirs.origin
      WHERE main.origin = ?1 AND \(KeysTable.isLive) AND theirs.is_main = 1 AND theirs.is_left = 0
        AND origins.parent IS NULL
      ORDER BY key_links.key, other
      """, [origin.id])
    var links: [(String, String)] = []
    while try rows.step() {
      let target: RowID<Tables.Origins> = try rows.id("origin")
      let other = try rows.text("other")
      links.append(
        (try rows.text("key"), target == origin.id ? other : Self.name(ofOrigin: target)))
    }
    return links
  }

  /// Returns the key that names a group of an origin's keys. Where links joined keys that readings did not,
  /// it is the one with the shortest text, so that the title does not depend on the order of arrival.
  func name(
    _ name: String, of keys: [String], _ roots: [String: String], in origin: Origin,
    of database: borrowing Connection
  ) throws -> String {
    guard Self.origin(named: name) == nil else { return name }
    let names = Set(keys.map { roots[$0] ?? $0 }).filter { Self.origin(named: $0) == nil }
    guard names.count > 1 else { return name }
    var texts: [(length: Int, text: String, key: String)] = []
    for key in names.sorted() {
      let text = try database.text(
        """
        SELECT signature FROM reports WHERE grp = ?1 AND origin = ?2 AND key = ?3
        ORDER BY length(signature) DESC, signature LIMIT 1
        """, origin.group, origin.id, key)
      if let text { texts.append((text.count, text, key)) }
    }
    return texts.min { ($0.length, $0.text, $0.key) < ($1.length, $1.text, $1.key) }?.key ?? name
  }

  /// Returns the strongest link between keys and those of another origin; `nil` where there is none.
  func link(
    from keys: [String], to origin: Origin, in database: borrowing Connection
  ) throws -> KeyLink? {
    var best: KeyLink?
    for key in keys {
      let rows = try database.prepare(
        """
        SELECT key_links.key, other, rule, likeness, matched, frames FROM key_links
          JOIN group_keys AS main ON main.app = key_links.app AND main.key = key_links.other
        WHERE key_links.app = ?1 AND key_links.key = ?2 AND main.origin = ?3 AND \(KeysTable.isLive)
        ORDER BY likeness DESC, other LIMIT 1
        """, [table.app, key, origin.id])
      guard try rows.step() else { continue }
      let link = try KeyLink(rows)
      if best.map({ $0.likeness < link.likeness }) ?? true { best = link }
    }
    return best
  }

  /// Reopens, under its name, the group that keys had before likeness joined it to the one in which they are.
  func reopenedGroup(
    of keys: [String], in origin: Origin, of database: borrowing Connection
  ) throws -> Origin? {
    var found: RowID<Tables.Groups>?
    for key in keys {
      let rows = try database.prepare(
        """
        SELECT id FROM groups WHERE app = ?1 AND main_key = ?2 AND joined = ?3
          AND redirect IS NOT NULL ORDER BY id
        """, [table.app, key, GroupJoin.byLikeness.rawValue])
      while try rows.step() {
        let group: RowID<Tables.Groups> = try rows.id("id")
        guard try GroupsTable.root(of: group, in: database) == origin.group else { continue }
        // The oldest of the groups that had joined each other before.
        found = found.map { min($0, group) } ?? group
        break
      }
    }
    guard let group = found else { return nil }
    try database.run(
      "UPDATE groups SET redirect = NULL, joined = ?2 WHERE id = ?1", group,
      GroupJoin.bySymbols.rawValue)
    let name = try GroupsTable.name(of: origin.group, in: database)
    try table.note(group, .unmerged, "out of \(name)", in: database)
    return try Origin(ownGroup: group, making: database)
  }
}
