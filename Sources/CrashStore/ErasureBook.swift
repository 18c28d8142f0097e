internal import CrashModel
internal import SQLite

/// Finds and takes away what is known of a user or an installation, inside a transaction.
struct ErasureBook {
  private let subject: ErasureSubject
  private let span: ErasureSpan
  /// The machine's clock, in microseconds since 1970.
  private let now = CrashStore.now.microseconds
  private var sheet = LedgerSheet()
  private var groups: Set<Group> = []
  /// Sets of tags that the reports had, whose terms may be nobody's now.
  private var tagSets: Set<Int> = []

  private struct Group: Hashable {
    let row: Int
    let app: Int
  }

  init(_ subject: ErasureSubject, _ span: ErasureSpan) {
    self.subject = subject
    self.span = span
  }

  /// A condition over the time at which a row came in.
  private func takes(_ column: String = "received") -> String { span.takes(column, at: now) }

  private var reason: String {
    switch subject {
    case .user: "a user was erased"
    case .install: "an installation was erased"
    }
  }

  private var installs: [[UInt8]] {
    if case .install(let names) = subject { names.map(ReportRow.hash(ofInstall:)) } else { [] }
  }

  // MARK: Which reports

  /// A report that is to go. Rows are numbered anew when others have taken them away: the name tells
  /// whether it is still this one.
  struct Found: Hashable {
    let row: Int
    let name: String
  }

  func reports(in database: borrowing Connection) throws -> [Found] {
    switch subject {
    case .install:
      let named = try installs.flatMap { install in
        try Self.reports(
          "SELECT id, name FROM reports WHERE install = ?1 AND \(takes())", [install], in: database)
      }
      return try Set(named).union(clientReports(in: database)).sorted { $0.row < $1.row }
    case .user:
      return try userTerms(in: database).flatMap { term in
        try Self.reports(
          """
          SELECT reports.id, reports.name FROM search_facts JOIN reports ON reports.id = search_facts.report
          WHERE search_facts.user = ?1 AND \(takes("reports.received"))
          """, [SearchTerm.code(term)], in: database)
      }
    }
  }

  /// The reports that clients of the installation sent.
  func clientReports(in database: borrowing Connection) throws -> [Found] {
    try installs.flatMap { install in
      try Self.reports(
        """
        SELECT reports.id, reports.name FROM client_reports AS client
        JOIN submissions ON submissions.app = client.app AND submissions.digest = client.digest
        JOIN reports ON reports.submission = submissions.id
        WHERE client.install = ?1 AND \(takes("client.received"))
          AND \(takes("reports.received"))
        """, [install], in: database)
    }
  }

  /// The numbers under which the user's names are kept to be found by.
  private func userTerms(in database: borrowing Connection) throws -> [Int] {
    guard case .user(let names) = subject else { return [] }
    let ids = SearchTerm.ids(of: .user)
    return try names.flatMap { name in
      try Self.numbers(
        "SELECT id FROM search_terms WHERE hash = ?1 AND text = ?2 AND id BETWEEN ?3 AND ?4",
        [
          SearchTerm(field: .user, text: name).hash, name, ids.lowerBound, ids.upperBound - 1,
        ], in: database)
    }
  }

  private static func reports(
    _ sql: String, _ values: [any SQLBindable], in database: borrowing Connection
  ) throws -> [Found] {
    var found: [Found] = []
    let rows = try database.prepare(sql, values)
    while try rows.step() { found.append(Found(row: rows.int(0), name: rows.text(1))) }
    return found
  }

  private static func numbers(
    _ sql: String, _ values: [any SQLBindable], in database: borrowing Connection
  ) throws -> [Int] {
    var numbers: [Int] = []
    let rows = try database.prepare(sql, values)
    while try rows.step() { numbers.append(rows.int(0)) }
    return numbers
  }

  // MARK: A report

  mutating func erase(
    _ found: Found, _ count: inout ErasureCount, at now: Timestamp, _ isDry: Bool,
    in database: borrowing Connection
  ) throws {
    let rows = try database.prepare(
      """
      SELECT apps.id, apps.name, submissions.digest, submissions.bytes,
        (SELECT count(*) FROM attachments WHERE report = reports.id),
        (SELECT count(*) FROM reports AS every WHERE every.submission = submissions.id),
        (SELECT tags FROM search_facts WHERE report = reports.id)
      FROM reports JOIN apps ON apps.id = reports.app
        JOIN submissions ON submissions.id = reports.submission
      WHERE reports.id = ?1 AND reports.name = ?2
      """, [found.row, found.name])
    // Another process may have been faster.
    guard try rows.step(), let report = try PastBook.Report(found.row, in: database) else { return }
    let (app, name, digest) = (rows.int(0), rows.text(1), rows.blob(2))
    count.reports += 1
    count.attachments += rows.int(4)
    try eraseClient(of: digest, app: app, &count, isDry, in: database)
    if isDry {
      // A submission with other reports may stay.
      if rows.int(5) == 1 {
        count.submissions += 1
        count.bytes += rows.int(3)
      }
      return
    }
    if rows.int(6) != 0 { tagSets.insert(rows.int(6)) }
    let bytes = try PastBook.erase(report, in: database)
    sheet.add(.reportsRemoved, app: name, day: now.day, reason: reason)
    if let bytes {
      sheet.add(.removed, app: name, day: now.day, reason: reason, bytes: bytes)
      count.submissions += 1
      count.bytes += bytes
    }
    if let install = report.install { try PastBook.forget(install, of: report, in: database) }
    groups.insert(Group(row: report.group, app: app))
  }

  /// Takes away what a client said of a report, with its session.
  private func eraseClient(
    of digest: [UInt8], app: Int, _ count: inout ErasureCount, _ isDry: Bool,
    in database: borrowing Connection
  ) throws {
    let sessions =
      "SELECT session FROM client_reports WHERE app = ?1 AND digest = ?2 AND session != ''"
    let parts: [(WritableKeyPath<ErasureCount, Int>, String)] = [
      (
        \.events,
        "session_events WHERE app = ?1 AND session IN (\(sessions)) AND \(takes())"
      ),
      (\.sessions, "sessions WHERE app = ?1 AND id IN (\(sessions)) AND \(takes())"),
      (
        \.orphans,
        """
        orphan_attachments WHERE app = ?1 AND \(takes())
          AND client IN (SELECT client FROM client_reports WHERE app = ?1 AND digest = ?2)
        """
      ),
      (\.clientReports, "client_reports WHERE app = ?1 AND digest = ?2 AND \(takes())"),
    ]
    for (part, rows) in parts {
      try Self.erase(rows, [app, digest], &count[keyPath: part], isDry, in: database)
    }
  }

  private static func erase(
    _ rows: String, _ values: [any SQLBindable], _ count: inout Int, _ isDry: Bool,
    in database: borrowing Connection
  ) throws {
    let statement = try database.prepare("SELECT count(*) FROM \(rows)", values)
    guard try statement.step(), statement.int(0) > 0 else { return }
    count += statement.int(0)
    guard !isDry else { return }
    let removal = try database.prepare("DELETE FROM \(rows)", values)
    while try removal.step() {}
  }

  /// Writes the ledger, and counts the groups afresh.
  mutating func finish(in database: borrowing Connection, _ isDry: Bool) throws {
    guard !isDry else { return }
    for group in groups {
      try GroupBook(app: group.app, author: "mayday").recount(group.row, in: database)
    }
    try forgetTags(in: database)
    try sheet.write(to: database)
  }

  // MARK: The rest

  /// Takes away what is known of the subject besides reports.
  func eraseRest(
    _ count: inout ErasureCount, _ isDry: Bool, in database: borrowing Connection
  ) throws {
    for install in installs {
      let sessions = "SELECT id FROM sessions WHERE install = ?1"
      for (part, rows) in [
        (
          \.events,
          """
          session_events WHERE \(takes()) AND (install = ?1 OR session IN (\(sessions)
            AND sessions.app = session_events.app))
          """
        ),
        (\.sessions, "sessions WHERE install = ?1 AND \(takes())"),
        (\.orphans, "orphan_attachments WHERE install = ?1 AND \(takes())"),
        (\.clientReports, "client_reports WHERE install = ?1 AND \(takes())"),
      ] as [(WritableKeyPath<ErasureCount, Int>, String)] {
        try Self.erase(rows, [install], &count[keyPath: part], isDry, in: database)
      }
    }
    for install in installs { try forget(install, &count, isDry, in: database) }
    if !isDry { try forgetTerms(in: database) }
  }

  /// Groups forget the installation, also where its reports had expired.
  private func forget(
    _ install: [UInt8], _ count: inout ErasureCount, _ isDry: Bool,
    in database: borrowing Connection
  ) throws {
    // A report that came meanwhile is still counted.
    let condition = """
      install = ?1 AND NOT EXISTS (SELECT 1 FROM reports
        WHERE reports.grp = group_installs.grp AND reports.install = ?1)
      """
    var places: [(group: Group, origin: Int)] = []
    let rows = try database.prepare(
      """
      SELECT group_installs.grp, groups.app, group_installs.origin FROM group_installs
      JOIN groups ON groups.id = group_installs.grp WHERE \(condition)
      """, [install])
    while try rows.step() {
      places.append((Group(row: rows.int(0), app: rows.int(1)), rows.int(2)))
    }
    let groups = Set(places.map(\.group))
    count.groups += groups.count
    guard !isDry else { return }
    try database.run("DELETE FROM group_installs WHERE \(condition)", install)
    for place in places { try SearchBook.forget(install, at: place.origin, in: database) }
    for group in groups {
      try GroupBook(app: group.app, author: "mayday").recount(group.row, in: database)
    }
  }

  /// What the user was found by goes too, when no report has it any more.
  private func forgetTerms(in database: borrowing Connection) throws {
    for term in try userTerms(in: database) {
      let isLeft = try database.integer(
        "SELECT 1 FROM search_facts WHERE user = ?1 LIMIT 1", SearchTerm.code(term))
      if isLeft == nil { try SearchBook.remove(term: term, in: database) }
    }
  }

  /// Tags that only erased reports had.
  private func forgetTags(in database: borrowing Connection) throws {
    for set in tagSets {
      let isLeft = try database.integer(
        """
        SELECT 1 WHERE EXISTS (SELECT 1 FROM search_facts WHERE tags = ?1)
          OR EXISTS (SELECT 1 FROM search_past WHERE tags = ?1)
        """, set)
      guard isLeft == nil else { continue }
      let terms = try Self.numbers(
        "SELECT term FROM search_set_terms WHERE holder = ?1", [set], in: database)
      try database.run("DELETE FROM search_set_terms WHERE holder = ?1", set)
      try database.run("DELETE FROM search_sets WHERE id = ?1", set)
      for term in terms {
        let isHeld = try database.integer(
          "SELECT 1 FROM search_set_terms WHERE term = ?1 LIMIT 1", term)
        if isHeld == nil { try SearchBook.remove(term: term, in: database) }
      }
    }
  }
}
