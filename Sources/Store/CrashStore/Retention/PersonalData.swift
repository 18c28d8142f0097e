internal import Bytes
internal import Database
internal import Identifiers

/// Finds and deletes the data of a user or an installation, inside a transaction.
struct PersonalData {
  private let subject: ErasureSubject
  private let span: ErasureSpan
  /// The counts of a dry run.
  private var dry: ErasurePreview?
  /// The time by the machine's clock.
  private let now = CrashStore.now
  private var sheet = LedgerBatch()
  private var groups: Set<Group> = []
  /// Tag sets of the erased reports, whose terms may be unused now.
  private var tagSets: Set<Int> = []
  /// Texts of the erased reports, by the fields that may hold text written by a person.
  private var texts: [SearchField: Set<Int>] = [:]
  private static let textFields: [SearchField] = [.message, .source, .headline]

  private struct Group: Hashable {
    let row: RowID<Tables.Groups>
    let app: RowID<Tables.Apps>
  }

  /// - Parameter isDry: Whether to count only; one instance has to count a whole erasure.
  init(_ subject: ErasureSubject, _ span: ErasureSpan, isDry: Bool = false) {
    self.subject = subject
    self.span = span
    dry = isDry ? ErasurePreview() : nil
  }

  /// A condition on the time at which a row was received.
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

  /// Hashes of the subject in deleted sessions and crashes: by any name, including a user without an
  /// installation.
  private var people: [[UInt8]] {
    let names =
      switch subject {
      case .user(let names), .install(let names): names
      }
    return Array(Set(names.map(PersonHash.hash(of:)) + installs)).sorted {
      $0.lexicographicallyPrecedes($1)
    }
  }

  // MARK: Finding reports

  /// A report to be erased. A row number may be reused after another process deleted the row: the name
  /// shows whether it is still this report.
  struct Found: Hashable {
    let row: RowID<Tables.Reports>
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
    try installs.flatMap { try Self.reports(clientReportsOfInstall, [$0], in: database) }
  }

  var clientReportsOfInstall: String {
    """
    SELECT reports.id, reports.name FROM client_reports AS client
    JOIN submissions ON submissions.app = client.app AND submissions.digest = client.digest
    JOIN reports ON reports.submission = submissions.id
    WHERE client.install = ?1 AND \(takes("client.received"))
      AND \(takes("reports.received"))
    """
  }

  /// The numbers of the search terms for the user's names.
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
    while try rows.step() { try found.append(Found(row: rows.id("id"), name: rows.text("name"))) }
    return found
  }

  private static func numbers(
    _ sql: String, _ values: [any SQLBindable], in database: borrowing Connection
  ) throws -> [Int] {
    var numbers: [Int] = []
    let rows = try database.prepare(sql, values)
    // By position: each of the statements has one column.
    while try rows.step() { numbers.append(rows.int(0)) }
    return numbers
  }

  // MARK: Reports

  /// The surroundings of a report to be erased: its submission, and rows of other tables.
  private struct Surroundings {
    let appName: String
    let digest: [UInt8]
    /// The length of its submission, and the number of reports in it.
    let bytes: Int
    let reports: Int
    let attachments: Int
    let tags: Int
    let session: String

    init(_ row: borrowing Statement) throws {
      appName = try row.text("name")
      digest = try row.blob("digest")
      bytes = try row.count("bytes")
      reports = try row.int("every")
      attachments = try row.count("attachments")
      tags = try row.optionalInt("tags") ?? 0
      session = try row.text("session")
    }
  }

  /// Erases reports with what clients recorded of them; those that another process has deleted are left out.
  mutating func erase(
    _ found: [Found], _ count: inout ErasureCount, at now: Timestamp,
    in database: borrowing Connection
  ) throws {
    var known: [RowID<Tables.Reports>: Surroundings] = [:]
    // A report that arrived while reports were being looked up is later than that lookup's present, as if it
    // had been there before a clock was set back.
    try database.readMany(
      """
      SELECT reports.id, apps.name, submissions.digest, submissions.bytes,
        (SELECT count(*) FROM attachments WHERE report = reports.id) AS attachments,
        (SELECT count(*) FROM reports AS every WHERE every.submission = submissions.id) AS every,
        (SELECT tags FROM search_facts WHERE report = reports.id) AS tags, reports.session
      FROM reports JOIN apps ON apps.id = reports.app
        JOIN submissions ON submissions.id = reports.submission
      WHERE reports.id = ?1 AND reports.name = ?2 AND \(takes("reports.received"))
      """, found.map { RowKey($0.row.sqlValue, $0.name.sqlValue) }
    ) { _, row in known[try row.id("id")] = try Surroundings(row) }
    let rows = Set(found.map(\.row)).filter { known[$0] != nil }.sorted()
    let reports = try DeletedReports.Report.read(rows, in: database).compactMap { report in
      known[report.row].map { (report: report, surroundings: $0) }
    }
    count.reports += reports.count
    for (_, surroundings) in reports { count.attachments += surroundings.attachments }
    try eraseClients(
      of: reports.map { [$0.report.app.sqlValue, $0.surroundings.digest.sqlValue] }, &count,
      in: database)
    let sessions = reports.filter { !$0.surroundings.session.isEmpty }
      .map { [$0.report.app.sqlValue, $0.surroundings.session.sqlValue] }
    try erase(
      .events, where: "app = ?1 AND session = ?2", ofEach: sessions, &count, in: database)
    try erase(.sessions, where: "app = ?1 AND id = ?2", ofEach: sessions, &count, in: database)
    if var dry {
      for (report, surroundings) in reports where dry.add(report, of: surroundings.reports) {
        count.submissions += 1
        count.bytes = count.bytes.addingClamped(surroundings.bytes)
      }
      self.dry = dry
      return
    }
    for (_, surroundings) in reports where surroundings.tags != 0 {
      tagSets.insert(surroundings.tags)
    }
    try noteTexts(of: reports.map(\.report.row), in: database)
    try erase(
      reports.map(\.report), of: reports.map(\.surroundings.appName), &count, at: now, in: database)
  }

  /// Deletes reports from every table.
  ///
  /// - Parameter apps: The names of their apps.
  private mutating func erase(
    _ reports: [DeletedReports.Report], of apps: [String], _ count: inout ErasureCount,
    at now: Timestamp, in database: borrowing Connection
  ) throws {
    let bytes = try DeletedReports.erase(reports, .erased, in: database)
    for (app, bytes) in zip(apps, bytes) {
      sheet.add(.reportsRemoved, app: app, day: now.day, reason: reason)
      guard let bytes else { continue }
      sheet.add(.removed, app: app, day: now.day, reason: reason, bytes: bytes)
      count.submissions += 1
      count.bytes = count.bytes.addingClamped(bytes)
    }
    try DeletedReports.forgetInstalls(of: reports, .erased, in: database)
    for report in reports { groups.insert(Group(row: report.group, app: report.app)) }
  }

  /// Deletes what clients recorded of reports, with their sessions.
  ///
  /// - Parameter submissions: The app and the digest of each submission.
  private mutating func eraseClients(
    of submissions: [[SQLValue]], _ count: inout ErasureCount, in database: borrowing Connection
  ) throws {
    let sessions =
      "SELECT session FROM client_reports WHERE app = ?1 AND digest = ?2 AND session != ''"
    let parts: [(ErasurePart, String)] = [
      (.events, "app = ?1 AND session IN (\(sessions))"),
      (.sessions, "app = ?1 AND id IN (\(sessions))"),
      (
        .orphans,
        """
        app = ?1 AND client IN (SELECT client FROM client_reports WHERE app = ?1 AND digest = ?2)
        """
      ),
      (.refusals, RefusedAttachments.condition),
      (.clientReports, "app = ?1 AND digest = ?2"),
    ]
    for (part, condition) in parts {
      try erase(part, where: condition, ofEach: submissions, &count, in: database)
    }
  }

  /// Deletes the rows for which a condition holds.
  ///
  /// - Parameter values: The values of its parameters, for which it is asked one after another.
  private mutating func erase(
    _ part: ErasurePart, where condition: String, ofEach values: [[SQLValue]],
    _ count: inout ErasureCount, in database: borrowing Connection
  ) throws {
    let condition = "(\(condition)) AND \(takes())"
    if var dry {
      for values in values {
        count[keyPath: part.count] += try dry.add(part, where: condition, values, in: database)
      }
      self.dry = dry
      return
    }
    count[keyPath: part.count] += try database.runMany(
      "DELETE FROM \(part.rawValue) WHERE \(condition)", values)
  }

  /// Writes the ledger, and recounts the groups.
  mutating func finish(in database: borrowing Connection) throws {
    for group in groups {
      try GroupsTable(app: group.app, author: "mayday").recount(group.row, in: database)
    }
    try forgetTags(in: database)
    try forgetTexts(in: database)
    try sheet.write(to: database)
  }

  // MARK: The rest

  /// Data from an installation, besides reports, as conditions that an index covers.
  static let ofInstall: [(part: ErasurePart, condition: String)] = [
    (.events, "install = ?1"),
    // Events whose only link to the installation is their session.
    (
      .events,
      """
      app IN (SELECT app FROM sessions WHERE install = ?1)
        AND session IN (SELECT id FROM sessions WHERE install = ?1)
        AND EXISTS (SELECT 1 FROM sessions WHERE sessions.app = session_events.app
          AND sessions.id = session_events.session AND sessions.install = ?1)
      """
    ),
    (.sessions, "install = ?1"),
    (.orphans, "install = ?1"),
    (.refusals, "install = ?1"),
    (.clientReports, "install = ?1"),
  ]

  /// Data of a person under any name, as conditions that an index covers.
  static let ofPerson: [(part: ErasurePart, condition: String)] = [
    (.sessions, "install = ?1"), (.pastCrashes, "person = ?1"),
  ]

  /// Deletes attachments that wait for a report. This comes first: a later report that stays would
  /// claim them.
  mutating func eraseOrphans(
    _ count: inout ErasureCount, in database: borrowing Connection
  ) throws {
    try erase(
      .orphans, where: "install = ?1", ofEach: installs.map { [$0.sqlValue] }, &count,
      in: database)
  }

  /// Deletes the subject's data other than reports.
  mutating func eraseRest(
    _ count: inout ErasureCount, in database: borrowing Connection
  ) throws {
    for (part, condition) in Self.ofInstall {
      try erase(
        part, where: condition, ofEach: installs.map { [$0.sqlValue] }, &count, in: database)
    }
    for (part, condition) in Self.ofPerson {
      try erase(part, where: condition, ofEach: people.map { [$0.sqlValue] }, &count, in: database)
    }
    if let dry {
      for install in installs { count.groups += try dry.groups(knowing: install, in: database) }
      return
    }
    for install in installs { count.groups += try forget(install, in: database) }
    try forgetTerms(in: database)
  }

  /// Makes groups forget the installation, even where its reports had expired.
  ///
  /// - Returns: The number of groups that did.
  private func forget(
    _ install: [UInt8], in database: borrowing Connection
  ) throws -> Int {
    // A report received meanwhile is still counted.
    let condition = """
      install = ?1 AND NOT EXISTS (SELECT 1 FROM reports
        WHERE reports.grp = group_installs.grp AND reports.install = ?1)
      """
    var owners: [(group: Group, origin: RowID<Tables.Origins>)] = []
    let rows = try database.prepare(
      """
      SELECT group_installs.grp, groups.app, group_installs.origin FROM group_installs
      JOIN groups ON groups.id = group_installs.grp WHERE \(condition)
      """, [install])
    while try rows.step() {
      try owners.append((Group(row: rows.id("grp"), app: rows.id("app")), rows.id("origin")))
    }
    let groups = Set(owners.map(\.group))
    try database.run("DELETE FROM group_installs WHERE \(condition)", install)
    for owner in owners {
      try SearchIndex.forget(install, at: owner.origin, in: database)
      try CountedReports.forget(install, at: owner.origin, in: database)
    }
    for group in groups {
      try GroupsTable(app: group.app, author: "mayday").recount(group.row, in: database)
    }
    return groups.count
  }

  /// Deletes the search terms of the user that no report uses any more.
  private func forgetTerms(in database: borrowing Connection) throws {
    var unused: [RowKey: Int] = [:]
    for term in try userTerms(in: database) {
      unused[RowKey(SearchTerm.code(term).sqlValue)] = term
    }
    try database.readMany(
      "SELECT 1 FROM search_facts WHERE \(SearchField.user.sqlName) = ?1 LIMIT 1",
      unused.keys.sorted()
    ) { key, _ in unused[key] = nil }
    try SearchIndex.remove(terms: unused.values, in: database)
  }

  private mutating func noteTexts(
    of reports: [RowID<Tables.Reports>], in database: borrowing Connection
  ) throws {
    let columns = Self.textFields.map(\.sqlName).joined(separator: ", ")
    try database.readMany(
      "SELECT \(columns) FROM search_facts WHERE report = ?1",
      reports.map { RowKey($0.sqlValue) }
    ) { _, row in
      // By position: the columns are those of the fields.
      for (index, field) in Self.textFields.enumerated() where row.int(index) != 0 {
        texts[field, default: []].insert(row.int(index))
      }
    }
  }

  /// Deletes texts that only erased reports had.
  private func forgetTexts(in database: borrowing Connection) throws {
    for (field, codes) in texts {
      let list = codes.sorted().map(String.init).joined(separator: ", ")
      let column = field.sqlName
      // No index covers these columns: all are looked up at once.
      let left = Set(
        try Self.numbers(
          """
          SELECT DISTINCT \(column) FROM search_facts WHERE \(column) IN (\(list))
          UNION SELECT DISTINCT \(column) FROM search_past WHERE \(column) IN (\(list))
          """, [], in: database))
      let ids = SearchTerm.ids(of: field)
      try SearchIndex.remove(
        terms: codes.subtracting(left).map { ids.lowerBound + $0 }, in: database)
    }
  }

  /// Deletes tags that only erased reports had.
  private func forgetTags(in database: borrowing Connection) throws {
    var sets = tagSets
    try database.readMany(
      """
      SELECT 1 WHERE EXISTS (SELECT 1 FROM search_facts WHERE tags = ?1)
        OR EXISTS (SELECT 1 FROM search_past WHERE tags = ?1)
      """, sets.sorted().map { RowKey($0.sqlValue) }
    ) { key, _ in if case .integer(let set) = key.values[0] { sets.remove(Int(set)) } }
    let gone = sets.sorted().map { [$0.sqlValue] }
    var terms: Set<Int> = []
    try database.readMany(
      "SELECT term FROM search_set_terms WHERE holder = ?1",
      sets.sorted().map { RowKey($0.sqlValue) }
    ) { _, row in terms.insert(try row.int("term")) }
    try database.runMany("DELETE FROM search_set_terms WHERE holder = ?1", gone)
    try database.runMany("DELETE FROM search_sets WHERE id = ?1", gone)
    try database.readMany(
      "SELECT term FROM search_set_terms WHERE term = ?1 LIMIT 1",
      terms.sorted().map { RowKey($0.sqlValue) }
    ) { _, row in terms.remove(try row.int("term")) }
    try SearchIndex.remove(terms: terms, in: database)
  }
}
