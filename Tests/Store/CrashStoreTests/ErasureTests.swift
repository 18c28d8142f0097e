import Bytes
import CrashModel
import Database
import Identifiers
import TestSupport
import Testing
import TriageModel

@testable import CrashStore

@Suite struct ErasureTests {
  private let fixture: StoreFixture
  private var store: CrashStore { fixture.store }

  init() throws { fixture = try StoreFixture() }

  private static func report(
    _ key: String, user: String? = nil, install: String? = nil, seconds: Int64 = 0
  ) -> CrashReport {
    var report = StoreFixture.report(key, install: install, seconds: seconds)
    report.user = user
    report.tags = [ReportTag("mail"): user ?? "none"]
    return report
  }

  /// Rows of all tables that contain a text, as `table.column`.
  private func places(of text: String) throws -> Set<String> {
    try store.read { database in
      var places: Set<String> = []
      for table in StoreTable.all where table.name != "search_grams" {
        let columns = try database.prepare("SELECT name FROM pragma_table_info(?1)", [table.name])
        while try columns.step() {
          let column = columns.text(0)
          let isThere = try database.integer(
            "SELECT 1 FROM \(table.name) WHERE instr(CAST(\(column) AS TEXT), ?1) > 0", text)
          if isThere != nil { places.insert("\(table.name).\(column)") }
        }
      }
      return places
    }
  }

  @discardableResult
  private func file(
    client: String, install: String, session: String, names isNamed: Bool = true,
    received: Timestamp = StoreFixture.start
  ) throws -> String {
    var batch = ClientBatch(app: "Tern", received: received, install: install)
    let prepared = try StoreFixture.prepared(
      client, [Self.report("k1", install: isNamed ? install : nil)], received: received)
    batch.reports = [
      ClientBatch.Report(
        prepared, id: client, kind: .crash, session: session, time: StoreFixture.start,
        version: "1.0")
    ]
    batch.sessions = [
      ClientBatch.Session(id: session, time: StoreFixture.start, version: "1.0"),
      ClientBatch.Session(id: session + "-other", time: StoreFixture.start, version: "1.0"),
    ]
    batch.events = [
      ClientBatch.Event(
        session: session + "-other", id: "e",
        Breadcrumb(time: StoreFixture.start, name: "tap \(install)"))
    ]
    batch.attachments = [
      (client, try PreparedAttachment("log.txt", ByteView("log of \(client)".utf8))),
      ("never", try PreparedAttachment("other.txt", ByteView("waits of \(client)".utf8))),
    ]
    return try #require(try store.sessions.add(batch).reports.first?.reports.first?.report)
  }

  @Test("A user: the reports are deleted everywhere, others stay, and the ledger agrees")
  func user() throws {
    let mine = try fixture.file(
      "a", (0..<3).map { Self.report("k\($0)", user: "jo@example.com", install: "i\($0)") })
    let others = try fixture.file(
      "b", (0..<2).map { Self.report("k\($0)", user: "al@example.com", install: "i\($0)") })
    let subject = ErasureSubject.user(["jo@example.com"])
    let now = StoreFixture.start
    let dry = try store.retention.erase(subject, at: now, isDry: true)
    #expect(dry.reports == 3 && dry.submissions == 3)
    #expect(try store.reports.totals().reports == 5)
    let count = try store.retention.erase(subject, at: now)
    #expect(count == dry)
    #expect(Set(try store.reports.list().map(\.id)) == Set(others))
    #expect(try places(of: "jo@example.com").isEmpty)
    #expect(try !places(of: "al@example.com").isEmpty)
    // Groups keep their counts, the ledger records why, and the same bytes are refused.
    #expect(try store.groups.list().map(\.reports).reduce(0, +) == 5)
    let ledger = try store.ledger.get(app: "Tern")
    #expect(ledger.faults.isEmpty && ledger.accounts.first?.reportsRemoved == 3)
    try fixture.check()
    try fixture.file(
      "a", (0..<3).map { Self.report("k\($0)", user: "jo@example.com", install: "i\($0)") })
    #expect(try store.reports.list().allSatisfy { !mine.contains($0.id) })
    #expect(try store.retention.erase(subject, at: now) == ErasureCount())
  }

  @Test("Trap 64: erased with a group's oldest report, its id and keys stay")
  func oldest() throws {
    try fixture.file("a", [Self.report("k", user: "jo@example.com")])
    let keys = try fixture.file(
      "b", [Self.report("k", user: "al@example.com", seconds: 5), Self.report("other")])
    _ = try store.retention.erase(.user(["jo@example.com"]), at: StoreFixture.start)
    #expect(try fixture.groups() == ["TERN-1: text of k, 2", "TERN-2: text of other, 1"])
    #expect(try store.groups.get("TERN-1").exemplar == keys[0])
    // All of its reports: the group keeps its name, and its key leads to it.
    _ = try store.retention.erase(.user(["al@example.com"]), at: StoreFixture.start)
    #expect(try store.groups.get("TERN-1").exemplar == "")
    try fixture.file("c", [Self.report("k"), Self.report("new")])
    #expect(
      try fixture.groups() == [
        "TERN-1: text of k, 3", "TERN-2: text of other, 1", "TERN-3: text of new, 1",
      ])
    try fixture.check()
  }

  @Test("An installation: with its clients' sessions, and attachments waiting for a report")
  func install() throws {
    let mine = try file(client: "one", install: "phone", session: "s1")
    let other = try file(client: "two", install: "tablet", session: "s2")
    let subject = ErasureSubject.install(["phone"])
    let now = StoreFixture.start
    let dry = try store.retention.erase(subject, at: now, isDry: true)
    let count = try store.retention.erase(subject, at: now)
    #expect(count.reports == 1 && count.attachments == 1 && count.orphans == 1)
    #expect(count.sessions == 2 && count.events == 1 && count.clientReports == 1)
    #expect(dry == count)
    #expect(try store.reports.list().map(\.id) == [other] && mine != other)
    #expect(try places(of: "phone").isEmpty)
    #expect(try store.groups.get("TERN-1").installs == 1)
    let rate = try store.sessions.crashFree(app: "Tern")
    #expect(rate.installs == 1 && rate.crashes == 1 && rate.sessions == 2)
    #expect(try store.ledger.get().faults.isEmpty)
    try fixture.check()
  }

  @Test("A report is deleted with the client that sent it, even if it names no installation")
  func unnamed() throws {
    try file(client: "one", install: "phone", session: "s1", names: false)
    let dry = try store.retention.erase(.install(["phone"]), at: StoreFixture.start, isDry: true)
    let count = try store.retention.erase(.install(["phone"]), at: StoreFixture.start)
    #expect(count.reports == 1 && count.clientReports == 1 && dry == count)
    #expect(try store.reports.list().isEmpty && store.sessions.crashFree(app: "Tern").crashes == 0)
    try fixture.check()
  }

  @Test("A report that comes when another process has erased the one before stays")
  func row() throws {
    try fixture.file("mine", [Self.report("k", install: "phone")])
    let subject = ErasureSubject.install(["phone"])
    let found = try store.read { try PersonalData(subject, .everything).reports(in: $0) }
    _ = try store.retention.erase(subject, at: StoreFixture.start)
    try fixture.file("other", [Self.report("k", install: "tablet")])
    let row: RowID<Tables.Reports> = try store.read {
      try $0.requiredID("SELECT id FROM reports")
    }
    #expect(found.allSatisfy { $0.row.rawValue < row.rawValue })
    let count = try store.write(.global) { database in
      var count = ErasureCount()
      var data = PersonalData(subject, .everything)
      try data.erase(found, &count, at: StoreFixture.start, in: database)
      return count
    }
    #expect(try count == ErasureCount() && store.reports.list().count == 1)
    try fixture.check()
  }

  private static let soon = Timestamp(seconds: StoreFixture.start.seconds + 1)
  /// By a clock that was set back since.
  private static let future = Timestamp(seconds: 4_000_000_000)

  @Test(
    "What came in after it was asked for stays, all of it",
    arguments: [
      (ErasureSpan.everything, []), (.asked(at: StoreFixture.start), [soon]),
      (.until(StoreFixture.start), [soon, future]), (.until(soon), [future]),
    ])
  func later(span: ErasureSpan, left: [Timestamp]) throws {
    for (number, time) in [StoreFixture.start, Self.soon, Self.future].enumerated() {
      try file(client: "c\(number)", install: "phone", session: "s\(number)", received: time)
    }
    let dry = try store.retention.erase(
      .install(["phone"]), at: StoreFixture.start, span, isDry: true)
    let count = try store.retention.erase(.install(["phone"]), at: StoreFixture.start, span)
    #expect(dry == count)
    #expect(count.reports == 3 - left.count && count.sessions == 2 * count.reports)
    #expect(count.clientReports == count.reports && count.orphans == count.reports)
    #expect(try Set(store.reports.list().map(\.received)) == Set(left))
    let rate = try store.sessions.crashFree(app: "Tern")
    #expect(rate.sessions == 2 * left.count && rate.crashes == left.count)
    #expect(try store.ledger.get().faults.isEmpty)
    try fixture.check()
  }

  @Test("An installation whose reports have expired is forgotten too")
  func expired() throws {
    try fixture.file(
      "a",
      (0..<4).map { Self.report("k", install: $0 == 0 ? "phone" : "i\($0)", seconds: Int64($0)) })
    let day: Int64 = 86_400
    _ = try store.retention.expire(
      Retention(days: 1), of: "Tern", at: Timestamp(seconds: StoreFixture.start.seconds + 9 * day))
    let before = try #require(try store.groups.get("TERN-1").installs)
    let dry = try store.retention.erase(.install(["phone"]), at: StoreFixture.start, isDry: true)
    let count = try store.retention.erase(.install(["phone"]), at: StoreFixture.start)
    #expect(count.reports + count.groups == 1 && dry == count)
    #expect(try store.groups.get("TERN-1").installs == before - 1)
    try fixture.check()
  }

  @Test("Rows deleted for several reasons are counted once, in a dry run, too")
  func reasons() throws {
    // An installation known from an expired report; two crashes of one session, of which one names the
    // installation and one only its client; and one submission with two reports.
    try fixture.file(
      "old",
      (0..<3).map { Self.report("old", install: $0 == 1 ? "phone" : "i", seconds: Int64($0)) })
    _ = try store.retention.expire(Retention(perGroup: 1), of: "Tern", at: StoreFixture.start)
    for (client, isNamed) in [("one", true), ("two", false)] {
      try file(client: client, install: "phone", session: "s", names: isNamed)
    }
    try store.reports.add([
      try StoreFixture.prepared("pair", (0..<2).map { Self.report("k\($0)", install: "phone") })
    ])
    let subject = ErasureSubject.install(["phone"])
    let dry = try store.retention.erase(subject, at: StoreFixture.start, isDry: true)
    let count = try store.retention.erase(subject, at: StoreFixture.start)
    #expect(dry == count)
    #expect(count.clientReports == 2 && count.sessions == 2 && count.events == 1)
    #expect(count.reports == 4 && count.submissions == 3 && count.groups == 1)
    #expect(
      try store.retention.erase(subject, at: StoreFixture.start, isDry: true) == ErasureCount())
    try fixture.check()
  }

  @Test("A report that arrives while others are looked up stays")
  func meanwhile() throws {
    let asked = CrashStore.now
    let subject = ErasureSubject.install(["phone"])
    let look = PersonalData(subject, .asked(at: asked))
    let late = try StoreFixture.prepared(
      "late", [Self.report("k", install: "phone")], received: CrashStore.now)
    try store.reports.add([late])
    // It is later than the time of the look-up, and earlier than that of the removal.
    let found = try store.read { try look.reports(in: $0) }
    #expect(found.count == 1)
    let count = try store.write(.global) { database in
      var count = ErasureCount()
      var data = PersonalData(subject, .asked(at: asked))
      try data.erase(found, &count, at: asked, in: database)
      return count
    }
    #expect(try count == ErasureCount() && store.reports.list().count == 1)
  }

  @Test("A waiting attachment is deleted before a later report can take it")
  func waiting() throws {
    try file(client: "one", install: "phone", session: "s")
    try file(client: "late", install: "phone", session: "t", received: Self.soon)
    // Actions of another process as soon as the first report is deleted.
    try store.write(.global) { database in
      try database.execute(
        """
        CREATE TRIGGER taken AFTER DELETE ON reports BEGIN
          INSERT INTO attachments (report, name, content_type, digest, size, added)
            SELECT max(reports.id), orphan.name, '', orphan.digest, orphan.size, orphan.received
            FROM orphan_attachments AS orphan, reports
            WHERE orphan.received = \(StoreFixture.start.microseconds) GROUP BY orphan.name;
        END
        """)
    }
    let before = try store.reports.list().map { try store.attachments.list(of: $0.id).count }
    let count = try store.retention.erase(
      .install(["phone"]), at: StoreFixture.start, .until(StoreFixture.start))
    #expect(before == [1, 1] && count.orphans == 1)
    let left = try store.reports.list()
    #expect(left.count == 1)
    #expect(try store.attachments.list(of: left[0].id).map(\.name) == ["log.txt"])
  }

  @Test(
    "What an installation said is found by indexes",
    arguments: [
      ErasureSpan.everything, .asked(at: StoreFixture.start), .until(StoreFixture.start),
    ])
  func plans(span: ErasureSpan) throws {
    let clients = PersonalData(.install(["phone"]), span).clientReportsOfInstall
    let rest = PersonalData.ofInstall.flatMap { part, condition -> [String] in
      ["SELECT count(*)", "DELETE"].map {
        "\($0) FROM \(part.rawValue) WHERE (\(condition)) AND \(span.takes("received", at: Timestamp(microseconds: 9)))"
      }
    }
    for sql in rest + [clients] {
      let steps = try store.read { database in
        let rows = try database.prepare("EXPLAIN QUERY PLAN " + sql, [[UInt8(1)]])
        var steps: [String] = []
        while try rows.step() { steps.append(rows.text(3)) }
        return steps
      }
      #expect(!steps.contains { $0.contains("SCAN") || $0.hasSuffix("(app=?)") }, "\(steps)")
    }
  }
}
