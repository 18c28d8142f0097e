import Bytes
import CrashModel
import Crypto
import Identifiers
import Query
import TestSupport
import Testing
import TriageModel

@testable import CrashStore

@Suite struct ReadingTests {
  let fixture: StoreFixture
  private var store: CrashStore { fixture.store }

  init() throws { fixture = try StoreFixture() }

  private func query(
    _ text: String = "", _ change: (inout GroupQuery) -> Void = { _ in }
  ) throws -> [String] {
    var query = GroupQuery(try Query(text, now: StoreFixture.start))
    change(&query)
    return try store.groups.list(query).map(\.id)
  }

  @Test("Groups by app, version, words; in each order; page by page")
  func groupQueries() throws {
    try fixture.file(
      "a",
      [
        StoreFixture.report("alpha", version: "1.0", seconds: 1),
        StoreFixture.report("beta 50%", version: "2.0", seconds: 2),
        StoreFixture.report("beta 50%", version: "1.0", seconds: 3),
        StoreFixture.report("gamma", version: "2.0", seconds: 9),
        StoreFixture.report("alpha", version: "1.0", seconds: 10),
        StoreFixture.report("alpha", version: "1.0", seconds: 0),
      ])
    try store.reports.add([
      try StoreFixture.prepared("z", [StoreFixture.report("alpha", seconds: 5)], app: "Zebra")
    ])
    #expect(try query() == ["TERN-1", "TERN-2", "TERN-3", "ZEBRA-1"])
    #expect(try query { $0.order = .lastSeen } == ["TERN-1", "TERN-3", "ZEBRA-1", "TERN-2"])
    #expect(try query { $0.order = .firstSeen } == ["TERN-3", "ZEBRA-1", "TERN-2", "TERN-1"])
    #expect(try query { $0.order = .versions } == ["TERN-2", "TERN-1", "TERN-3", "ZEBRA-1"])
    #expect(try query("app:Zebra") == ["ZEBRA-1"])
    #expect(try query("app:zebra") == [], "an app is exactly the one that is named")
    #expect(try query("app:Nobody") == [])
    #expect(try query("version:2.0") == ["TERN-3", "TERN-2"])
    #expect(try query("version:>1.0") { $0.order = .firstSeen } == ["TERN-3", "TERN-2"])
    #expect(try query("BETA 0%") == ["TERN-2"])
    #expect(try query("%") == ["TERN-2"])
    #expect(try query("sigsegv alpha") == ["TERN-1", "ZEBRA-1"])
    #expect(try query("\"'; DROP TABLE groups\"") == [])
    #expect(try query("is:open").count == 4)
    #expect(try query("is:resolved") == [])
    #expect(try query("reports:2..3") == ["TERN-1", "TERN-2"])
    #expect(try query("-app:Tern") == ["ZEBRA-1"])
    #expect(try query { $0.limit = 2 } == ["TERN-1", "TERN-2"])
    #expect(try query { $0.limit = 0 } == [])
  }

  @Test("Reports, the newest first; by group, version and words")
  func reportQueries() throws {
    let ids = try fixture.file(
      "a",
      [
        StoreFixture.report("alpha", seconds: 1), StoreFixture.report("beta", seconds: 3),
        StoreFixture.report("alpha", version: "2.0", seconds: 2),
      ])
    func list(
      _ text: String = "", _ change: (inout ReportQuery) -> Void = { _ in }
    ) throws -> [String] {
      var query = ReportQuery(try Query(text, now: StoreFixture.start))
      change(&query)
      return try store.reports.list(query).map(\.id)
    }
    #expect(try list() == [ids[1], ids[2], ids[0]])
    #expect(try list { $0.isReversed = true } == [ids[0], ids[2], ids[1]])
    #expect(try list("group:tern-1") == [ids[2], ids[0]])
    #expect(try list("version:2.0") == [ids[2]])
    #expect(try list("beta") == [ids[1]])
    #expect(try list("group:TERN-9") == [])
    #expect(throws: StoreError.wrongCursor("x")) { try list { $0.after = "x" } }
    let summary = try #require(try store.reports.list().first)
    #expect(summary.group == "TERN-2" && summary.app == "Tern" && summary.version == "1.0")
    #expect(summary.os == "iOS 17.2" && summary.device == "iPhone15,2" && summary.build == "7")
    #expect(summary.format == .appleIPS && summary.source == "crashes/a-1")
    #expect(summary.symbols == .missing)
  }

  @Test("A report is found by any unique prefix of its id")
  func prefixes() throws {
    let ids = try fixture.file("a", (0..<40).map { StoreFixture.report("k\($0)") })
    for id in ids {
      let others = ids.filter { $0 != id }
      // Fewer digits than four are a mistake rather than an id.
      let unique = (4...32).first { count in
        !others.contains { $0.hasPrefix(id.prefix(count)) }
      }
      let count = try #require(unique)
      #expect(try store.reports.get(String(id.prefix(count)).uppercased()).summary.id == id)
      guard count > 4 else { continue }
      let short = String(id.prefix(count - 1))
      let matches = ids.filter { $0.hasPrefix(short) }.sorted()
      #expect(throws: StoreError.ambiguous(prefix: short, matches: Array(matches.prefix(10)))) {
        try store.reports.get(short)
      }
    }
    for wrong in ["", "xyz", "g", ids[0] + "0", "'"] {
      #expect(throws: StoreError.self) { try store.reports.get(wrong) }
    }
  }

  @Test("Documents and submissions are read as they were written")
  func contents() throws {
    let id = try #require(try fixture.file("a", [StoreFixture.report("k")]).first)
    let report = try store.reports.get(id)
    #expect(report.document.text == "{\"document\": \"a-0 0\"}")
    #expect(try store.reports.submission(report.submission).text == "a-0")
    #expect(report.submission == SHA256.hex(of: ByteView("a-0".utf8)))
    #expect(throws: StoreError.notFound("00")) { try store.reports.submission("00") }
    let unknown = String(repeating: "0", count: 64)
    #expect(throws: StoreError.notFound(unknown)) { try store.reports.submission(unknown) }
  }

  @Test("Invalid names of groups", arguments: ["", "TERN", "TERN-", "-1", "TERN-x", "X-1"])
  func wrongGroups(name: String) throws {
    try fixture.file("a", [StoreFixture.report("k")])
    #expect(throws: StoreError.notFound(name)) { try store.groups.get(name) }
  }

  @Test("Refused files count once for a reason")
  func refusals() throws {
    let files = [
      Refusal(source: "a", reason: "empty", digest: [1]),
      Refusal(source: "b", reason: "empty", digest: [1]),
      Refusal(source: "c", reason: "unreadable"),
    ]
    for _ in 0..<2 {
      try store.ledger.refuse(files, app: "Tern", time: StoreFixture.start)
      try store.ledger.refuse([files[2]], app: nil, time: StoreFixture.start)
    }
    #expect(try store.apps.list().isEmpty)
    #expect(
      try store.ledger.refusals() == [
        RefusalCount(app: "Tern", reason: "empty", files: 2, example: "a"),
        RefusalCount(app: nil, reason: "unreadable", files: 1, example: "c"),
        RefusalCount(app: "Tern", reason: "unreadable", files: 1, example: "c"),
      ])
  }

  @Test("Debug files are stored once, found by their ids, and mapped")
  func debugFiles() throws {
    let bytes = ByteView(Array(repeating: 7, count: 5000))
    let ids = [DebugID(uuid: [1]), DebugID(uuid: [2])]
    func record(_ id: DebugID, digest: String) -> DebugFileRecord {
      DebugFileRecord(
        debugID: id, codeID: CodeID("ab"), architecture: .arm64, kind: "debug-info",
        name: "App.dSYM!App", digest: digest, size: bytes.count, added: StoreFixture.start)
    }
    let records = ids.map { record($0, digest: SHA256.hex(of: bytes)) }
    #expect(try store.debugFiles.add(bytes, records: records) == [true, true])
    #expect(try store.debugFiles.add(bytes, records: records) == [false, false])
    #expect(try store.debugFiles.list() == records)
    #expect(try store.debugFiles.list(for: ids[1]) == [records[1]])
    #expect(try store.debugFiles.list(for: #require(CodeID("ab"))).count == 2)
    #expect(try store.debugFiles.list(for: DebugID(uuid: [3])).isEmpty)
    #expect(try store.debugFiles.get(records[0].digest, isChecked: true).array == bytes.array)
    #expect(throws: StoreError.notFound("ff")) { try store.debugFiles.get("ff") }
    #expect(throws: StoreError.self) {
      try store.debugFiles.add(bytes, records: [record(ids[0], digest: "00")])
    }
  }
}
