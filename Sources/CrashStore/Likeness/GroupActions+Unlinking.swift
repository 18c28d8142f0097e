internal import Database

extension GroupActions {
  /// Takes a group out again that likeness joined to another, and remembers that the two are not the same:
  /// the key of its title is never linked again with a key of the other.
  func unlink(
    _ part: RowID<Tables.Groups>, from whole: RowID<Tables.Groups>,
    in database: borrowing Connection
  ) throws {
    let app = try app(of: whole, in: database)
    let names = (
      part: try GroupsTable.name(of: part, in: database),
      whole: try GroupsTable.name(of: whole, in: database)
    )
    let key = try database.requiredText("SELECT main_key FROM groups WHERE id = ?1", part)
    for other in try keys(of: whole, besides: key, in: database) {
      try DistinctKeys.add(key, other, of: [app], in: database)
    }
    try note(whole, .unmerged, "\(names.part) is not the same", ActionRecord?.none, in: database)
    var arrangement = KeyArrangement(of: app, now: now, SplitRules(reader: reader))
    try arrangement.run(around: [key], in: database)
  }

  private func keys(
    of group: RowID<Tables.Groups>, besides key: String, in database: borrowing Connection
  ) throws -> [String] {
    let rows = try database.prepare(
      "SELECT key FROM group_keys WHERE grp = ?1 AND is_main = 1 AND key <> ?2 ORDER BY key",
      [group, key])
    var keys: [String] = []
    while try rows.step() { try keys.append(rows.text("key")) }
    return keys
  }
}
