internal import CrashModel
internal import Database
internal import Identifiers
internal import Query
internal import ReportDocument
internal import TriageModel

/// Decides which of the reports that programs send are stored in full, and which are only counted: a crash in
/// a loop must not fill the disk.
///
/// Reports of a group and build are stored up to the app's limit per day. Further ones are only counted,
/// unless they have something that the group lacks: symbols of more images than any other, attachments or a
/// dump where no report of that day had any, or evidence of a regression.
struct DailyLimit: ~Copyable {
  /// The default number of reports of a group and build stored per day.
  static let standard = 1_000
  /// The reason in the ledger.
  static let reason = "beyond the daily limit of a group"
  private static let setting = "keep_per_day"

  private struct CountKey: Hashable {
    /// The owner of the count: the group, or an app's key that no report had so far.
    enum Owner: Hashable {
      case group(RowID<Tables.Groups>)
      case key(String, app: String)
    }

    let owner: Owner
    let day: Int
    let version: String
    let build: String
  }

  /// Reports stored for a group, build and day, including those about to be stored.
  private struct DayCount {
    var stored = 0
    var hasAttachments = false
    var hasDumps = false
    /// Highest symbol coverage of the group's reports.
    var symbols = -1
    /// Whether the group has an exemplar.
    var hasExemplar = false

    init() {}

    /// - Parameter rows: A row with ``DailyLimit/columns``.
    init(_ rows: borrowing Statement) throws(DatabaseError) {
      stored = try rows.int("stored")
      hasAttachments = try rows.bool("attachments")
      hasDumps = try rows.bool("dumps")
      symbols = try rows.int("exemplar_symbols")
      hasExemplar = try !rows.text("exemplar").isEmpty
    }

    /// Whether a report has nothing that the group lacks.
    func isEnough(for report: ReportRow, hasAttachments: Bool, limit: Int) -> Bool {
      stored >= limit && hasExemplar && report.symbols.rawValue <= symbols
        && (self.hasAttachments || !hasAttachments) && (hasDumps || !report.isDump)
    }

    mutating func add(_ report: ReportRow, hasAttachments: Bool) {
      stored += 1
      self.hasAttachments = self.hasAttachments || hasAttachments
      hasDumps = hasDumps || report.isDump
      symbols = max(symbols, report.symbols.rawValue)
      hasExemplar = true
    }
  }

  private let rules: SplitRules
  /// Limits by app; `nil` for no limit.
  private var limits: [String: Int?] = [:]
  private var counts: [CountKey: DayCount] = [:]
  private var apps = KnownApps()
  private var states = SubmissionStates()
  /// `nil` where no stored report has the key.
  private var places: [RowKey: Place?] = [:]

  init(_ rules: SplitRules) { self.rules = rules }

  // MARK: Settings

  /// The number of reports of a group and build stored per day by default; `nil` for no limit.
  static func standard(in database: borrowing Connection) throws -> Int? {
    let text = try database.text("SELECT value FROM settings WHERE name = ?1", setting)
    guard let text else { return standard }
    guard let number = Int(text), number >= 0 else {
      throw StoreError.damaged("the setting \(setting) is '\(text)'")
    }
    return number == 0 ? nil : number
  }

  static func set(_ number: Int, in database: borrowing Connection) throws {
    try database.run(
      """
      INSERT INTO settings (name, value) VALUES (?1, ?2)
      ON CONFLICT (name) DO UPDATE SET value = excluded.value
      """, setting, String(number))
  }

  /// The limit that applies to an app; `nil` for no limit.
  static func limit(
    of app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> Int? {
    let own = try database.integer("SELECT keep_per_day FROM apps WHERE id = ?1", app)
    guard let own else { return try standard(in: database) }
    return own == 0 ? nil : own
  }

  // MARK: Before anything is written

  /// Where the reports of a key and a day are counted.
  private struct Place {
    let group: RowID<Tables.Groups>
    let origin: RowID<Tables.Origins>
    /// Whether rules move some reports on to other groups.
    let isSplit: Bool
    let count: DayCount

    init(_ rows: borrowing Statement) throws(DatabaseError) {
      group = try rows.id("grp")
      origin = try rows.id("origin")
      isSplit = try rows.bool("is_split")
      count = try DayCount(rows)
    }
  }

  /// Reads what ``counted(of:hasAttachments:in:)`` needs of many submissions at a time.
  mutating func read(
    _ submissions: [PreparedSubmission], in database: borrowing Connection
  ) throws {
    let owned = try apps.owned(submissions, in: database)
    states = try SubmissionStates.read(owned, in: database)
    var wanted: Set<RowKey> = []
    for (submission, app) in owned where states[submission, app] == .new {
      guard try limit(of: submission.app, row: app, in: database) != nil else { continue }
      for report in submission.reports {
        wanted.insert(Self.key(of: report, day: submission.received.day, app: app))
      }
    }
    for key in wanted { places[key] = .some(nil) }
    try database.readMany(Self.byKey, wanted) { key, row in places[key] = try Place(row) }
  }

  /// The parameters of ``byKey``.
  private static func key(of report: ReportRow, day: Int, app: RowID<Tables.Apps>) -> RowKey {
    RowKey(
      report.signature.key.sqlValue, day.sqlValue, report.version.sqlValue,
      report.build.sqlValue, app.sqlValue)
  }

  private func place(
    of report: ReportRow, day: Int, app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> Place? {
    let key = Self.key(of: report, day: day, app: app)
    if let known = places[key] { return known }
    let rows = try database.prepare(Self.byKey, key.values)
    return try rows.step() ? Place(rows) : nil
  }

  /// Returns which reports of a submission are only to be counted, if the submission is new.
  ///
  /// - Parameter hasAttachments: Whether it has attachments.
  mutating func counted(
    of submission: PreparedSubmission, hasAttachments: Bool, in database: borrowing Connection
  ) throws -> [Bool] {
    let none = submission.reports.map { _ in false }
    let app = try apps.find(submission.app, in: database)?.row
    guard let limit = try limit(of: submission.app, row: app, in: database) else { return none }
    if let app {
      let state =
        try states[submission, app]
        ?? CrashStore.Reports.status(submission.digest, app: app, in: database)
      if state != .new { return none }
    }
    return try submission.reports.map { report in
      try isCounted(
        report, of: submission, app: app, limit: limit, hasAttachments: hasAttachments, in: database
      )
    }
  }

  private mutating func limit(
    of app: String, row: RowID<Tables.Apps>?, in database: borrowing Connection
  ) throws -> Int? {
    if let known = limits[app] { return known }
    let limit =
      try row.map { try Self.limit(of: $0, in: database) } ?? Self.standard(in: database)
    limits[app] = .some(limit)
    return limit
  }

  private static let columns = """
    groups.id AS grp, origins.id AS origin, exemplar, exemplar_symbols,
      coalesce(intake.stored, 0) AS stored, coalesce(intake.attachments, 0) AS attachments,
      coalesce(intake.dumps, 0) AS dumps,
      EXISTS (SELECT 1 FROM origins AS part
        WHERE part.parent IS NOT NULL AND part.parent = origins.id AND part.rule IS NOT NULL)
        AS is_split
    """
  private static let tables = """
    JOIN groups ON groups.id = origins.grp
    LEFT JOIN group_intake AS intake ON intake.day = ?2 AND intake.grp = groups.id
      AND intake.version = ?3 AND intake.build = ?4
    """
  static let byKey = """
    SELECT \(columns) FROM group_keys AS main JOIN origins ON origins.id = main.origin \(tables)
    WHERE main.app = ?5 AND main.key = ?1 AND \(KeysTable.isLive)
    """
  private static let byOrigin = "SELECT \(columns) FROM origins \(tables) WHERE origins.id = ?1"

  private mutating func isCounted(
    _ report: ReportRow, of submission: PreparedSubmission, app: RowID<Tables.Apps>?, limit: Int,
    hasAttachments: Bool, in database: borrowing Connection
  ) throws -> Bool {
    let (countKey, known) = try countKey(of: report, in: submission, app: app, in: database)
    var tally = counts[countKey] ?? known
    var isCounted = tally.isEnough(for: report, hasAttachments: hasAttachments, limit: limit)
    if isCounted, case .group(let group) = countKey.owner, let app,
      try Self.showsRegression(report, in: group, app: app, in: database)
    {
      isCounted = false
    }
    if !isCounted { tally.add(report, hasAttachments: hasAttachments) }
    counts[countKey] = tally
    return isCounted
  }

  /// The key under which a report is counted, and the reports already stored under it.
  private func countKey(
    of report: ReportRow, in submission: PreparedSubmission, app: RowID<Tables.Apps>?,
    in database: borrowing Connection
  ) throws -> (countKey: CountKey, known: DayCount) {
    let day = submission.received.day
    func countKey(_ owner: CountKey.Owner) -> CountKey {
      CountKey(owner: owner, day: day, version: report.version, build: report.build)
    }
    let key = report.signature.key
    // A key that no report had opens a group, or shows something new about one.
    let new = (countKey: countKey(.key(key, app: submission.app)), known: DayCount())
    guard let app, let place = try place(of: report, day: day, app: app, in: database) else {
      return new
    }
    if place.isSplit, let keyed = try Origin.find(place.origin, in: database) {
      let origin = try rules.follow(from: keyed, in: database) {
        try submission.values(of: report)
      }
      if origin != keyed {
        let rows = try database.prepare(
          Self.byOrigin, [origin.id, day, report.version, report.build])
        guard try rows.step() else { return new }
        let place = try Place(rows)
        return (countKey(.group(place.group)), place.count)
      }
    }
    return (countKey(.group(place.group)), place.count)
  }

  private static func showsRegression(
    _ report: ReportRow, in group: RowID<Tables.Groups>, app: RowID<Tables.Apps>,
    in database: borrowing Connection
  ) throws -> Bool {
    let status = try GroupStatus.read(group, in: database)
    guard status.state == .resolved, let fix = status.fix, let time = status.time else {
      return false
    }
    return try Regression.shown(
      by: report.counted, against: fix, resolved: time, app: app, in: database) != nil
  }

  // MARK: In the transaction

  /// Records that reports received on a day got attachments.
  static func noteAttachments(
    ofSubmission digest: [UInt8], app: RowID<Tables.Apps>, day: Int,
    in database: borrowing Connection
  ) throws {
    try database.run(
      """
      UPDATE group_intake SET attachments = 1
      WHERE day = ?3 AND attachments = 0 AND (grp, version, build) IN (
        SELECT reports.grp, reports.version, reports.build
        FROM submissions JOIN reports ON reports.submission = submissions.id
        WHERE submissions.app = ?1 AND submissions.digest = ?2)
      """, app, digest, day)
  }

  /// Whether a dump of a stored report would add to its group: no report of the same build received on the
  /// same day is a dump or has attachments.
  static func lacksDump(
    _ report: String, in database: borrowing Connection
  ) throws -> Bool {
    let rows = try database.prepare(
      """
      SELECT intake.attachments, intake.dumps, reports.received FROM reports
      JOIN group_intake AS intake ON intake.day = reports.received / 86400000000
        AND intake.grp = reports.grp AND intake.version = reports.version
        AND intake.build = reports.build
      WHERE reports.name = ?1
      """, [report])
    return try rows.step() && !rows.bool("attachments") && !rows.bool("dumps")
  }
}

/// Thrown when a report that was to be only counted has to be stored: its contents have to be written first.
struct CountedReportIsNeeded: Error {}

extension ReportRow {
  /// Whether it contains memory of the process.
  var isDump: Bool { Self.dumps.contains(format) }

  private static let dumps: Set = ["minidump", "elf-core"]
}

extension PreparedSubmission {
  /// The values of one of its reports that rules can test; `nil` where its document cannot be read.
  func values(of report: ReportRow) throws -> ReportValues? {
    guard let content = contents.first(where: { $0.digest == report.document }) else { return nil }
    return try StoreError.unlessDamaged {
      ReportValues(
        try StoredReport(document: content.unpacked(report.id)).report, id: report.id, app: app,
        time: report.time, received: report.received, source: source)
    }
  }
}
