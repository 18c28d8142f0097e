internal import CrashModel
internal import Database
internal import Identifiers

/// Rows of reports that are about to be stored: each table's are written with one statement.
///
/// The value knows no database. Nothing may read these tables before they are written.
struct NewRows {
  private var submissions: [SQLValue] = []
  private var reports: [SQLValue] = []
  private var stacks: [RowKey: [SQLValue]] = [:]
  private var builds: [RowKey: [SQLValue]] = [:]
  private var keyStacks = RowSums()
  private var waiting: [(image: Int, report: Int, decides: Bool, isNamed: Bool)] = []
  private var uses: [(image: Int, report: Int)] = []
  private var missing: [MissingTable.Key: MissingTable.Counts] = [:]
  private var redo: [RowID<Tables.Reports>: (app: RowID<Tables.Apps>, rules: Int?)] = [:]
  private var intake = DailyCounts()

  var isEmpty: Bool {
    submissions.isEmpty && reports.isEmpty && waiting.isEmpty && uses.isEmpty && redo.isEmpty
      && intake.isEmpty && stacks.isEmpty
  }

  mutating func add(
    _ submission: PreparedSubmission, row: RowID<Tables.Submissions>, app: RowID<Tables.Apps>
  ) {
    submissions += [
      row.sqlValue, app.sqlValue, submission.digest.sqlValue, submission.source.sqlValue,
      submission.received.microseconds.sqlValue, submission.byteCount.sqlValue,
      submission.problem.sqlValue, submission.isAppGiven.sqlValue,
    ]
  }

  mutating func add(
    _ report: ReportRow, row: RowID<Tables.Reports>, _ owners: ReportOwners, position: Int,
    found: MatchReason
  ) {
    let signature = report.signature
    reports += [
      row.sqlValue, report.id.sqlValue, owners.submission.sqlValue, position.sqlValue,
      owners.app.sqlValue, owners.origin.group.sqlValue, report.format.sqlValue,
      report.kind.rawValue.sqlValue, report.version.sqlValue, report.build.sqlValue,
    ]
    reports += [
      report.time.microseconds.sqlValue, report.received.microseconds.sqlValue,
      report.os.sqlValue, report.device.sqlValue, report.install.sqlValue, report.person.sqlValue,
      report.session.sqlValue, report.time.microseconds.sqlValue, report.reason.sqlValue,
    ]
    reports += [
      signature.text.sqlValue, signature.key.sqlValue, signature.category.rawValue.sqlValue,
      signature.rules.sqlValue, signature.isProvisional.sqlValue,
      report.symbols.rawValue.sqlValue, report.document.sqlValue, found.word.sqlValue,
      found.detail.sqlValue, owners.origin.id.sqlValue, report.variant.sqlValue,
    ]
  }

  /// Adds a report's stack, which no stored report may have.
  mutating func addStack(of report: ReportRow, app: RowID<Tables.Apps>) {
    let key = RowKey(app.sqlValue, report.variant.sqlValue)
    guard stacks[key] == nil else { return }
    stacks[key] = [report.stack.type.sqlValue, StacksTable.text(of: report.stack).sqlValue]
  }

  /// Notes that a build has a key.
  ///
  /// - Parameter key: The app, the key and the name of the build.
  mutating func addBuild(_ key: RowKey) {
    builds[key] = [.integer(0), KeysTable.ofBuild.sqlValue]
  }

  /// Counts one more report with a stack of a key that has it.
  ///
  /// - Parameter key: The app, the key and the stack.
  mutating func addReport(toKeyStack key: RowKey) { keyStacks.add(1, to: key) }

  /// Notes that a report lacks the debug file of an image.
  mutating func addWaiting(
    _ image: ImageRow, number: Int, report: RowID<Tables.Reports>, group: RowID<Tables.Groups>
  ) {
    waiting.append((number, report.rawValue, image.decides, image.isNamed))
    guard !image.isNamed else { return }
    missing[MissingTable.Key(group: group, image: number), default: MissingTable.Counts()]
      .add(isDeciding: image.decides)
  }

  /// Notes that a report uses the debug file of an image.
  mutating func addUse(ofImage number: Int, report: RowID<Tables.Reports>) {
    uses.append((number, report.rawValue))
  }

  /// Marks a report for reprocessing, for a debug file that has arrived.
  mutating func addNews(for report: RowID<Tables.Reports>, of app: RowID<Tables.Apps>) {
    redo[report] = (app, nil)
  }

  /// Marks a report for reprocessing with rules, unless it is marked for a debug file.
  mutating func addRules(
    _ number: Int, for report: RowID<Tables.Reports>, of app: RowID<Tables.Apps>
  ) {
    if redo[report] == nil { redo[report] = (app, number) }
  }

  /// Counts a report for the daily limit of its group.
  mutating func count(
    _ report: ReportRow, day: Int, hasAttachments: Bool, in group: RowID<Tables.Groups>
  ) {
    intake.add(report, day: day, hasAttachments: hasAttachments, in: group)
  }

  /// Writes the rows, and forgets them.
  mutating func write(to database: borrowing Connection) throws {
    guard !isEmpty else { return }
    try database.insertMany(
      into: "submissions",
      columns: ["id", "app", "digest", "source", "received", "bytes", "problem", "app_given"],
      submissions)
    try database.insertMany(
      into: "reports",
      columns: [
        "id", "name", "submission", "position", "app", "grp", "format", "kind", "version",
        "build", "time", "received", "os", "device", "install", "person", "session", "happened",
        "reason", "signature", "key", "category", "rules", "provisional", "symbols", "document",
        "found_by", "found_detail", "origin", "variant",
      ], reports)
    try database.insertMany(
      into: "stacks", columns: ["app", "variant", "type", "calls"], Self.rows(stacks),
      onConflict: "ON CONFLICT DO NOTHING")
    try database.insertMany(
      into: "key_readings", columns: ["app", "key", "reading", "position", "weak"],
      Self.rows(builds), onConflict: "ON CONFLICT DO NOTHING")
    try database.runMany(
      "UPDATE key_stacks SET reports = reports + ?4 WHERE app = ?1 AND key = ?2 AND variant = ?3",
      keyStacks.sorted.map { $0.key.values + [$0.amount.sqlValue] })
    try database.insertMany(
      into: "waiting", columns: ["image", "report", "decides", "named"],
      waiting.sorted { ($0.image, $0.report) < ($1.image, $1.report) }.flatMap {
        [$0.image.sqlValue, $0.report.sqlValue, $0.decides.sqlValue, $0.isNamed.sqlValue]
      })
    try database.insertMany(
      into: "uses", columns: ["image", "report"],
      uses.sorted { $0 < $1 }.flatMap { [$0.image.sqlValue, $0.report.sqlValue] },
      onConflict: "ON CONFLICT DO NOTHING")
    try MissingTable.add(missing, to: database)
    try database.insertMany(
      into: "redo", columns: ["app", "report", "rule_set"],
      redo.sorted { $0.key < $1.key }.flatMap { report, reason in
        [reason.app.sqlValue, report.sqlValue, reason.rules.sqlValue]
      },
      onConflict: "ON CONFLICT (report) DO UPDATE SET rule_set = excluded.rule_set")
    try intake.write(to: database)
    self = NewRows()
  }

  /// The values of rows in the order of their keys.
  private static func rows(_ rows: [RowKey: [SQLValue]]) -> [SQLValue] {
    rows.sorted { $0.key < $1.key }.flatMap { $0.key.values + $0.value }
  }
}

/// The rows that own a stored report.
struct ReportOwners {
  let app: RowID<Tables.Apps>
  let submission: RowID<Tables.Submissions>
  let origin: Origin
}
