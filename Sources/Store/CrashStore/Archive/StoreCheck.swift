internal import Crypto
internal import Database

/// Checks that rows from elsewhere are consistent, which the rest of the program takes for granted.
struct StoreCheck {
  let contents: ContentStore

  /// Upper limit of sums of counts, and of numbers of bytes.
  private static let mostAmount = 0x1p60

  /// Columns whose values are added up.
  private static let amounts = [
    ("submissions", "bytes"), ("groups", "reports"), ("groups", "installs"), ("counters", "count"),
    ("group_installs", "count"), ("ledger", "count"), ("ledger", "bytes"), ("refused", "bytes"),
    ("past_submissions", "bytes"), ("past_reports", "count"), ("counted_reports", "count"),
    ("debug_files", "size"),
    ("attachments", "size"), ("releases", "reports"), ("apps", "last_group"),
  ]

  /// Queries that must return no row, and the message for a row.
  private static let conditions = [
    (
      """
      SELECT apps.prefix || '-' || groups.number FROM groups JOIN apps ON apps.id = groups.app
      WHERE groups.number NOT BETWEEN 1 AND apps.last_group
      """, "a group number that the app has not assigned:"
    ),
    (
      """
      SELECT reports.name FROM reports JOIN groups ON groups.id = reports.grp
        JOIN submissions ON submissions.id = reports.submission
        LEFT JOIN origins ON origins.id = reports.origin
      WHERE groups.app != reports.app OR submissions.app != reports.app
        OR origins.grp IS DISTINCT FROM reports.grp OR groups.redirect IS NOT NULL
      """, "a report in a group, an origin or an app that is not its own:"
    ),
    (
      """
      SELECT key FROM group_keys LEFT JOIN origins ON origins.id = group_keys.origin
        JOIN groups ON groups.id = group_keys.grp
      WHERE origins.grp IS DISTINCT FROM group_keys.grp OR groups.app != group_keys.app
      """, "a key without an origin in its group and app:"
    ),
    (
      """
      SELECT origins.id FROM origins JOIN groups ON groups.id = origins.grp
        JOIN groups AS homes ON homes.id = origins.home
      WHERE groups.app != homes.app OR groups.redirect IS NOT NULL
      """, "an origin in a redirected group or in another app:"
    ),
    (
      """
      SELECT groups.number FROM groups JOIN groups AS older ON older.id = groups.redirect
      WHERE older.app != groups.app
      """, "a group that was merged into one of another app:"
    ),
  ]

  /// - Throws: ``LoadError`` for the first thing that is wrong; `DatabaseError`.
  func run(in database: borrowing Connection) throws {
    if let table = try database.tableWithMissingReference() {
      throw LoadError.inconsistent("a row refers to a missing row, in table \(table)")
    }
    for (sql, words) in Self.conditions {
      if let found = try database.text(sql) {
        throw LoadError.inconsistent("\(words) \(found)")
      }
    }
    for (table, column) in Self.amounts {
      let rows = try database.prepare(
        """
        SELECT coalesce(min(\(column)), 0) AS least,
          coalesce(sum(CAST(\(column) AS DOUBLE PRECISION)), 0) AS total FROM \(table)
        """)
      guard try rows.step(), try rows.int("least") >= 0, try rows.double("total") < Self.mostAmount
      else {
        throw LoadError.inconsistent("counts of table \(table), column '\(column)', are impossible")
      }
    }
    try checkNames(in: database)
    try checkPrefixes(in: database)
    try checkPastSubmissions(in: database)
    try checkCircles("groups", "redirect", in: database)
    try checkCircles("origins", "parent", in: database)
    try checkContents(in: database)
  }

  /// Checks that apps have printable names, and that each report's id follows from its bytes.
  private func checkNames(in database: borrowing Connection) throws {
    let apps = try database.prepare(
      "SELECT name FROM apps UNION SELECT key_name FROM apps WHERE key_name IS NOT NULL")
    while try apps.step() {
      guard try AppName.isValid(apps.text("name")) else {
        throw LoadError.inconsistent("an app has an invalid name")
      }
    }
    let rows = try database.prepare(
      """
      SELECT reports.name AS report_name, submissions.digest, apps.name AS app_name,
        reports.position, coalesce(apps.key_name, apps.name) AS key_name FROM reports
        JOIN submissions ON submissions.id = reports.submission JOIN apps ON apps.id = reports.app
      """)
    while try rows.step() {
      // An app that was renamed has older reports under its first name.
      let (digest, position) = try (rows.blob("digest"), rows.int("position"))
      let ids = try [rows.text("key_name"), rows.text("app_name")].lazy.map { name in
        ReportID.id(digest: digest, app: name, position: position)
      }
      guard try ids.contains(rows.text("report_name")) else {
        throw LoadError.inconsistent(
          "report \(try rows.text("report_name")) does not follow from its submission")
      }
    }
  }

  private func checkPrefixes(in database: borrowing Connection) throws {
    let rows = try database.prepare("SELECT prefix FROM apps")
    while try rows.step() {
      let prefix = rows.text(0)
      let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
      let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
      guard (1...30).contains(prefix.utf8.count), prefix.utf8.first.map(letters.contains) == true,
        prefix.utf8.allSatisfy({ letters.contains($0) || digits.contains($0) })
      else { throw LoadError.inconsistent("invalid prefix of an app's groups: \(prefix)") }
    }
  }

  private func checkPastSubmissions(in database: borrowing Connection) throws {
    let rows = try database.prepare(
      "SELECT digest FROM past_submissions WHERE length(digest) != 16 LIMIT 1")
    guard try rows.step() else { return }
    throw LoadError.inconsistent("invalid start of a digest: \(SHA256.hex(rows.blob(0)))")
  }

  /// Checks that the references in a column contain no cycle.
  private func checkCircles(
    _ table: String, _ column: String, in database: borrowing Connection
  ) throws {
    let rows = try database.prepare(
      "SELECT id, \(column) AS next FROM \(table) WHERE \(column) IS NOT NULL")
    var next: [Int: Int] = [:]
    while try rows.step() { try next[rows.int("id")] = rows.int("next") }
    var settled: Set<Int> = []
    for start in next.keys {
      var way: Set<Int> = []
      var row = start
      while let following = next[row], !settled.contains(row) {
        guard way.insert(row).inserted else {
          throw LoadError.inconsistent("\(table) refer to each other in a cycle")
        }
        row = following
      }
      settled.formUnion(way)
    }
  }

  /// Checks that every content that a row names is stored, in the expected form.
  private func checkContents(in database: borrowing Connection) throws {
    for isPlain in [false, true] {
      let rows = try database.prepare(
        ContentReferences.queries(ofPlain: isPlain).joined(separator: " UNION ") + " ORDER BY 1")
      while try rows.step() {
        // By position: each of the queries has one column.
        let digest = rows.blob(0)
        guard digest.count == 32, try contents.storedSize(of: digest, isPlain: isPlain) != nil
        else {
          throw LoadError.missingContent(SHA256.hex(digest))
        }
      }
    }
  }
}
