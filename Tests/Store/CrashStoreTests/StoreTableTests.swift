import Database
import TestSupport
import Testing

@testable import CrashStore

/// Every new table must be known to code that covers all tables.
@Suite struct StoreTableTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  /// The first column of each row.
  private func list(_ sql: String) throws -> [String] {
    try fixture.store.read { database in
      let rows = try database.prepare(sql)
      var list: [String] = []
      while try rows.step() { list.append(rows.text(0)) }
      return list
    }
  }

  @Test("Every table is in the list, and no other")
  func tables() throws {
    let tables = try list(
      """
      SELECT name FROM pragma_table_list
      WHERE schema = 'main' AND type != 'shadow' AND name NOT LIKE 'sqlite_%'
      """)
    #expect(Set(StoreTable.all.map(\.name)) == Set(tables))
    #expect(StoreTable.all.count == tables.count)
  }

  @Test("A table comes after those whose rows it references", arguments: StoreTable.all.indices)
  func order(index: Int) throws {
    let table = StoreTable.all[index]
    let named = try list("SELECT DISTINCT \"table\" FROM pragma_foreign_key_list('\(table.name)')")
    let before = StoreTable.all.prefix(index + 1).map(\.name)
    #expect(Set(named).isSubset(of: before), "\(table.name)")
  }

  @Test("Rows of a report are known to be deleted with it", arguments: StoreTable.all)
  func reports(table: StoreTable) throws {
    let columns = try list(
      """
      SELECT "from" FROM pragma_foreign_key_list('\(table.name)') WHERE "table" = 'reports'
      """)
    #expect(columns == (table.reportColumn.map { [$0] } ?? []))
  }

  @Test("Every column with a digest of a content is known to keep it", arguments: StoreTable.all)
  func contents(table: StoreTable) throws {
    // Digests of contents that are not kept, and of data that is not a content.
    let others = [
      "refused.digest", "past_submissions.digest", "reports.install", "group_installs.install",
      "watched.path", "search_sets.digest", "search_sets.members", "search_columns.bytes",
      "client_reports.digest", "client_reports.install", "sessions.install",
      "orphan_attachments.install", "session_events.install", "refused_attachments.digest",
      "refused_attachments.install", "debug_file_apps.digest", "counted_reports.install",
      "reports.person", "past_crashes.person", "intake_progress.intake",
    ]
    let blobs = try list("SELECT name FROM pragma_table_info('\(table.name)') WHERE type = 'BLOB'")
    #expect(blobs.filter { !others.contains("\(table.name).\($0)") } == table.contents)
  }
}
