import Database
import TestSupport
import Testing

@testable import CrashStore

/// The index by which each statement finds its rows when reports are stored.
///
/// No home keeps statistics, so that a plan is the same in a home of any size.
@Suite("Plans of the statements that store reports")
struct StoringPlanTests {
  /// Tables with few rows, whatever is stored: numbers, rules, and pending work, one row of which is read;
  /// and the table of one query.
  private static let small: Set = ["arrivals", "redo", "regroup", "rule_sets", "tree"]

  @Test("Each statement uses the expected index, and none reads a whole table")
  func plans() throws {
    var options = Connection.Options()
    options.countsWork = true
    let folder = ScratchFolder()
    let store = try CrashStore(opening: folder.path("home"), options: options)
    var random = SplitMix(seed: 7)
    for first in stride(from: 1, to: 200, by: 50) {
      try store.reports.add(
        (first..<first + 50).map {
          try StoreFixture.prepared("r\($0)", [StoringCostTests.report($0, &random)])
        })
      while try store.groups.settle() {}
    }
    let text = try store.connection.withLock { connection in
      let statistics = try connection.prepare(
        "SELECT 1 FROM sqlite_master WHERE name GLOB 'sqlite_stat*'")
      let isKept = try statistics.step()
      #expect(!isKept)
      var text = ""
      for sql in connection.statementCosts.keys.sorted() where Self.readsOrWrites(sql) {
        text += sql.split { $0 == " " || $0 == "\n" }.joined(separator: " ") + "\n"
        for step in try Self.plan(of: sql, connection) {
          text += "    \(step)\n"
          let words = step.split(separator: " ").map(String.init)
          let isWhole = words.first == "SCAN" && !Self.reads(words, sql)
          #expect(!isWhole, "\(step): \(sql)")
        }
      }
      return text
    }
    #expect(text.split(separator: "\n").count > 60)
    #expect(GoldenFolder().difference(of: text, from: "storing-plans.txt") == nil)
  }

  /// Whether the scanned table is small, or given by the statement.
  private static func reads(_ words: [String], _ sql: String) -> Bool {
    guard words.count > 1 else { return true }
    return small.contains(words[1]) || words.contains("CONSTANT") || words.contains("VIRTUAL")
      || sql.contains("json_each") && words[1] == "json_each"
  }

  private static func readsOrWrites(_ sql: String) -> Bool {
    ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "REPLACE"].contains { sql.hasPrefix($0) }
  }

  private static func plan(of sql: String, _ connection: borrowing Connection) throws -> [String] {
    let rows = try connection.prepare("EXPLAIN QUERY PLAN " + sql)
    var steps: [String] = []
    while try rows.step() { steps.append(rows.text(3)) }
    return steps
  }
}
