import Bytes
import Database
import Glibc
import Identifiers
import Query
import TestSupport
import Testing
import TriageModel

@testable import CrashStore

@Suite struct RetentionTests {
  private let fixture: StoreFixture
  private var store: CrashStore { fixture.store }
  private let day: Int64 = 86_400

  init() throws { fixture = try StoreFixture() }

  /// A time N days after all reports were received.
  private func later(_ days: Int64) -> Timestamp {
    Timestamp(seconds: StoreFixture.start.seconds + days * day)
  }

  @Test("A report that comes when another process has deleted the last one stays")
  func row() throws {
    // The last one to be deleted has the last row.
    let ids = try fixture.file(
      "a", (0..<150).map { StoreFixture.report("k", seconds: Int64(-$0)) })
    func row(of name: String) throws -> Int? {
      try store.read { try $0.integer("SELECT id FROM reports WHERE name = ?1", name) }
    }
    let last = try #require(ids.last)
    let exemplar = try store.groups.get("TERN-1").exemplar
    let taken = try row(of: last)
    var new: String?
    _ = try store.retention.expire(Retention(perGroup: 1), of: "Tern", at: later(1)) { done, _ in
      guard done == 100 else { return }
      _ = try? store.retention.remove(reports: [last], at: later(1))
      // It arrived in the same microsecond, like all reports of one command.
      let late = try? StoreFixture.prepared("b", [StoreFixture.report("k")])
      new = try? late.flatMap { try store.reports.add([$0]).first?.reports.first?.report }
    }
    // No row gets the number of the deleted one.
    let given = try row(of: try #require(new))
    #expect(try #require(given) > #require(taken))
    // The newest, the exemplar and the one that arrived.
    #expect(try store.reports.totals().reports == Set([ids[0], exemplar, try #require(new)]).count)
    try fixture.check()
  }

  @Test("The room of what was deleted goes back to the disk")
  func space() throws {
    let reports = (0..<300).map { StoreFixture.report("k\($0)", seconds: Int64($0)) }
    let ids = try fixture.file("a", reports)
    #expect(try store.retention.remove(reports: ids, at: later(1)) == ids.count)
    #expect(try store.retention.sweep(grace: 0).contents > 0)
    try store.giveBackSpace()
    for database in [store.connection, store.contents.database] {
      #expect(try database.withLock { try $0.integer("PRAGMA freelist_count") } == 0)
    }
    try fixture.check()
  }

  @Test("Old reports go but one a version; their counts, first and last seen and groups stay")
  func age() throws {
    let reports = (0..<10).map { number in
      StoreFixture.report(
        "k\(number % 2)", version: number < 6 ? "1.0" : "2.0", install: "\(number)",
        seconds: Int64(number))
    }
    let ids = try fixture.file("a", reports)
    let before = try store.groups.list()
    let counts = try store.retention.expiring(Retention(days: 30), of: "Tern", at: later(31))
    #expect(counts.map(\.reports) == [6] && counts.map(\.submissions) == [6])
    #expect(try store.retention.expiring(Retention(days: 32), of: "Tern", at: later(31)) == [])
    #expect(try store.reports.totals().reports == 10)

    #expect(try store.retention.expire(Retention(days: 30), of: "Tern", at: later(31)) == counts)
    #expect(try store.reports.totals().reports == 4)
    #expect(try store.groups.list() == before)
    for group in before { #expect(try store.reports.get(group.exemplar).summary.group == group.id) }
    let account = try #require(try store.ledger.get(app: "Tern").accounts.first)
    #expect(account.reportsStored == 10 && account.reportsKept == 4)
    #expect(account.reportsExpired.parts.map(\.reason) == ["age"])
    #expect(account.kept.count == 4 && account.expired.amount.count == 6)
    try fixture.check()

    // The same bytes are still known.
    let known = Set(try store.reports.list().map(\.id))
    try fixture.file("a", reports)
    #expect(Set(try store.reports.list().map(\.id)) == known && known.isSubset(of: ids))
    #expect(try store.groups.list() == before)
    #expect(try store.reports.hasSubmission(digest: Content.digest("a-3"), app: "Tern"))
    #expect(try store.ledger.get().accounts.first?.duplicates.amount.count == 10)
    try fixture.check()
    #expect(try store.retention.expire(Retention(days: 30), of: "Tern", at: later(31)) == [])
  }

  @Test("The newest of a group are kept, and the exemplar")
  func perGroup() throws {
    let ids = try fixture.file("a", (0..<8).map { StoreFixture.report("k", seconds: $0) })
    try fixture.file("b", (0..<3).map { StoreFixture.report("other", seconds: $0) })
    let exemplar = try #require(ids.min())
    let kept = ids.indices.reversed().filter { $0 > 4 || ids[$0] == exemplar }.map { ids[$0] }
    let counts = try store.retention.expire(Retention(perGroup: 3), of: "Tern", at: later(0))
    #expect(counts.map(\.reports) == [ids.count - kept.count])
    #expect(counts.map(\.reason) == [.group])
    let query = ReportQuery(try Query("group:TERN-1", now: later(0)))
    #expect(try store.reports.list(query).items.map(\.id) == kept)
    #expect(try store.groups.get("TERN-1").reports == 8)
    try fixture.check()
  }

  @Test("Trap 60: many reports of one signature leave counters, and as many rows as are stored")
  func flood() throws {
    func rows() throws -> [String: Int] {
      try store.read { database in
        var rows: [String: Int] = [:]
        for table in StoreTable.all where table.name != "search_grams" {
          rows[table.name] = Int(
            try database.integer("SELECT count(*) FROM \(table.name)") ?? 0)
        }
        return rows
      }
    }
    func flood(_ name: String, from first: Int) throws -> [String: Int] {
      for batch in 0..<2 {
        try fixture.file(
          "\(name)\(batch)", (0..<50).map { StoreFixture.report("k", seconds: Int64(first + $0)) })
      }
      _ = try store.retention.expire(Retention(perGroup: 10), of: "Tern", at: later(0))
      return try rows()
    }
    let before = try flood("a", from: 0)
    let after = try flood("b", from: 1_000)
    #expect(try store.groups.get("TERN-1").reports == 200)
    // Stored data of deleted reports: the digests that recognise the same bytes, and the counts for searches
    // and crash-free rates.
    let kept: Set = ["past_submissions", "past_crashes", "search_past", "search_terms"]
    for (table, count) in after where !kept.contains(table) {
      // The exemplar is kept in addition to the newest ten.
      #expect(count <= (before[table] ?? 0) + 1, "\(table)")
    }
    try fixture.check()
  }

  @Test("Beyond the size limit the oldest are deleted", arguments: [0, 1, 5_000, 60_000, .max])
  func bytes(limit: Int) throws {
    var random = SplitMix(seed: 7)
    for number in 0..<20 {
      let text = String(
        decoding: (0..<2_000).map { _ in UInt8(33 + random.next() % 94) }, as: UTF8.self)
      let submission = Submission(
        bytes: ByteView(text.utf8), source: "x", received: later(Int64(number)), app: "Tern")
      try store.reports.add(
        submission,
        reports: [(StoreFixture.report("k", seconds: Int64(number)), ByteView("{}".utf8))])
    }
    let size = try store.packedSizes()
    let counts = try store.retention.expire(Retention(bytes: limit), of: "Tern", at: later(20))
    let left = try store.reports.list()
    #expect(left.count == 20 - counts.reduce(0) { $0 + $1.reports })
    #expect(left.count >= 1)
    let now = try store.packedSizes()
    #expect(now <= limit || left.count == 1)
    // No more than necessary.
    if left.count > 1, left.count < 20 { #expect(now + size / 20 + 10 > limit - 200) }
    #expect(left.map(\.received).dropLast() == left.map(\.received).dropLast().sorted(by: >)[...])
    try fixture.check()
  }

  @Test("A policy is stored for each app, and the limits of a run override it")
  func policy() throws {
    try fixture.file("a", [StoreFixture.report("k")])
    let policy = Retention(days: 90, bytes: 10_000_000_000, perGroup: nil)
    try store.retention.setLimits(policy, of: "Tern")
    #expect(try store.retention.limits(of: "Tern") == policy)
    #expect(try store.apps.list().map(\.retention) == [policy])
    #expect(
      Retention(days: 7).completed(by: policy) == Retention(days: 7, bytes: 10_000_000_000))
    #expect(throws: StoreError.unknownApp("Other", near: nil)) {
      try store.retention.setLimits(policy, of: "Other")
    }
    #expect(throws: StoreError.unknownApp("Other", near: nil)) {
      try store.retention.limits(of: "Other")
    }
    #expect(throws: StoreError.unknownApp("Other", near: nil)) {
      try store.retention.expire(policy, of: "Other", at: later(0))
    }
  }

  @Test("All of a group's reports removed manually: the group keeps its name and counts")
  func removed() throws {
    let ids = try fixture.file(
      "a", (0..<3).map { StoreFixture.report("k", install: $0 == 0 ? "me" : "you", seconds: $0) })
    #expect(throws: StoreError.notFound("x")) {
      try store.retention.remove(reports: [ids[0], "x"], at: later(0))
    }
    #expect(try store.reports.totals().reports == 3)
    #expect(try store.retention.remove(reports: [ids[0]], at: later(0)) == 1)
    #expect(try store.groups.get("TERN-1").installs == 1)
    #expect(try store.groups.get("TERN-1").exemplar == min(ids[1], ids[2]))
    #expect(try store.groups.get("TERN-1").firstSeen == StoreFixture.start)
    try fixture.check()
    #expect(try store.retention.remove(reports: Array(ids.dropFirst()), at: later(0)) == 2)
    let group = try store.groups.get("TERN-1")
    #expect(group.reports == 3 && group.installs == nil && group.exemplar == "")
    try fixture.check()
    // Its keys still lead to it, and the same bytes are refused.
    try fixture.file("a", [StoreFixture.report("k")])
    #expect(try store.reports.totals().reports == 0)
    let next = try fixture.file("b", [StoreFixture.report("k")])
    #expect(try store.groups.get("TERN-1").exemplar == next[0])
    #expect(try fixture.groups() == ["TERN-1: text of k, 4"])
    try fixture.check()
  }

  @Test("A submission is deleted with the last of its reports")
  func shared() throws {
    let submission = try StoreFixture.prepared(
      "both", [StoreFixture.report("k"), StoreFixture.report("k"), StoreFixture.report("other")])
    try store.reports.add([submission])
    let counts = try store.retention.expire(Retention(days: 1), of: "Tern", at: later(2))
    #expect(counts.map(\.reports) == [1] && counts.map(\.submissions) == [0])
    #expect(try store.reports.totals().submissions == 1)
    try fixture.check()
    let left = try store.reports.list().map(\.id)
    #expect(try store.retention.remove(reports: left, at: later(2)) == 1)
    #expect(try store.reports.totals().submissions == 0)
    try fixture.check()
  }

  @Test("Reports stored, reprocessed, expired and removed: all figures agree", arguments: 0..<6)
  func model(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let id = DebugID(uuid: [9, 9])
    var counted = 0
    for step in 0..<40 {
      let now = later(Int64(step))
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        let text = "n\(Int.random(in: 0..<60, using: &random))"
        let app = Bool.random(using: &random) ? "Tern" : "Other"
        let reports = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
          StoreFixture.report(
            "p\(Int.random(in: 0..<4, using: &random))", provisional: true, waitsFor: [id],
            version: "\(Int.random(in: 0..<3, using: &random))",
            install: "\(Int.random(in: 0..<3, using: &random))",
            seconds: Int64.random(in: -1_000_000..<1_000_000, using: &random))
        }
        let receipt = try store.reports.add([
          try PreparedSubmission(
            Submission(bytes: ByteView(text.utf8), source: text, received: now, app: app),
            reports: reports.map { ($0, ByteView("{\"\(text)\": \(step)}".utf8)) })
        ])[0]
        if !receipt.isDuplicate { counted += receipt.reports.count }
      case 5:
        let some = try store.reports.list().shuffled(using: &random).prefix(5)
        try fixture.replace(
          some.map {
            (
              $0.id,
              StoreFixture.report(
                "k\(Int.random(in: 0..<3, using: &random))", version: $0.version ?? "",
                install: "\(Int.random(in: 0..<3, using: &random))")
            )
          })
      case 6:
        try store.ledger.refuse(
          [Refusal(source: "a", reason: "no report", digest: [UInt8(step % 4)], byteCount: 7)],
          app: step % 2 == 0 ? nil : "Tern", time: now)
      case 7:
        let some = try store.reports.list().shuffled(using: &random).prefix(2)
        try store.retention.remove(reports: some.map(\.id), at: now)
      default:
        let retention = Retention(
          days: Bool.random(using: &random) ? Int.random(in: 0..<20, using: &random) : nil,
          bytes: Bool.random(using: &random) ? Int.random(in: 0..<2_000, using: &random) : nil,
          perGroup: Bool.random(using: &random) ? Int.random(in: 0..<4, using: &random) : nil)
        for app in try store.apps.list() {
          let expected = try store.retention.expiring(retention, of: app.name, at: now)
          #expect(try store.retention.expire(retention, of: app.name, at: now) == expected)
        }
        _ = try store.retention.sweep(grace: 0)
        for report in try store.reports.list() { _ = try store.reports.get(report.id) }
      }
      try fixture.check()
      #expect(try store.reports.totals().counted == counted)
    }
    #expect(counted > 10)
  }
}

extension Content {
  static func digest(_ text: String) throws -> [UInt8] {
    try Content(ByteView(text.utf8)).digest
  }
}

extension CrashStore {
  /// The space that the contents of all reports take.
  func packedSizes() throws -> Int {
    let rows = try read { database in
      let rows = try database.prepare("SELECT id FROM reports")
      var ids: [RowID<Tables.Reports>] = []
      while try rows.step() { try ids.append(rows.id("id")) }
      return ids
    }
    return try rows.reduce(0) { $0 + (try packedSize(of: $1, withSubmission: true)) }
  }
}
