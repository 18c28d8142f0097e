import Bytes
import CrashModel
import Database
import ReportDocument
import Testing
import TriageModel

@testable import CrashStore

/// A store for tests of actions: reports with readable documents, and dumps of its tables.
extension StoreFixture {
  /// Stores a report with its document.
  @discardableResult
  func add(_ name: String, _ report: CrashReport) throws -> Receipt.StoredUnder {
    try Self.add(name, report, to: store)
  }

  @discardableResult
  static func add(
    _ name: String, _ report: CrashReport, to store: CrashStore
  ) throws -> Receipt.StoredUnder {
    let id = ReportID.ids(of: ByteView(name.utf8), app: "Tern", count: 1)[0]
    let submission = Submission(
      bytes: ByteView(name.utf8), source: name, received: start, app: "Tern")
    let document = ByteView(report.document(id: id, received: start))
    return try store.reports.add(submission, reports: [(report, document)]).reports[0]
  }

  /// Reprocesses reports, with documents.
  func reprocess(_ reports: [(id: String, report: CrashReport)]) throws {
    try ask(for: reports.map(\.id))
    try store.reports.replace(
      reports.map { id, report in
        .replaced(
          try PreparedReplacement(
            of: id, received: Self.start, by: report,
            document: ByteView(report.document(id: id, received: Self.start)), arrivals: .max))
      })
    while try store.groups.settle() {}
  }

  func state(_ group: String) throws -> GroupState { try store.groups.get(group).state }

  /// The lines of a group's history, as `event detail`.
  func lines(_ group: String) throws -> [String] {
    try store.groups.history(ofGroup: group).map { "\($0.event) \($0.detail)" }
  }

  /// Every relevant row of the tables of groups: remains of undone splits do not count.
  func tables() throws -> [String] {
    let groups = """
      id, number, title, main_key, category, provisional, kind, reason, reason_time, state, reports,
      installs, first_seen, last_seen, exemplar, exemplar_symbols, redirect, joined, state_time,
      state_author, fixed_how, fixed_version, fixed_build, ignore_reports, ignore_users,
      ignore_until, assignee
      """
    return try rows([
      ("groups", groups, "redirect IS NULL OR joined = 1"),
      ("group_keys", "key, grp, origin, is_main", "1"),
      ("counters", "grp, origin, day, version, build, os, device, count", "1"),
      ("group_installs", "grp, hex(install), origin, count", "1"),
      ("origins", "id, home, grp, parent, rule, first_seen, last_seen", "1"),
      ("reports", "name, grp, origin", "1"),
      ("group_tickets", "grp, url, state", "1"),
    ])
  }

  private func rows(
    _ tables: [(table: String, columns: String, condition: String)]
  ) throws -> [String] {
    try store.read { database in
      var lines: [String] = []
      for (table, columns, condition) in tables {
        let values = columns.split(separator: ",").map { "ifnull(\($0), '-')" }
        let rows = try database.prepare(
          "SELECT '\(table)' || ' ' || " + values.joined(separator: " || ' ' || ")
            + " FROM \(table) WHERE \(condition) ORDER BY 1")
        while try rows.step() { lines.append(rows.text(0)) }
      }
      return lines
    }
  }

  /// The visible state of the groups, whatever their numbers.
  func view() throws -> [String] {
    try store.read { database in
      var lines: [String] = []
      let rows = try database.prepare(
        """
        SELECT id, title || ' ' || state || ' ' || reports || ' ' || installs || ' ' || first_seen
          || ' ' || last_seen || ' ' || exemplar || ' ' || ifnull(reason, '')
          || ' ' || ifnull(ignore_reports, '-') || ' ' || ifnull(ignore_users, '-')
          || ' ' || ifnull(assignee, '-')
        FROM groups WHERE redirect IS NULL
        """)
      while try rows.step() {
        let group = rows.int(0)
        let keys = try database.text(
          """
          SELECT group_concat(key || is_main, ' ') FROM
            (SELECT key, is_main FROM group_keys WHERE grp = ?1 ORDER BY key)
          """, group)
        let counts = try database.text(
          """
          SELECT group_concat(line, ' ') FROM (SELECT day || version || ':' || sum(count) AS line
            FROM counters WHERE grp = ?1 GROUP BY day, version ORDER BY day, version)
          """, group)
        let reports = try database.text(
          """
          SELECT group_concat(name, ' ') FROM
            (SELECT name FROM reports WHERE grp = ?1 ORDER BY id)
          """, group)
        lines.append(
          [rows.text(1), keys ?? "", counts ?? "", reports ?? ""].joined(separator: "|"))
      }
      return lines.sorted()
    }
  }
}
