import Database
import TestSupport
import Testing
import TriageModel

@testable import CrashStore

/// A missing required row, and a value that no version wrote, are damage and not an answer.
@Suite("Damaged tables")
struct DamagedTableTests {
  private let fixture: StoreFixture
  private var store: CrashStore { fixture.store }

  init() throws {
    fixture = try StoreFixture()
    try fixture.add("one", StoreFixture.report("k1"))
    try store.triage.assign(["TERN-1"], to: "mara", by: "jo")
    try store.triage.assign(["TERN-1"], to: "tom", by: "jo")
  }

  private func damage(_ sql: String) throws {
    let database = try Connection(opening: store.home + "/mayday.db")
    try database.execute("PRAGMA foreign_keys = OFF")
    try database.run(sql)
    #expect(database.changes > 0)
  }

  private func expectDamage(_ body: () throws -> Void) {
    #expect {
      try body()
    } throws: { error in
      if case StoreError.damaged = error { true } else { false }
    }
  }

  @Test("A record that cannot be read undoes nothing")
  func record() throws {
    try damage("UPDATE group_history SET data = '{' WHERE event = 'assigned'")
    expectDamage { try store.triage.undo(["TERN-1"], by: "jo") }
    #expect(try store.groups.get("TERN-1").assignee == "tom")
  }

  @Test("A line of a history with an unknown event cannot be undone")
  func event() throws {
    try damage("UPDATE group_history SET event = 'sung' WHERE event = 'assigned'")
    expectDamage { try store.triage.undo(["TERN-1"], by: "jo") }
    #expect(try store.groups.get("TERN-1").assignee == "tom")
  }

  @Test("A phase of regrouping that does not exist is named")
  func phase() throws {
    try damage("INSERT INTO regroup (app, origin, phase) SELECT 1, id, 9 FROM origins")
    expectDamage { _ = try store.groups.settle() }
  }

  @Test("A report whose origin is missing is not reprocessed into nowhere")
  func origin() throws {
    let report = try #require(try store.reports.list().items.first).id
    try damage("UPDATE reports SET origin = 77")
    expectDamage {
      try fixture.reprocess([(report, StoreFixture.report("k2"))])
    }
  }
}
