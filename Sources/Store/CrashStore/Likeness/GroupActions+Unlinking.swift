internal import Database
internal import TriageModel

extension GroupActions {
  /// Separates a group that likeness joined to another, and remembers that the two are distinct: none of the
  /// keys that came with it is ever linked again with a key of the other.
  func unlink(
    _ part: RowID<Tables.Groups>, from whole: RowID<Tables.Groups>,
    in database: borrowing Connection
  ) throws {
    let app = try app(of: whole, in: database)
    let names = (
      part: try GroupsTable.name(of: part, in: database),
      whole: try GroupsTable.name(of: whole, in: database)
    )
    let (own, others) = try keys(of: part, in: whole, of: app, database)
    guard own.count * others.count <= DistinctKeys.pairLimit else {
      throw ActionError.tooManyKeys(names.part, names.whole)
    }
    for key in own {
      for other in others {
        try DistinctKeys.add(key, other, of: [app], in: database)
      }
    }
    try note(whole, .unmerged, "\(names.part) is not the same", ActionRecord?.none, in: database)
    var arrangement = KeyRegrouping(of: app, now: now, SplitRules(reader: reader))
    arrangement.excluded = Set(own)
    try arrangement.run(around: own, in: database)
  }

  /// Returns the keys that came with a part of a group, and the others. The former are, by their readings,
  /// together with the title of the part, or of a group that had joined it before.
  private func keys(
    of part: RowID<Tables.Groups>, in whole: RowID<Tables.Groups>, of app: RowID<Tables.Apps>,
    _ database: borrowing Connection
  ) throws -> (own: [String], others: [String]) {
    let table = KeysTable(app: app, now: now)
    let all = try texts(
      "SELECT key FROM group_keys AS main WHERE grp = ?1 AND \(KeysTable.isLive) ORDER BY key",
      whole, in: database)
    let titles = try texts(
      """
      WITH RECURSIVE joined (id) AS (SELECT CAST(?1 AS BIGINT)
        UNION SELECT groups.id FROM groups JOIN joined ON groups.redirect = joined.id)
      SELECT DISTINCT main_key AS key FROM groups JOIN joined USING (id) ORDER BY key
      """, part, in: database)
    var exact: [String: Set<String>] = [:]
    var weak: [String: Set<String>] = [:]
    for key in all {
      weak[key] = try table.weakReadings(of: key, in: database)
      exact[key] = Set(try table.readings(of: key, in: database)).subtracting(weak[key] ?? [])
    }
    let roots = KeyPartition.roots(of: exact, weak: weak)
    let came = Set(titles.compactMap { roots[$0] })
    return (
      all.filter { came.contains(roots[$0] ?? $0) }, all.filter { !came.contains(roots[$0] ?? $0) }
    )
  }

  private func texts(
    _ query: String, _ group: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws -> [String] {
    let rows = try database.prepare(query, [group])
    var keys: [String] = []
    while try rows.step() { try keys.append(rows.text("key")) }
    return keys
  }
}
