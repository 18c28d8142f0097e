internal import Database
internal import Identifiers
internal import Query

/// Translates the conditions of a query into conditions on numbers, by testing the existing values
/// instead of the reports.
struct SearchCompiler: ~Copyable {
  /// Number of terms from which sets are read sequentially.
  private static let manyTerms = 500

  /// - Throws: `DatabaseError`.
  func compile(
    _ query: Query, in database: borrowing Connection
  ) throws -> [CompiledCondition] {
    var conditions: [CompiledCondition] = []
    for condition in query.conditions {
      var checks: [SearchCheck] = []
      for alternative in condition.alternatives {
        checks += try self.checks(of: alternative, tag: condition.field.tag, in: database)
      }
      conditions.append(CompiledCondition(isNegated: condition.isNegated, checks: checks))
    }
    return conditions
  }

  private func checks(
    of alternative: Condition.Alternative, tag: String?, in database: borrowing Connection
  ) throws -> [SearchCheck] {
    var checks: [SearchCheck] = []
    for source in alternative.sources {
      if let check = try check(alternative.test, source, tag: tag, in: database) {
        checks.append(check)
      }
    }
    return checks
  }

  private func check(
    _ test: QueryTest, _ source: ValueSource, tag: String?, in database: borrowing Connection
  ) throws -> SearchCheck? {
    switch source {
    case .app, .group, .state, .assignee, .reports, .installs, .versions, .firstSeen, .lastSeen:
      return .codes(
        .group, CodeSet(try SearchGroups.rows(matching: test, source, in: database)))
    case .id: return .rows(try reports(test, by: "name", in: database))
    case .variant: return .rows(try reports(test, by: "variant", in: database))
    case .attachment: return .rows(try reports(withAttachment: test, in: database))
    case .install:
      guard case .exact(let text) = test else { return .codes(.install, CodeSet([0])) }
      let number = SearchEntry.install(ReportRow.hash(ofInstall: text))
      return .range(.install, number...number)
    case .incident: return .rows(try reports(ofIncident: test, in: database))
    case .time, .received:
      guard case .time(let bounds) = test, let range = Self.range(bounds) else { return nil }
      return .range(source == .time ? .time : .received, range)
    case .uptime:
      guard case .number(let bounds) = test else { return .codes(.uptime, CodeSet([0])) }
      return .uptime(bounds)
    default:
      guard let field = SearchField(source) else { return nil }
      if field.isShape { return try shapes(test, field, in: database) }
      if let column = field.set {
        return .codes(column, try sets(test, field, tag: tag, in: database))
      }
      return .codes(field, try codes(test, field, in: database))
    }
  }

  // MARK: Terms

  private func codes(
    _ test: QueryTest, _ field: SearchField, in database: borrowing Connection
  ) throws -> CodeSet {
    if test == .absent { return CodeSet([0]) }
    if case .text(let pattern) = test, pattern.isAnything { return CodeSet(allBut: [0]) }
    return CodeSet(try SearchTerms.ids(test, field, in: database).map(SearchTerm.code))
  }

  /// Sets that contain a matching term.
  private func sets(
    _ test: QueryTest, _ field: SearchField, tag: String?, in database: borrowing Connection
  ) throws -> CodeSet {
    if test == .absent {
      let any = QueryTest.text(.anything)
      let terms = try terms(any, field, tag: tag, in: database)
      var holders = CodeSet(allBut: [])
      try eachSet(holding: terms, field, in: database) { holders.insert($0) }
      return holders
    }
    var holders = CodeSet()
    let terms = try terms(test, field, tag: tag, in: database)
    try eachSet(holding: terms, field, in: database) { holders.insert($0) }
    return holders
  }

  /// The matching terms; `nil` for all of the field.
  private func terms(
    _ test: QueryTest, _ field: SearchField, tag: String?, in database: borrowing Connection
  ) throws -> [Int]? {
    if field == .tag { return try SearchTerms.tags(test, tag ?? "", in: database) }
    if case .text(let pattern) = test, pattern.isAnything { return nil }
    return try SearchTerms.ids(test, field, in: database)
  }

  private func eachSet(
    holding terms: [Int]?, _ field: SearchField, in database: borrowing Connection,
    _ body: (Int) -> Void
  ) throws {
    if let terms, terms.count < Self.manyTerms {
      for term in terms {
        let rows = try database.prepare(
          "SELECT holder FROM search_set_terms WHERE term = ?1", [term])
        while try rows.step() { try body(rows.int("holder")) }
      }
      return
    }
    let all = SearchTerm.ids(of: field)
    let wanted = terms.map { CodeSet($0.map { $0 - all.lowerBound }) }
    let rows = try database.prepare("SELECT id, members FROM search_sets")
    while try rows.step() {
      let holds = try rows.withBlob("members") { members in
        SearchSet.contains(in: members) { member in
          all.contains(member) && wanted?.contains(member - all.lowerBound) ?? true
        }
      }
      if holds { try body(rows.int("id")) }
    }
  }

  /// Checks a text itself only where its shape does not decide whether it matches.
  private func shapes(
    _ test: QueryTest, _ field: SearchField, in database: borrowing Connection
  ) throws -> SearchCheck {
    guard case .text(let pattern) = test, !pattern.isAnything else {
      return .codes(field, try codes(test, field, in: database))
    }
    let isFixed = !pattern.hasSingles && pattern.literals.allSatisfy(TextShape.isOutsideNumbers)
    if isFixed {
      return .codes(field, try codes(test, field, in: database))
    }
    let shapes = try SearchTerms.shapes(pattern, field, in: database)
    return .text(field, CodeSet(shapes.map(SearchTerm.code)), test)
  }

  /// Reports by the prefix of their ids, or of the ids of their stacks.
  private func reports(
    _ test: QueryTest, by column: String, in database: borrowing Connection
  ) throws -> CodeSet {
    guard case .text(let pattern) = test else { return CodeSet() }
    let start = pattern.start
    var found = CodeSet()
    // Ids are hexadecimal digits, all of which come before "g".
    let rows = try database.prepare(
      """
      SELECT id, \(column) AS value FROM reports WHERE \(column) >= ?1 AND \(column) < ?1 || 'g'
      """, [start])
    while try rows.step() {
      if try pattern.matches(rows.text("value")) { try found.insert(rows.int("id")) }
    }
    return found
  }

  /// Reports by the reporter's own id for what happened.
  private func reports(
    ofIncident test: QueryTest, in database: borrowing Connection
  ) throws -> CodeSet {
    var found = test == .absent ? CodeSet(allBut: []) : CodeSet()
    let rows: Statement
    if case .exact(let name) = test {
      rows = try database.prepare(
        "SELECT report FROM search_incidents WHERE hash = ?1", [SearchEntry.incident(name)])
    } else {
      rows = try database.prepare("SELECT report FROM search_incidents")
    }
    while try rows.step() { try found.insert(rows.int("report")) }
    return found
  }

  /// Reports by the names of their attachments.
  private func reports(
    withAttachment test: QueryTest, in database: borrowing Connection
  ) throws -> CodeSet {
    if test == .absent {
      let rows = try database.prepare("SELECT DISTINCT report FROM attachments")
      var found = CodeSet(allBut: [])
      while try rows.step() { try found.insert(rows.int("report")) }
      return found
    }
    var names: [String] = []
    do {
      let rows = try database.prepare("SELECT DISTINCT name FROM attachments")
      while try rows.step() {
        if try test.matches(rows.text("name")) { try names.append(rows.text("name")) }
      }
    }
    var found = CodeSet()
    for name in names {
      let rows = try database.prepare("SELECT report FROM attachments WHERE name = ?1", [name])
      while try rows.step() { try found.insert(rows.int("report")) }
    }
    return found
  }

  // MARK: Ranges

  /// Microseconds within `bounds`; `nil` when there are none.
  static func range(_ bounds: Bounds<Timestamp>) -> ClosedRange<Int>? {
    var lower = Int.min
    var upper = Int.max
    if let end = bounds.lower {
      let isBetween = end.value.nanoseconds % 1000 != 0
      lower = end.value.microseconds + (isBetween || !end.isIncluded ? 1 : 0)
    }
    if let end = bounds.upper {
      let isBetween = end.value.nanoseconds % 1000 != 0
      upper = end.value.microseconds - (isBetween || end.isIncluded ? 0 : 1)
    }
    return lower <= upper ? lower...upper : nil
  }
}
