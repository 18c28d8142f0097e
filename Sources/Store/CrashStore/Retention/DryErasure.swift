internal import Database

/// What a dry run has counted already: it stays there, and may be found for a second reason.
struct DryErasure {
  /// Whose report it was, in a group or in an origin.
  private struct Owner<Row>: Hashable {
    let row: RowID<Row>
    let install: [UInt8]
  }

  /// A row by what its key holds.
  private struct Row: Hashable {
    let part: ErasurePart
    let key: [[UInt8]]
  }

  private var rows: Set<Row> = []
  /// How many reports of submissions are left.
  private var submissions: [RowID<Tables.Submissions>: Int] = [:]
  private var goneOfGroups: [Owner<Tables.Groups>: Int] = [:]
  private var gonePlaces: Set<Owner<Tables.Origins>> = []

  /// - Returns: How many rows are met for the first time.
  mutating func add(
    _ part: ErasurePart, where condition: String, _ values: [any SQLBindable],
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

  /// - Parameter reports: How many the report's submission has.
  /// - Returns: Whether the submission goes with it.
  mutating func add(_ report: PastReports.Report, of reports: Int) -> Bool {
    if let install = report.install {
      goneOfGroups[Owner(row: report.group, install: install), default: 0] += 1
      gonePlaces.insert(Owner(row: report.origin, install: install))
    }
    let left = submissions[report.submission, default: reports] - 1
    submissions[report.submission] = left
    return left == 0
  }

  /// How many groups know an installation when its reports are gone, and theirs with them.
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
      guard left == 0, try !gonePlaces.contains(Owner(row: known.id("origin"), install: install))
      else {
        continue
      }
      groups.insert(group)
    }
    return groups.count
  }
}
