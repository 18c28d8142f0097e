internal import Database
internal import Identifiers

/// Reports that were stored for each group, release and day, to be added to `group_intake`.
struct DailyCounts {
  private struct Sums {
    var stored = 0
    var hasAttachments = false
    var hasDumps = false
  }

  /// Past days no longer limit anything, but delayed reports may be from the day before.
  private static let daysKept = 30

  private var sums: [RowKey: Sums] = [:]
  /// Days before it are forgotten.
  private var firstDay: Int?

  var isEmpty: Bool { sums.isEmpty }

  mutating func add(
    _ report: ReportRow, day: Int, hasAttachments: Bool, in group: RowID<Tables.Groups>
  ) {
    forget(before: day - Self.daysKept)
    let key = RowKey(
      day.sqlValue, group.sqlValue, report.version.sqlValue, report.build.sqlValue)
    sums[key, default: Sums()].stored += 1
    if hasAttachments { sums[key, default: Sums()].hasAttachments = true }
    if report.isDump { sums[key, default: Sums()].hasDumps = true }
  }

  private mutating func forget(before day: Int) {
    guard firstDay.map({ $0 < day }) ?? true else { return }
    firstDay = day
    let limit = RowKey(day.sqlValue)
    sums = sums.filter { limit < $0.key }
  }

  func write(to database: borrowing Connection) throws {
    guard let firstDay else { return }
    try database.run("DELETE FROM group_intake WHERE day < ?1", firstDay)
    try database.insertMany(
      into: "group_intake",
      columns: ["day", "grp", "version", "build", "stored", "attachments", "dumps"],
      sums.sorted { $0.key < $1.key }.flatMap { key, sums in
        key.values + [
          sums.stored.sqlValue, sums.hasAttachments.sqlValue, sums.hasDumps.sqlValue,
        ]
      },
      onConflict: """
        ON CONFLICT (day, grp, version, build) DO UPDATE SET
          stored = group_intake.stored + excluded.stored,
          attachments = CASE WHEN excluded.attachments > group_intake.attachments
            THEN excluded.attachments ELSE group_intake.attachments END,
          dumps = CASE WHEN excluded.dumps > group_intake.dumps
            THEN excluded.dumps ELSE group_intake.dumps END
        """)
  }
}
