internal import Database

extension AlertsTable {
  /// Numbers of lines of the histories or of the news, by the row number of their app in `mayday.db`.
  ///
  /// Lines of an app are committed in the order of their numbers; those of several apps may not be. All lines of
  /// an app without a mark are new.
  public typealias AppMarks = [Int: Int]

  /// The progress of the checks.
  public enum Mark: String, Sendable {
    /// The last lines read of the group histories.
    case history
    /// The last lines read of the news of releases and testers.
    case news
    /// When conditions were last checked, in microseconds since 1970.
    case conditions
  }

  /// The value in `alert_marks` of a mark that is in `alert_app_marks`, for each app.
  private static let perApp = -1

  /// When conditions were last checked, in microseconds since 1970; `nil` before the first check.
  public func lastConditions() throws -> Int? {
    try store.read { try Self.value(of: .conditions, in: $0) }
  }

  /// Returns the last line that was read of each app; `nil` before the first check.
  ///
  /// - Parameter ends: The last line of each app, needed once after an upgrade: earlier versions stored one
  ///   mark for all apps.
  /// - Throws: `DatabaseError`; errors of `ends`.
  public func marks(_ kind: Mark, ends: () throws -> AppMarks) throws -> AppMarks? {
    let (value, marks) = try store.read { database in
      (try Self.value(of: kind, in: database), try Self.appMarks(kind, in: database))
    }
    guard value != nil, marks == nil else { return marks }
    let last = try ends()
    return try store.write { database in
      try Self.divide(kind, among: last, in: database)
      return try Self.appMarks(kind, in: database)
    }
  }

  static func value(of mark: Mark, in database: borrowing Connection) throws -> Int? {
    try database.integer("SELECT value FROM alert_marks WHERE name = ?1", mark.rawValue)
  }

  /// Returns the last line that was read of each app; `nil` before the first check, and for the mark of an
  /// earlier version.
  static func appMarks(_ kind: Mark, in database: borrowing Connection) throws -> AppMarks? {
    guard try value(of: kind, in: database) == perApp else { return nil }
    let rows = try database.prepare(
      "SELECT app, value FROM alert_app_marks WHERE rule = 0 AND name = ?1", [kind.rawValue])
    var marks: AppMarks = [:]
    while try rows.step() { try marks[rows.int("app")] = rows.int("value") }
    return marks
  }

  /// Returns what each rule ignores, by its number.
  static func ruleMarks(in database: borrowing Connection) throws -> [Int: AppMarks] {
    let rows = try database.prepare(
      "SELECT rule, app, value FROM alert_app_marks WHERE rule > 0")
    var marks: [Int: AppMarks] = [:]
    while try rows.step() {
      try marks[rows.int("rule"), default: [:]][rows.int("app")] = rows.int("value")
    }
    return marks
  }

  static func setMark(_ mark: Mark, _ value: Int, in database: borrowing Connection) throws {
    try database.insert(
      into: "alert_marks", ["name": mark.rawValue, "value": value],
      onConflict: "ON CONFLICT (name) DO UPDATE SET value = excluded.value")
  }

  /// Sets the last line that was read of each app; no rule ignores any other.
  static func setMarks(
    _ kind: Mark, _ marks: AppMarks, in database: borrowing Connection
  ) throws {
    try setMark(kind, perApp, in: database)
    try database.run("DELETE FROM alert_app_marks WHERE name = ?1", kind.rawValue)
    try insert(marks, of: kind, rule: 0, in: database)
  }

  /// Changes the last line that was read of each app.
  static func change(
    _ kind: Mark, from former: AppMarks, to marks: AppMarks, in database: borrowing Connection
  ) throws {
    for app in Set(former.keys).union(marks.keys).sorted() where former[app] != marks[app] {
      // The rules' own marks are no longer needed for lines that were read or deleted. Where a former state of
      // `mayday.db` was restored, its next lines have lower numbers.
      let isShorter = (marks[app] ?? 0) < (former[app] ?? 0)
      try database.run(
        "DELETE FROM alert_app_marks WHERE name = ?1 AND app = ?2 AND (rule = 0 OR value <= ?3)",
        kind.rawValue, app, isShorter ? Int.max : marks[app] ?? 0)
      if let mark = marks[app] { try insert([app: mark], of: kind, rule: 0, in: database) }
    }
  }

  static func insert(
    _ marks: AppMarks, of kind: Mark, rule: Int, in database: borrowing Connection
  ) throws {
    for (app, value) in marks.sorted(by: { $0.key < $1.key }) {
      try database.insert(
        into: "alert_app_marks",
        ["rule": rule, "name": kind.rawValue, "app": app, "value": value])
    }
  }

  /// Replaces the mark of an earlier version, which was one for all apps: all lines up to it were read, and a
  /// rule ignores all lines up to its own.
  static func divide(
    _ kind: Mark, among ends: AppMarks, in database: borrowing Connection
  ) throws {
    guard let former = try value(of: kind, in: database), former != perApp else { return }
    let read = ends.mapValues { min($0, former) }.filter { $0.value > 0 }
    try setMarks(kind, read, in: database)
    var rules: [(number: Int, mark: Int)] = []
    do {
      let rows = try database.prepare("SELECT id, kind, mark FROM alert_rules ORDER BY id")
      while try rows.step() {
        guard let rule = AlertRule.Kind(rawValue: try rows.text("kind")),
          rule.isAboutDistribution == (kind == .news)
        else { continue }
        try rules.append((rows.int("id"), rows.int("mark")))
      }
    }
    for rule in rules where rule.mark > former {
      let later = ends.filter { $0.value > former }.mapValues { min($0, rule.mark) }
      try insert(later, of: kind, rule: rule.number, in: database)
    }
  }
}
