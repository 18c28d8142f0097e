import Bytes
import CrashModel
import Database
import Identifiers
import Query
import ReportDocument
import TestSupport
import Testing
import TriageModel

@testable import CrashStore

@Suite("Reports beyond the daily limit of their group")
struct DailyLimitTests {
  private let fixture: StoreFixture
  private var store: CrashStore { fixture.store }
  private let debugID = DebugID(uuid: [7, 7])

  init() throws {
    fixture = try StoreFixture()
    try store.retention.setDailyLimit(3)
  }

  private static func later(_ days: Int64) -> Timestamp {
    Timestamp(seconds: StoreFixture.start.seconds + days * 86_400)
  }

  private func account() throws -> LedgerAccount {
    try #require(try store.ledger.get(app: "Tern").accounts.first)
  }

  /// Figures of a group, whichever of its reports are stored.
  private func figures(_ store: CrashStore) throws -> [String] {
    try store.read { database in
      var lines: [String] = []
      for sql in [
        """
        SELECT 'group ' || number || title || state || reports || ' ' || installs || ' ' || versions || ' '
          || first_seen || ' ' || last_seen FROM groups WHERE redirect IS NULL
        """,
        """
        SELECT 'counter ' || grp || ' ' || day || version || build || os || device || sum(count)
        FROM counters GROUP BY grp, day, version, build, os, device
        """,
        "SELECT 'install ' || grp || hex(install) || sum(count) FROM group_installs GROUP BY grp, install",
        "SELECT 'release ' || version || build || reports || first_seen || last_seen FROM releases",
        "SELECT 'day ' || grp || ' ' || day || ' ' || count FROM group_days",
        "SELECT 'spread ' || grp || field || value || count FROM group_spread",
      ] {
        let rows = try database.prepare(sql)
        while try rows.step() { lines.append(rows.text(0)) }
      }
      return lines.sorted()
    }
  }

  private func reports(_ count: Int) -> [CrashReport] {
    (0..<count).map { (number: Int) -> CrashReport in
      let version: String = number % 3 == 0 ? "2.0" : "1.0"
      let system: String = number % 4 == 0 ? "macOS" : "iOS"
      return StoreFixture.report(
        "k\(number % 2)", version: version, install: "\(number % 5)",
        seconds: Int64(number) * 7_000, os: system)
    }
  }

  @Test("Further ones count as others do, and nothing else of them is stored")
  func counted() throws {
    let all = reports(60)
    let receipts = try fixture.fileLimited("a", all)
    let whole = try StoreFixture()
    try whole.file("a", all)
    #expect(try figures(store) == figures(whole.store))
    // Two groups with two versions each.
    #expect(receipts.count { !$0.isCounted } == 12 && receipts.count == 60)
    #expect(try store.reports.totals().reports == 12)
    #expect(try store.reports.totals().counted == 60)
    let account = try account()
    #expect(account.received.count == 60 && account.stored.count == 12)
    #expect(account.counted.amount.count == 48 && account.kept.count == 12)
    #expect(account.counted.parts.map(\.reason) == [DailyLimit.reason])
    #expect(account.reportsStored == 12 && account.reportsCounted.amount.count == 48)
    #expect(account.received.bytes == account.stored.bytes + account.counted.amount.bytes)
    // The bytes and the document of each stored report, and no other.
    #expect(
      try store.contents.database.withLock { try $0.integer("SELECT count(*) FROM contents") } == 24
    )
    try fixture.check()
    try fixture.checkSearch()
    for text in [
      "version:2.0", "os:macOS", "group:TERN-2 version:1.0", "install:3", "device:iPhone*",
    ] {
      let query = GroupQuery(try Query(text, now: Self.later(2)))
      #expect(
        try store.groups.list(query).map(\.reports)
          == whole.store.groups.list(query).map(\.reports),
        "\(text)")
    }
  }

  @Test("The same bytes count once, even if they arrive together")
  func again() throws {
    let report = StoreFixture.report("k")
    try fixture.fileLimited("a", Array(repeating: report, count: 5))
    try fixture.fileLimited("a", Array(repeating: report, count: 5))
    let twice = try ["x", "x", "a-1"].map { try StoreFixture.prepared($0, [report]) }
    let receipts = try store.reports.add(twice, isLimited: true)
    #expect(receipts.map(\.isDuplicate) == [false, true, true])
    #expect(try store.groups.get("TERN-1").reports == 6)
    let account = try account()
    #expect(account.stored.count == 3 && account.counted.amount.count == 3)
    #expect(account.duplicates.amount.count == 7 && account.received.count == 13)
    try fixture.check()
  }

  @Test("Reports with new facts are stored: symbols, files, a dump, a version, a day, a key")
  func lacking() throws {
    func one(_ name: String, _ report: CrashReport, file: Bool = false, days: Int64 = 0) throws
      -> Bool
    {
      var prepared = try StoreFixture.prepared(name, [report], received: Self.later(days))
      if file {
        prepared.attach(try PreparedAttachment("log.txt", ByteView("log of \(name)".utf8)))
      }
      let receipt = try store.reports.add([prepared], isLimited: true)[0]
      let isStored = try store.reports.list().map(\.id).contains(receipt.reports[0].report)
      #expect(receipt.reports[0].isCounted == !isStored)
      #expect(receipt.attachments.added == (file && isStored ? 1 : 0))
      return isStored
    }
    func image(_ isFound: Bool) -> LoadedImage {
      var image = LoadedImage(name: "Tern", debugID: debugID)
      image.symbols = SymbolStatus(isFound ? .found : .missing, tried: [])
      return image
    }
    var bare = StoreFixture.report("k")
    bare.images = [image(false)]
    for number in 0..<3 { #expect(try one("a\(number)", bare)) }
    #expect(try !one("b", bare))
    #expect(try one("file", bare, file: true))
    #expect(try !one("another file", bare, file: true))
    var dump = bare
    dump.format = ReportFormat("minidump")
    #expect(try one("dump", dump))
    #expect(try !one("another dump", dump))
    var full = bare
    full.images = [image(true)]
    #expect(try one("symbols", full))
    #expect(try !one("more symbols", full))
    #expect(try store.groups.get("TERN-1").exemplar.isEmpty == false)
    var next = bare
    next.app.version = "1.1"
    #expect(try one("version", next))
    #expect(try one("next day", bare, days: 1))
    #expect(try one("other", StoreFixture.report("other")))
    #expect(try one("reading", StoreFixture.report("new", alternatives: ["k"])))
    #expect(try !one("still", bare))
    try fixture.check()
  }

  @Test("A report that shows a regression is stored; those of older releases are not")
  func regression() throws {
    try fixture.fileLimited("a", (0..<5).map { _ in StoreFixture.report("k", version: "1.0") })
    try fixture.fileLimited("b", (0..<5).map { _ in StoreFixture.report("k", version: "2.0") })
    try store.triage.resolve(["TERN-1"], .inRelease(Release(version: "2.0")), by: "ann")
    let old = try fixture.fileLimited("c", [StoreFixture.report("k", version: "1.0")])
    #expect(old.map(\.isCounted) == [true])
    #expect(try store.groups.get("TERN-1").state == .resolved)
    let new = try fixture.fileLimited("d", [StoreFixture.report("k", version: "2.0")])
    #expect(new.map(\.isCounted) == [false] && new.map(\.isRegression) == [true])
    #expect(try store.groups.get("TERN-1").state == .regressed)
    try fixture.check()
  }

  @Test("An app has its own limit, the home has one, and 0 means none")
  func settings() throws {
    let report = StoreFixture.report("k")
    try store.apps.add("Tern", secret: nil)
    #expect(try store.retention.dailyLimit() == 3)
    try store.retention.setLimits(Retention(perDay: 5), of: "Tern")
    #expect(try store.retention.limits(of: "Tern").perDay == 5)
    #expect(try store.apps.list().first?.retention.perDay == 5)
    #expect(
      try fixture.fileLimited("a", Array(repeating: report, count: 7)).count { $0.isCounted } == 2)
    try store.retention.setLimits(Retention(), of: "Tern")
    #expect(try fixture.fileLimited("b", [report]).map(\.isCounted) == [true])
    try store.retention.setLimits(Retention(perDay: 0), of: "Tern")
    #expect(try fixture.fileLimited("c", [report]).map(\.isCounted) == [false])
    try store.retention.setLimits(Retention(), of: "Tern")
    try store.retention.setDailyLimit(0)
    #expect(try store.retention.dailyLimit() == nil)
    #expect(try fixture.fileLimited("d", [report]).map(\.isCounted) == [false])
    // Reports ingested by a user are always stored.
    try store.retention.setDailyLimit(1)
    try fixture.file("e", [report])
    #expect(try store.reports.totals().reports == 8)
    try fixture.check()
  }

  @Test("Late symbols: the count follows the stored reports of its build, stack and key")
  func lateSymbols() throws {
    func waiting(_ version: String, seconds: Int64) -> CrashReport {
      StoreFixture.report(
        "p", provisional: true, waitsFor: [debugID], version: version, install: "\(seconds % 4)",
        seconds: seconds)
    }
    func real(_ key: String, _ version: String, seconds: Int64) -> CrashReport {
      StoreFixture.report(key, version: version, install: "\(seconds % 4)", seconds: seconds)
    }
    func shown(_ store: CrashStore) throws -> [String] {
      try store.groups.list().map {
        "\($0.signature.text) \($0.reports) \($0.installs ?? 0) \($0.firstSeen?.seconds ?? 0)"
      }.sorted()
    }
    let one = try fixture.fileLimited("a", (0..<8).map { waiting("1.0", seconds: $0) })
    let two = try fixture.fileLimited("b", (0..<6).map { waiting("2.0", seconds: 10 + $0) })
    #expect(try store.groups.get("TERN-1").reports == 14)
    // The file of the first version arrives: one address of it is another function.
    try fixture.replace(
      one.filter { !$0.isCounted }.enumerated().map {
        (id: $1.report, report: real("k1", "1.0", seconds: Int64($0)))
      }, batch: 1)
    try fixture.check()
    #expect(try shown(store).map { $0.prefix(12) } == ["text of k1 8", "text of p 6 "])
    try fixture.replace(
      two.filter { !$0.isCounted }.enumerated().map {
        (id: $1.report, report: real("k2", "2.0", seconds: Int64(10 + $0)))
      })
    try fixture.check()
    try fixture.checkSearch()
    // As if all had arrived with symbols.
    let whole = try StoreFixture()
    try whole.file("a", (0..<8).map { real("k1", "1.0", seconds: $0) })
    try whole.file("b", (0..<6).map { real("k2", "2.0", seconds: 10 + $0) })
    #expect(try shown(store) == shown(whole.store))
  }

  @Test("Merged, separated, split by a key and undone: the count is where its key is")
  func byHand() throws {
    try fixture.fileLimited(
      "a", (0..<6).map { StoreFixture.report("k1", install: "x", seconds: $0) })
    try fixture.fileLimited(
      "b", (0..<5).map { StoreFixture.report("k2", install: "y", seconds: $0) })
    let before = try figures(store)
    func check() throws {
      try fixture.check()
      try fixture.checkSearch()
    }
    try store.triage.merge(["TERN-2"], into: "TERN-1", by: "ann")
    #expect(try store.groups.get("TERN-1").reports == 11)
    try fixture.fileLimited("c", [StoreFixture.report("k2", install: "y")])
    try check()
    try store.triage.undo(["TERN-1"], by: "ann")
    #expect(try fixture.groups() == ["TERN-1: text of k1, 6", "TERN-2: text of k2, 6"])
    try check()
    #expect(try figures(store) != before)

    let other = try StoreFixture()
    try other.store.retention.setDailyLimit(2)
    for key in ["k1", "k2"] {
      try other.fileLimited(
        key,
        (0..<4).map { StoreFixture.report(key, alternatives: ["k1"], install: key, seconds: $0) })
    }
    let whole = try figures(other.store)
    #expect(try other.groups().map { $0.suffix(3) } == [", 8"])
    try other.store.triage.split("TERN-1", keys: ["k2"], by: "ann")
    #expect(try other.groups().map { $0.suffix(1) } == ["4", "4"])
    #expect(try other.store.groups.list().map(\.installs) == [1, 1])
    try other.check()
    try other.checkSearch()
    try other.store.triage.undo(["TERN-1"], by: "ann")
    #expect(try figures(other.store) == whole)
    try other.check()
    try other.checkSearch()
  }

  @Test("If a rule split a group, a counted report is counted where the rule leads")
  func splitByRule() throws {
    func add(_ name: String, _ report: CrashReport) throws -> Receipt.StoredUnder {
      let id = ReportID.ids(of: ByteView(name.utf8), app: "Tern", count: 1)[0]
      let submission = Submission(
        bytes: ByteView(name.utf8), source: name, received: StoreFixture.start, app: "Tern")
      let document = ByteView(report.document(id: id, received: StoreFixture.start))
      return try store.reports.add(
        [PreparedSubmission(submission, reports: [(report, document)])], isLimited: true
      )[0].reports[0]
    }
    for number in 0..<3 {
      for os in ["iOS", "macOS"] {
        _ = try add("a\(number)\(os)", StoreFixture.report("k", seconds: Int64(number), os: os))
      }
    }
    let part = try store.triage.split("TERN-1", where: "os:macOS", by: "ann").new.id
    var counted: [String: Int] = [:]
    for number in 0..<8 {
      let os = number < 5 ? "macOS" : "iOS"
      let receipt = try add("b\(number)", StoreFixture.report("k", seconds: Int64(number), os: os))
      #expect(receipt.group == (os == "macOS" ? part : "TERN-1"))
      if receipt.isCounted { counted[receipt.group, default: 0] += 1 }
    }
    #expect(counted[part] ?? 0 >= 2 && counted["TERN-1"] ?? 0 == 3)
    #expect(
      try store.groups.get("TERN-1").reports + store.groups.get(part).reports
        == store.reports.totals().counted)
    try fixture.check()
  }

  @Test("An erasure leaves no byte of the installation, and the counts stay")
  func erased() throws {
    var reports = (0..<8).map { StoreFixture.report("k", install: "mine", seconds: $0) }
    for index in reports.indices {
      reports[index].user = "jo@example.com"
      reports[index].reason.message = "jo wrote this"
    }
    try fixture.fileLimited("a", reports)
    try fixture.fileLimited("b", [StoreFixture.report("k", install: "other")])
    #expect(try store.groups.get("TERN-1").installs == 2)
    let subject = ErasureSubject.install(["mine"])
    let dry = try store.retention.erase(subject, at: StoreFixture.start, isDry: true)
    let count = try store.retention.erase(subject, at: StoreFixture.start)
    #expect(count == dry && count.reports == 3)
    let hash = ReportRow.hash(ofInstall: "mine")
    let left = try store.read { database in
      try [
        database.integer("SELECT 1 FROM counted_reports WHERE install = ?1", hash),
        database.integer("SELECT 1 FROM group_installs WHERE install = ?1", hash),
        database.integer("SELECT 1 FROM search_past WHERE install = ?1", SearchEntry.install(hash)),
        database.integer("SELECT 1 FROM search_terms WHERE text LIKE '%jo%wrote%'"),
      ]
    }
    #expect(left == [nil, nil, nil, nil])
    let group = try store.groups.get("TERN-1")
    #expect(group.reports == 9 && group.installs == 1)
    try fixture.check()
  }

  @Test("A user is erased, and with them what their installation is counted by")
  func erasedUser() throws {
    var reports = (0..<8).map { StoreFixture.report("k", install: "mine", seconds: $0) }
    for index in reports.indices { reports[index].user = "jo@example.com" }
    try fixture.fileLimited("a", reports)
    _ = try store.retention.erase(.user(["jo@example.com"]), at: StoreFixture.start)
    #expect(try store.groups.get("TERN-1").reports == 8)
    #expect(try store.groups.get("TERN-1").installs ?? 0 == 0)
    let hash = ReportRow.hash(ofInstall: "mine")
    #expect(
      try store.read {
        try $0.integer("SELECT 1 FROM counted_reports WHERE install = ?1", hash)
      } == nil)
    try fixture.check()
    // The group has no exemplar now: the next report is stored completely.
    #expect(try fixture.fileLimited("z", [StoreFixture.report("k")]).map(\.isCounted) == [false])
    try fixture.check()
  }

  @Test("Removing and expiring stored ones keeps the others counted")
  func removed() throws {
    let ids = try fixture.fileLimited(
      "a", (0..<9).map { StoreFixture.report("k", install: "x", seconds: $0) })
    let first = try #require(ids.first { !$0.isCounted }?.report)
    try store.retention.remove(reports: [first], at: Self.later(1))
    #expect(try store.groups.get("TERN-1").installs == 1)
    _ = try store.retention.expire(Retention(perGroup: 1), of: "Tern", at: Self.later(1))
    _ = try store.retention.sweep(grace: 0)
    #expect(try store.groups.get("TERN-1").reports == 9)
    let account = try account()
    #expect(account.reportsKept + account.reportsExpired.amount.count + account.reportsRemoved == 3)
    #expect(account.reportsCounted.amount.count == 6)
    try fixture.check()
  }

  @Test("An App Center SDK's reports: attachments of counted ones are not stored")
  func clients() throws {
    func send(_ id: String, file: String? = nil, report: Bool = true) throws -> ClientReceipt {
      var batch = ClientBatch(app: "Tern", received: StoreFixture.start, install: id)
      if report {
        batch.reports = [
          ClientBatch.Report(
            try StoreFixture.prepared(id, [StoreFixture.report("k", install: id)]), id: id,
            kind: .crash, session: nil, time: StoreFixture.start, version: "1.0", build: "7")
        ]
      }
      if let file {
        batch.attachments = [(id, try PreparedAttachment("log.txt", ByteView(file.utf8)))]
      }
      return try store.sessions.add(batch)
    }
    for number in 0..<3 { _ = try send("a\(number)", file: "log \(number)") }
    func contents() throws -> Int? {
      try store.contents.database.withLock { try $0.integer("SELECT count(*) FROM contents") }
    }
    let before = try contents()
    for number in 0..<4 {
      let receipt = try send("b\(number)", file: "more \(number)")
      #expect(receipt.reports[0].reports.map(\.isCounted) == [true])
      #expect(receipt.attachments.leftOut.isEmpty && receipt.isNew)
    }
    // Its file arrives later, on its own.
    _ = try send("b0", file: "late", report: false)
    #expect(try contents() == before)
    // Each crash counts for the rate.
    #expect(try store.sessions.crashFree(app: "Tern").crashes == 7)
    #expect(try store.groups.get("TERN-1").reports == 7)
    #expect(try send("b0", file: "more 0").reports[0].isDuplicate)
    try fixture.check()
  }

  @Test("The only table look-up for a report uses their keys")
  func plan() throws {
    try fixture.fileLimited("a", reports(30))
    let steps = try store.read { database in
      let rows = try database.prepare(
        "EXPLAIN QUERY PLAN " + DailyLimit.byKey, ["k0", 19_675, "1.0", "7", 1])
      var steps: [String] = []
      while try rows.step() { steps.append(rows.text(3)) }
      return steps
    }
    #expect(!steps.isEmpty && !steps.contains { $0.hasPrefix("SCAN") }, "\(steps)")
    #expect(steps.contains { $0.contains("day=? AND grp=? AND version=? AND build=?") }, "\(steps)")
  }

  @Test("Past days are forgotten")
  func days() throws {
    for day in 0..<40 {
      try fixture.fileLimited(
        "d\(day)", [StoreFixture.report("k")], received: Self.later(Int64(day)))
    }
    let rows = try store.read { try $0.requiredInteger("SELECT count(*) FROM group_intake") }
    #expect(rows == 31)
  }
}
