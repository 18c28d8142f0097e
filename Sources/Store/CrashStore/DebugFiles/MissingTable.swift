internal import Database

/// Number of reports of each group that lack a debug file, inside a transaction: `missing` sums up `waiting`,
/// without the images that a report names itself, and is changed with it and with the groups of reports.
enum MissingTable {
  /// Counts a report whose rows are in `waiting`.
  static func add(
    _ report: RowID<Tables.Reports>, of group: RowID<Tables.Groups>,
    in database: borrowing Connection
  ) throws {
    try database.run(
      """
      INSERT INTO missing (image, grp, reports, deciding)
      SELECT image, ?2, 1, decides FROM waiting WHERE report = ?1 AND coalesce(named, 0) = 0
      ON CONFLICT (grp, image) DO UPDATE SET reports = missing.reports + 1,
        deciding = missing.deciding + excluded.deciding
      """, report, group)
  }

  struct Key: Hashable, Comparable {
    let group: RowID<Tables.Groups>
    let image: Int

    static func < (left: Key, right: Key) -> Bool {
      (left.group, left.image) < (right.group, right.image)
    }
  }

  /// The number of reports that lack a debug file, and of those for which it decides the signature.
  struct Counts {
    private(set) var reports = 0
    private(set) var deciding = 0

    mutating func add(isDeciding: Bool) {
      reports += 1
      if isDeciding { deciding += 1 }
    }
  }

  /// Counts reports whose rows are written to `waiting`, too.
  static func add(_ counts: [Key: Counts], to database: borrowing Connection) throws {
    try database.insertMany(
      into: "missing", columns: ["grp", "image", "reports", "deciding"],
      counts.sorted { $0.key < $1.key }.flatMap { key, counts in
        [
          key.group.sqlValue, key.image.sqlValue, counts.reports.sqlValue,
          counts.deciding.sqlValue,
        ]
      },
      onConflict: """
        ON CONFLICT (grp, image) DO UPDATE SET reports = missing.reports + excluded.reports,
          deciding = missing.deciding + excluded.deciding
        """)
  }

  /// Subtracts reports whose rows are still in `waiting`.
  static func remove(
    _ reports: some Sequence<(row: RowID<Tables.Reports>, group: RowID<Tables.Groups>)>,
    in database: borrowing Connection
  ) throws {
    let rows = reports.map { [$0.row.sqlValue, $0.group.sqlValue] }
    try database.runMany(
      """
      UPDATE missing SET reports = reports - 1, deciding = deciding
        - (SELECT decides FROM waiting WHERE report = ?1 AND waiting.image = missing.image)
      WHERE grp = ?2
        AND image IN (SELECT image FROM waiting WHERE report = ?1 AND coalesce(named, 0) = 0)
      """, rows)
    try database.runMany(
      """
      DELETE FROM missing WHERE grp = ?2 AND reports <= 0
        AND image IN (SELECT image FROM waiting WHERE report = ?1 AND coalesce(named, 0) = 0)
      """, rows)
  }

  /// Follows reports that are about to move from one group to another; see ``ReportsTable``.
  static func move(
    where values: Connection.Values, from old: RowID<Tables.Groups>, to new: RowID<Tables.Groups>,
    in database: borrowing Connection
  ) throws {
    let statement = try database.prepare(
      """
      INSERT INTO missing (image, grp, reports, deciding)
      SELECT image, side, sign * count(*), sign * sum(decides)
      FROM (SELECT id FROM reports WHERE \(ReportsTable.condition(values, from: 3))) AS moved
        JOIN waiting ON waiting.report = moved.id AND coalesce(named, 0) = 0
        CROSS JOIN (SELECT CAST(?1 AS BIGINT) AS side, -1 AS sign
          UNION ALL SELECT CAST(?2 AS BIGINT), 1) AS sides
      GROUP BY image, side, sign
      ON CONFLICT (grp, image) DO UPDATE SET reports = missing.reports + excluded.reports,
        deciding = missing.deciding + excluded.deciding
      """, [old, new] + values.map(\.value))
    while try statement.step() {}
    try database.run("DELETE FROM missing WHERE grp = ?1 AND reports <= 0", old)
  }
}
