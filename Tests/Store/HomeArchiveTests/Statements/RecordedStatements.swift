import Glibc
import TestSupport

/// Statements that the program built while the tests of the store ran: `Golden/statements.sql`, written by
/// `make statements`.
enum RecordedStatements {
  private static let path =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
    .joined(separator: "/") + "/Golden/statements.sql"

  /// The most that are stored of each statement of the source, of different lengths.
  private static let share = 6

  static func all() throws -> [String] { try lines(of: path) }

  private static func lines(of path: String) throws -> [String] {
    String(decoding: try SourceStatement.text(path), as: UTF8.self).split(separator: "\n")
      .map(String.init)
  }

  /// Statements that a test run has recorded, if the list is to be renewed.
  static let source: String? = getenv("MAYDAY_STATEMENTS").map { String(cString: $0) }

  /// Renews the list.
  ///
  /// - Parameters:
  ///   - others: Statements of the tests themselves.
  ///   - isKnown: Whether a statement can be prepared: tests have tables of their own.
  static func renew(
    from source: String, for patterns: Set<StatementPattern>, except others: [StatementPattern],
    where isKnown: (String) -> Bool
  ) throws {
    let recorded = Set(try lines(of: source)).sorted().filter { statement in
      !others.contains { $0.matches(statement) }
    }
    var kept: Set<String> = []
    for pattern in patterns {
      var found = recorded.filter(pattern.matches)
      if found.isEmpty { found = recorded.filter(pattern.isPart) }
      let shapes = Dictionary(grouping: found.filter(isKnown)) { statement in
        String(statement.map { $0.isNumber ? "0" : $0 })
      }
      let different = shapes.values.map { $0[0] }.sorted {
        ($0.utf8.count, $0) < ($1.utf8.count, $1)
      }
      let step = max(1, (different.count + share - 1) / share)
      for index in stride(from: 0, to: different.count, by: step) { kept.insert(different[index]) }
    }
    guard let file = fopen(path, "w") else { throw StatementListError.unreadable(path) }
    defer { fclose(file) }
    for statement in kept.sorted() { fputs(statement + "\n", file) }
  }
}
