internal import Database

/// The counters of reports and the sums over them, inside a transaction.
///
/// `counters` has a row for each combination of a group, an origin, a day, a version and build, a system and
/// a device. Sums over them by group are `group_versions`, whose rows `groups.versions` counts, `group_spread`
/// and `group_days`. All of them are changed here and nowhere else, so that they agree, except that
/// ``CountChanges`` adds new rows to `groups.versions` with a group's other counts.
enum CountersTable {
  /// Adds reports to the counters and to the sums over them.
  ///
  /// - Parameter counters: The number of reports of each row, by its key.
  /// - Returns: How many releases are new to each group.
  static func add(
    _ counters: RowSums, to database: borrowing Connection
  ) throws -> [RowID<Tables.Groups>: Int] {
    var versions = RowSums()
    var spread = RowSums()
    var days = RowSums()
    for (key, count) in counters.sorted {
      let (group, version, build) = (key.values[0], key.values[1], key.values[2])
      versions.add(count, to: RowKey(group, version, build))
      days.add(count, to: RowKey(group, key.values[3]))
      spread.add(count, to: RowKey(group, .text("os"), key.values[4]))
      spread.add(count, to: RowKey(group, .text("device"), key.values[5]))
    }
    try database.addMany(
      counters, to: "counters",
      key: ["grp", "version", "build", "day", "os", "device", "origin"])
    var new: [RowID<Tables.Groups>: Int] = [:]
    for key in try database.addManyFindingNew(
      versions, to: "group_versions", key: ["grp", "version", "build"])
    {
      guard case .integer(let number) = key.values[0] else { continue }
      let group = RowID<Tables.Groups>(Int(number))
      new[group, default: 0] += 1
      try KnownFixes.changed(group, in: database)
    }
    try database.addMany(spread, to: "group_spread", key: ["grp", "field", "value"])
    try database.addMany(days, to: "group_days", key: ["grp", "day"])
    return new
  }

  /// Removes one report from the counts of an origin.
  static func remove(
    _ report: CountedReport, from origin: Origin, in database: borrowing Connection
  ) throws {
    let group = origin.group
    try database.run(
      """
      UPDATE counters SET count = count - 1 WHERE grp = ?1 AND origin = ?2 AND day = ?3
        AND version = ?4 AND build = ?5 AND os = ?6 AND device = ?7
      """, group, origin.id, report.day, report.version, report.build, report.os, report.device)
    // A report that was not counted is in none of the sums.
    guard database.changes > 0 else { return }
    try database.run(
      """
      DELETE FROM counters WHERE grp = ?1 AND origin = ?2 AND day = ?3 AND version = ?4
        AND build = ?5 AND os = ?6 AND device = ?7 AND count <= 0
      """, group, origin.id, report.day, report.version, report.build, report.os, report.device)
    try database.run(
      "UPDATE group_versions SET count = count - 1 WHERE grp = ?1 AND version = ?2 AND build = ?3",
      group, report.version, report.build)
    try database.run(
      """
      DELETE FROM group_versions WHERE grp = ?1 AND version = ?2 AND build = ?3 AND count <= 0
      """, group, report.version, report.build)
    if database.changes > 0 {
      try database.run("UPDATE groups SET versions = versions - 1 WHERE id = ?1", group)
    }
    for (field, value) in [("os", report.os), ("device", report.device)] {
      try database.run(
        "UPDATE group_spread SET count = count - 1 WHERE grp = ?1 AND field = ?2 AND value = ?3",
        group, field, value)
      try database.run(
        "DELETE FROM group_spread WHERE grp = ?1 AND field = ?2 AND value = ?3 AND count <= 0",
        group, field, value)
    }
    try database.run(
      "UPDATE group_days SET count = count - 1 WHERE grp = ?1 AND day = ?2", group, report.day)
    try database.run(
      "DELETE FROM group_days WHERE grp = ?1 AND day = ?2 AND count <= 0", group, report.day)
  }
}

extension CountersTable {
  /// An origin, and the group that it is counted for.
  typealias CountedOrigin = (group: RowID<Tables.Groups>, origin: RowID<Tables.Origins>)

  /// Moves all counts of one origin to another.
  static func move(
    from old: CountedOrigin, to new: CountedOrigin, in database: borrowing Connection
  ) throws {
    try move(
      """
      (SELECT version, build, os, device, day, count FROM counters
      WHERE grp = ?1 AND origin = ?2) AS moved
      """, [], from: old, to: new, in: database)
  }

  /// Moves one origin's counts of the reports of a key to another. The reports themselves are still in the
  /// old one.
  static func move(
    key: String, from old: CountedOrigin, to new: CountedOrigin, in database: borrowing Connection
  ) throws {
    try move(
      """
      (SELECT version, build, os, device, \(day) AS day, 1 AS count FROM reports
      WHERE grp = ?1 AND origin = ?2 AND key = ?5) AS moved
      """, [key], from: old, to: new, in: database)
  }

  /// Moves one origin's counts of the counted-only reports of a key to another. The rows of those are still
  /// in the old one.
  static func move(
    countedOf key: String, from old: CountedOrigin, to new: CountedOrigin,
    in database: borrowing Connection
  ) throws {
    try move(
      """
      (SELECT version, build, os, device, day, count FROM counted_reports
      WHERE origin = ?2 AND key = ?5) AS moved
      """, [key], from: old, to: new, in: database)
  }

  /// The number of whole days before `time`, also before 1970.
  private static let day =
    "(time - (time % 86400000000 + 86400000000) % 86400000000) / 86400000000"

  /// Each row that moves is subtracted from the old origin and added to the new one.
  private static let sides = """
    (SELECT CAST(?1 AS BIGINT) AS side_group, CAST(?2 AS BIGINT) AS side_origin, -1 AS sign
    UNION ALL SELECT CAST(?3 AS BIGINT), CAST(?4 AS BIGINT), 1) AS sides
    """

  /// - Parameters:
  ///   - rows: A query of the rows to move, with the old origin as ?1 and ?2 and `values` from ?5 on.
  ///   - values: Those parameters.
  private static func move(
    _ rows: String, _ values: [any SQLBindable], from old: CountedOrigin, to new: CountedOrigin,
    in database: borrowing Connection
  ) throws {
    guard old != new else { return }
    let values: [any SQLBindable] = [old.group, old.origin, new.group, new.origin] + values
    if old.group != new.group {
      for (table, key, columns, grouping) in [
        ("group_versions", "version, build", "version, build", "version, build"),
        ("group_days", "day", "day", "day"),
        ("group_spread", "field, value", "'os', os", "os"),
        ("group_spread", "field, value", "'device', device", "device"),
      ] {
        try run(
          """
          INSERT INTO \(table) (grp, \(key), count)
          SELECT side_group, \(columns), sign * sum(count) FROM \(rows) CROSS JOIN \(sides)
          GROUP BY side_group, sign, \(grouping)
          ON CONFLICT (grp, \(key)) DO UPDATE SET count = \(table).count + excluded.count
          """, values, in: database)
      }
      for table in ["group_versions", "group_days", "group_spread"] {
        try database.run("DELETE FROM \(table) WHERE grp = ?1 AND count <= 0", old.group)
      }
      try database.run(
        """
        UPDATE groups SET
          versions = (SELECT count(*) FROM group_versions WHERE group_versions.grp = groups.id)
        WHERE id = ?1 OR id = ?2
        """, old.group, new.group)
      try KnownFixes.changed(old.group, in: database)
      try KnownFixes.changed(new.group, in: database)
    }
    try run(
      """
      INSERT INTO counters (grp, origin, day, version, build, os, device, count)
      SELECT side_group, side_origin, day, version, build, os, device, sign * sum(count)
      FROM \(rows) CROSS JOIN \(sides)
      GROUP BY side_group, side_origin, sign, day, version, build, os, device
      ON CONFLICT (grp, version, build, day, os, device, origin)
      DO UPDATE SET count = counters.count + excluded.count
      """, values, in: database)
    try database.run(
      "DELETE FROM counters WHERE grp = ?1 AND origin = ?2 AND count <= 0", old.group, old.origin)
  }

  private static func run(
    _ sql: String, _ values: [any SQLBindable], in database: borrowing Connection
  ) throws {
    let statement = try database.prepare(sql, values)
    while try statement.step() {}
  }
}
