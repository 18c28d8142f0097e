internal import Database
internal import Query

/// Looks up groups by their own properties.
enum SearchGroups {
  /// The database rows of the groups for which `test` holds.
  static func rows(
    matching test: QueryTest, _ source: ValueSource, in database: borrowing Connection
  ) throws -> [Int] {
    guard
      let filter = try filter(test, source, in: database)
    else { return [] }
    let rows = try database.prepare(
      "SELECT id FROM groups WHERE redirect IS NULL AND " + filter.sql, filter.values)
    var groups: [Int] = []
    while try rows.step() { try groups.append(rows.int("id")) }
    return groups
  }

  /// A condition on a row of `groups`, with parameters numbered from `first`; `nil` where it can
  /// never hold.
  static func filter(
    _ test: QueryTest, _ source: ValueSource, from first: Int = 1,
    in database: borrowing Connection
  ) throws -> (sql: String, values: [any SQLBindable])? {
    switch (source, test) {
    case (.assignee, .text(let pattern)) where pattern.isAnything:
      return ("groups.assignee IS NOT NULL", [])
    case (_, .text(let pattern)) where pattern.isAnything: return ("true", [])
    case (.state, .text(let pattern)):
      return pattern.exactText.map { ("groups.state = ?\(first)", [$0]) }
    case (.assignee, .absent): return ("groups.assignee IS NULL", [])
    case (.assignee, .text(let pattern)):
      let names = try assignees(pattern, in: database)
      let placeholders = names.indices.map { "?\(first + $0)" }.joined(separator: ", ")
      return names.isEmpty ? nil : ("coalesce(groups.assignee, '') IN (\(placeholders))", names)
    case (.app, .text(let pattern)):
      let apps = try apps(pattern, in: database)
      return apps.isEmpty ? nil : ("groups.app IN (\(list(apps)))", [])
    case (.app, .exact(let name)):
      // By its row: text that ignores letter case may match two apps.
      let app = try database.integer("SELECT id FROM apps WHERE name = ?1", name)
      return app.map { ("groups.app = \($0)", []) }
    case (.group, .text(let pattern)):
      let groups = try groups(pattern, in: database)
      return groups.isEmpty ? nil : ("groups.id IN (\(list(groups)))", [])
    case (_, .number(let bounds)):
      return (range(column(source), bounds.lower, bounds.upper) { String($0) }, [])
    case (_, .time(let bounds)):
      guard let range = SearchCompiler.range(bounds) else { return nil }
      return (
        "groups.\(column(source)) BETWEEN ?\(first) AND ?\(first + 1)",
        [range.lowerBound, range.upperBound]
      )
    default: return nil
    }
  }

  private static func column(_ source: ValueSource) -> String {
    switch source {
    case .firstSeen: "first_seen"
    case .lastSeen: "last_seen"
    default: "\(source)"
    }
  }

  /// Parsed numbers appear literally in the SQL.
  private static func range(
    _ column: String, _ lower: Bounds<Double>.End?, _ upper: Bounds<Double>.End?,
    _ text: (Double) -> String
  ) -> String {
    var tests: [String] = []
    if let lower {
      tests.append("groups.\(column) \(lower.isIncluded ? ">=" : ">") \(text(lower.value))")
    }
    if let upper {
      tests.append("groups.\(column) \(upper.isIncluded ? "<=" : "<") \(text(upper.value))")
    }
    return tests.isEmpty ? "true" : tests.joined(separator: " AND ")
  }

  private static func list(_ numbers: [Int]) -> String {
    numbers.map(String.init).joined(separator: ", ")
  }

  private static func apps(
    _ pattern: TextPattern, in database: borrowing Connection
  ) throws -> [Int] {
    let rows = try database.prepare("SELECT id, name FROM apps ORDER BY id")
    var apps: [Int] = []
    while try rows.step() {
      if try pattern.matches(rows.text("name")) { try apps.append(rows.int("id")) }
    }
    return apps
  }

  /// All assignees of groups that match.
  private static func assignees(
    _ pattern: TextPattern, in database: borrowing Connection
  ) throws -> [String] {
    let rows = try database.prepare(
      "SELECT DISTINCT assignee FROM groups WHERE assignee IS NOT NULL ORDER BY assignee")
    var names: [String] = []
    while try rows.step() {
      if try pattern.matches(rows.text("assignee")) { try names.append(rows.text("assignee")) }
    }
    return names
  }

  /// Groups by name; the name of a merged group finds the one it was merged into.
  private static func groups(
    _ pattern: TextPattern, in database: borrowing Connection
  ) throws -> [Int] {
    if let name = pattern.exactText {
      do {
        return [try CrashStore.Groups.groupRow(named: name, in: database).rawValue]
      } catch is StoreError {
        return []
      }
    }
    let rows = try database.prepare(
      """
      SELECT groups.id, apps.prefix || '-' || groups.number AS group_name
      FROM groups JOIN apps ON apps.id = groups.app WHERE groups.redirect IS NULL
      """)
    var groups: [Int] = []
    while try rows.step() {
      if try pattern.matches(rows.text("group_name")) { try groups.append(rows.int("id")) }
    }
    return groups
  }
}
