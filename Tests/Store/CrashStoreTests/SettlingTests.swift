import Bytes
import CrashModel
import Database
import TestSupport
import Testing
import TriageModel

@testable import CrashStore

/// An app is settled as soon as none of its own reports waits, whatever waits for others.
@Suite("Groups are settled app by app") struct SettlingTests {
  private let fixture: StoreFixture
  private var store: CrashStore { fixture.store }

  init() throws { fixture = try StoreFixture() }

  /// Stores reports of an app, all in one group, and asks for them to be reprocessed.
  private func file(_ app: String, _ count: Int) throws -> [String] {
    let ids = try store.reports.add(
      (0..<count).map { number in
        try StoreFixture.prepared(
          "\(app)-\(number)", [StoreFixture.report("stripped", provisional: true)], app: app)
      }
    ).flatMap { $0.reports.map(\.report) }
    try fixture.ask(for: ids)
    return ids
  }

  private func replace(_ id: String, key: String) throws {
    try store.reports.replace([
      .replaced(
        try PreparedReplacement(
          of: id, received: StoreFixture.start, by: StoreFixture.report(key),
          document: ByteView("{}".utf8), arrivals: .max))
    ])
  }

  private func titles(_ app: String) throws -> [String] {
    try store.groups.list().items.filter { $0.app == app }.map { $0.signature.text }.sorted()
  }

  @Test("An app whose reports always wait does not keep the groups of another as they are")
  func busy() throws {
    let busy = try file("Gull", 3)
    let quiet = try file("Tern", 2)
    #expect(try !store.groups.settle() && !store.groups.canSettle())
    for (number, id) in quiet.enumerated() { try replace(id, key: "key \(number)") }
    try replace(busy[0], key: "key 0")
    #expect(try store.groups.canSettle())
    while try store.groups.settle() {}
    #expect(try titles("Tern") == ["text of key 0", "text of key 1"])
    // It has one report of three: the others may show that it is a group of its own, or none.
    #expect(try titles("Gull") == ["text of stripped"] && store.reports.waitingCount() == 2)
    for id in busy.dropFirst() { try replace(id, key: "key 1") }
    while try store.groups.settle() {}
    #expect(try titles("Gull") == ["text of key 0", "text of key 1"])
    #expect(try !store.groups.canSettle() && store.reports.waitingCount() == 0)
    try fixture.check()
  }

  @Test("A report that cannot be reprocessed keeps no app from being settled")
  func failed() throws {
    let ids = try file("Tern", 2)
    try replace(ids[0], key: "key 0")
    #expect(try !store.groups.settle())
    try store.reports.replace([.failed(id: ids[1], reason: "damaged")])
    while try store.groups.settle() {}
    #expect(try titles("Tern") == ["text of key 0", "text of stripped"])
  }

  @Test("In a home of the version before, reports wait and origins are looked through as they did")
  func upgraded() throws {
    let folder = ScratchFolder()
    do {
      let store = try CrashStore(opening: folder.path("home"))
      try store.reports.add(
        ["Gull", "Tern"].map { app in
          try StoreFixture.prepared(app, [StoreFixture.report("k")], app: app)
        })
    }
    do {
      let database = try Connection(opening: folder.path("home/mayday.db"))
      try database.execute(
        """
        DROP TABLE redo;
        DROP TABLE regroup;
        CREATE TABLE redo (report INTEGER PRIMARY KEY REFERENCES reports ON DELETE CASCADE,
          rule_set INTEGER, problem TEXT) STRICT;
        CREATE TABLE regroup (origin INTEGER PRIMARY KEY, phase INTEGER NOT NULL DEFAULT 0) STRICT;
        INSERT INTO redo (report, problem) SELECT id, CASE WHEN id = 1 THEN 'damaged' END FROM reports;
        INSERT INTO regroup (origin, phase) SELECT id, 3 FROM origins;
        DROP INDEX group_history_by_app;
        ALTER TABLE group_history DROP COLUMN app;
        DROP INDEX distribution_news_by_app;
        PRAGMA user_version = 10;
        """)
    }
    let store = try CrashStore(opening: folder.path("home"))
    #expect(try store.reports.reprocessingProblems().count == 1)
    #expect(try store.reports.waitingCount() == 1)
    #expect(
      try store.groups.arrivals(after: [:], limit: 10).arrivals.map(\.app) == ["Gull", "Tern"])
    // The first app is settled, the second waits.
    while try store.groups.settle() {}
    #expect(try store.read { try $0.requiredInteger("SELECT app FROM regroup") } == 2)
  }

  @Test("A key that was only a reading is a key of its own once reports of a merged group have it")
  func readingBecomesKey() throws {
    var whole = StoreFixture.report("whole", alternatives: ["inlined"], version: "2.0")
    whole.signature?.steps = [
      SignatureStep(
        frame: nil, subject: Signature.alternativeSubject, result: "", frameClass: "",
        rule: Signature.weakRule, used: false)
    ]
    // The older group has the reports that turn out to be of the other one.
    let stripped = StoreFixture.report("stripped", provisional: true, version: "2.0")
    let late = try fixture.file("late", [stripped, stripped, stripped])
    try fixture.file("whole", [whole])
    #expect(try titles("Tern") == ["text of stripped", "text of whole"])
    // One build has both keys: the reading is refuted.
    let other = StoreFixture.report("inlined", version: "2.0")
    try fixture.replace([(late[0], whole), (late[1], whole), (late[2], other)])
    #expect(try titles("Tern") == ["text of inlined", "text of whole"])
    try fixture.check()
  }
}
