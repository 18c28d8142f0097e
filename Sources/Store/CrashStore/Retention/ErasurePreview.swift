internal import Database

/// Rows that a dry run has counted: they stay, and may be found again for a second reason.
struct ErasurePreview {
  /// An installation in a group or an origin.
  private struct Owner<Row>: Hashable {
    let row: RowID<Row>
    let install: [UInt8]
  }

  /// A row, identified by the values of its key.
  private struct Row: Hashable {
    let part: ErasurePart
    let key: [[UInt8]]
  }

  private var rows: Set<Row> = []
  /// The number of reports left in each submission.
  private var submissions: [RowID<Tables.Submissions>: Int] = [:]
  private var goneOfGroups: [Owner<Tables.Groups>: Int] = [:]
  private var goneOfOrigins: Set<Owner<Tables.Origins>> = []

  /// - Returns: The number of rows found for the first time.
  mutating func add(
    _ part: ErasurePart, where condition: String, _ values: [SQLValue],
    in database: borrowing Connection
  ) throws -> Int {
    let columns = part.key
    let found = try database.prepare(
      "SELECT \(columns.joined(separator: ", ")) FROM \(part.rawValue) WHERE \(condition)", values)
    var count = 0
    while try found.step() {
      // By position: the columns are those of the key.
      let row = Row(part: part, key: columns.indices.map { found.blob($0) })
      if rows.insert(row).inserted { count += 1 }
    }
    return count
  }

  /// - Parameter reports: The number of reports in its submission.
  /// - Returns: Whether the submission is deleted with it.
  mutating func add(_ report: DeletedReports.Report, of reports: Int) -> Bool {
    if let install = report.install {
      goneOfGroups[Owner(row: report.group, install: install), default: 0] += 1
      goneOfOrigins.insert(Owner(row: report.origin, install: install))
    }
    let left = submissions[report.submission, default: reports] - 1
    submissions[report.submission] = left
    return left == 0
  }

  /// The number of groups that still know an installation after its reports are deleted, and their
  /// origins with them.
  func groups(knowing install: [UInt8], in database: borrowing Connection) throws -> Int {
    let known = try database.prepare(
      """
      SELECT grp, origin, (SELECT count(*) FROM reports
        WHERE reports.grp = group_installs.grp AND reports.install = ?1) AS reports
      FROM group_installs WHERE install = ?1
      """, [install])
    var groups: Set<RowID<Tables.Groups>> = []
    while try known.step() {
      let group: RowID<Tables.Groups> = try known.id("grp")
      let left =
        try known.int("reports") - goneOfGroups[Owner(row: group, install: install), default: 0]
      guard left == 0, try !goneOfOrigins.contains(Owner(row: known.id("origin"), install: install))
      else {
        continue
      }
      groups.insert(group)
    }
    return groups.count
  }
}
