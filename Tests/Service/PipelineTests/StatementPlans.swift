import Database

/// SQLite's plans for statements: the index by which each finds its rows.
struct StatementPlans {
  /// A step that reads a whole table or sorts, and may.
  struct Allowance: Sendable {
    fileprivate let step: String
    fileprivate let statement: String

    /// - Parameters:
    ///   - step: How the step begins.
    ///   - statement: A part of its statement; empty for all statements.
    ///   - reason: Why it costs little in a home of any size.
    init(_ step: String, in statement: String = "", because reason: String) {
      (self.step, self.statement) = (step, statement)
      precondition(!reason.isEmpty)
    }
  }

  /// The steps of each statement, by its SQL with one space between words.
  private var steps: [String: [String]] = [:]

  /// - Parameter statements: What ran on the connection; anything but reading and writing is left out.
  init(
    of statements: some Sequence<String>, on connection: borrowing Connection
  ) throws {
    for sql in statements where Self.readsOrWrites(sql) {
      let rows = try connection.prepare("EXPLAIN QUERY PLAN " + sql)
      var found: [String] = []
      while try rows.step() { found.append(rows.text(3)) }
      steps[sql.split { $0 == " " || $0 == "\n" }.joined(separator: " ")] = found
    }
  }

  private static func readsOrWrites(_ sql: String) -> Bool {
    ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "REPLACE"].contains { sql.hasPrefix($0) }
  }

  var count: Int { steps.count }

  /// The statements in order, each with its steps, and with those of `other` where they differ.
  ///
  /// - Parameter title: What is said before those of `other`.
  func text(besides other: StatementPlans, _ title: String) -> String {
    var text = ""
    for (sql, found) in steps.sorted(by: { $0.key < $1.key }) {
      text += sql + "\n"
      for step in found { text += "    \(step)\n" }
      if let others = other.steps[sql], others != found {
        text += "  \(title):\n"
        for step in others { text += "    \(step)\n" }
      }
    }
    return text
  }

  /// The steps that read a whole table, sort, or make an index for one run, and allowances for none.
  static func faults(
    of plans: [StatementPlans], allowing allowances: [Allowance]
  ) -> [String] {
    var faults: Set<String> = []
    var unused = Set(allowances.indices)
    for (sql, found) in plans.flatMap(\.steps) {
      for step in found where isDear(step) {
        let allowed = allowances.indices.filter {
          step.hasPrefix(allowances[$0].step)
            && (allowances[$0].statement.isEmpty || sql.contains(allowances[$0].statement))
        }
        if allowed.isEmpty { faults.insert("\(step): \(sql)") }
        unused.subtract(allowed)
      }
    }
    return faults.sorted()
      + unused.sorted().map { "\(allowances[$0].step), \(allowances[$0].statement): is not there" }
  }

  private static func isDear(_ step: String) -> Bool {
    if step.contains("AUTOMATIC") || step.contains("TEMP B-TREE") { return true }
    // Rows that the statement holds, and what a module of SQLite finds by itself.
    return step.hasPrefix("SCAN") && !step.contains("CONSTANT") && !step.contains("VIRTUAL TABLE")
  }
}

extension StatementPlans {
  /// Gives a database the statistics of another one, for connections that are opened later.
  ///
  /// - Parameter text: A line for each index, with tabs between table, index and numbers: the rows of
  ///   `sqlite_stat1` after `ANALYZE`.
  static func setStatistics(
    _ text: String, of connection: borrowing Connection
  ) throws {
    try connection.execute("ANALYZE; DELETE FROM sqlite_stat1;")
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 3 else { throw StatisticsError.line(String(line)) }
      try connection.run(
        "INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?1, nullif(?2, ''), ?3)", fields[0],
        fields[1], fields[2])
    }
  }
}

enum StatisticsError: Error {
  case line(String)
}
