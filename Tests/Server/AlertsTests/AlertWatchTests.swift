import Bytes
import CrashModel
import Database
import Identifiers
import ServerStore
import TestSupport
import Testing

@testable import Alerts
@testable import CrashService
@testable import CrashStore

@Suite("Conditions of alert rules")
struct AlertWatchTests {
  private let folder = ScratchFolder()
  private let store: CrashStore
  private let server: ServerStore
  private let table: AlertsTable

  init() throws {
    store = try CrashStore(opening: folder.path("home"))
    server = try ServerStore(opening: folder.path("home"))
    table = AlertsTable(in: server)
    let hook = AlertTarget.Webhook(url: "http://127.0.0.1:1", preset: .json, secret: "secret")
    try table.set(AlertTarget(name: "ci", way: .webhook(hook)), now: CrashStore.now)
  }

  /// - Parameter change: Changes to the default rule of its kind.
  @discardableResult
  private func add(
    _ kind: AlertRule.Kind, now: Timestamp = CrashStore.now,
    _ change: (inout AlertRule) -> Void = { _ in }
  ) throws -> Int {
    var rule = AlertRule(kind, to: "ci", created: now.wholeMicroseconds, author: "me")
    change(&rule)
    return try rule.add(to: table, of: store)
  }

  private static func report(
    _ key: String, version: String = "1.0", time: Timestamp = CrashStore.now,
    install: String? = nil,
    isProvisional: Bool = false
  ) -> CrashReport {
    var report = CrashReport(format: .appleIPS, kind: .crash)
    report.app = AppIdentity(name: "Tern", version: version, build: "7")
    report.time = time
    report.install = install
    report.reason = CrashReason(type: "EXC_BAD_ACCESS", signal: "SIGSEGV", address: Address(16))
    report.signature = Signature(
      text: "text of \(key)", key: key, category: .signal, rules: "v1", isProvisional: isProvisional
    )
    return report
  }

  @discardableResult
  private func file(
    _ text: String, _ report: CrashReport, app: String = "Tern",
    received: Timestamp = CrashStore.now
  ) throws -> String {
    let submission = Submission(
      bytes: ByteView(text.utf8), source: text, received: received, app: app)
    let receipts = try store.reports.add([
      try PreparedSubmission(
        submission, reports: [(report, ByteView("{\"document\": \"\(text)\"}".utf8))])
    ])
    return try #require(receipts.first?.reports.first?.report)
  }

  /// Reprocesses reports, as if their debug files had arrived.
  private func reprocess(_ reports: [(id: String, report: CrashReport)]) throws {
    try store.write(.global) { database in
      for (id, _) in reports {
        try database.run(
          "INSERT INTO redo (app, report) SELECT app, id FROM reports WHERE name = ?1 ON CONFLICT DO NOTHING",
          id)
      }
    }
    try store.reports.replace(
      reports.map {
        .replaced(
          try PreparedReplacement(
            of: $0.id, received: CrashStore.now, by: $0.report, document: ByteView("{}".utf8),
            arrivals: .max))
      })
    while try store.groups.settle() {}
  }

  /// The alerts that a check finds, as `rule: name`.
  private func look(now: Timestamp = CrashStore.now) throws -> [String] {
    let last = try table.log(1).first?.number ?? 0
    try AlertWatch(store: store, server: server).look(now: now)
    for (rule, _, _) in try table.waiting() { try table.compose(rule, now: now) }
    return try table.log(100).filter { $0.number > last }.flatMap { delivery in
      try table.alerts(of: delivery.number).map { "\(delivery.rule): \($0.name)" }
    }.sorted()
  }

  @Test("A new group alerts once, by the rules for it")
  func newGroups() throws {
    try file("old", Self.report("k0"))
    try file("gull", Self.report("k0"), app: "Gull")
    try add(.newGroup)
    try add(.newGroup) { $0.app = "Gull" }
    try add(.newGroup) { $0.query = "version:2.*" }
    try add(.regression)
    #expect(try look() == [])
    try file("a", Self.report("k1"))
    try file("again", Self.report("k0"))
    #expect(try look() == ["1: TERN-2"])
    try file("b", Self.report("k1"))
    #expect(try look() == [])
    try file("c", Self.report("k2", version: "2.1"))
    try file("d", Self.report("k2"), app: "Gull")
    #expect(try look() == ["1: GULL-2", "1: TERN-3", "2: GULL-2", "3: TERN-3"])
    #expect(try look() == [])
  }

  @Test("Groups that late debug files make from existing reports are not new")
  func lateSymbols() throws {
    try add(.newGroup)
    let first = try file("a", Self.report("p", isProvisional: true))
    let second = try file("b", Self.report("p", isProvisional: true))
    #expect(try look() == ["1: TERN-1"])
    let alert = try #require(try table.alerts(of: 1).first)
    #expect(
      alert.detail.contains("symbols are missing") && alert.detail.contains("first in 1.0 (7)"))
    // One keeps the group, the other gets a new one.
    try reprocess([(first, Self.report("k1")), (second, Self.report("k2"))])
    #expect(try store.groups.list().items.count == 2)
    #expect(try look() == [])
    // A provisional group turns out to be an existing one.
    let third = try file("c", Self.report("q", isProvisional: true))
    #expect(try look().count == 1)
    try reprocess([(third, Self.report("k1"))])
    #expect(try store.groups.list().items.count == 2)
    #expect(try look() == [])
  }

  @Test("A rule made while the clock was ahead alerts like any other")
  func clockAhead() throws {
    let now = CrashStore.now
    let ahead = Timestamp(seconds: now.seconds + 30 * 86_400)
    try file("old", Self.report("k0"))
    try add(.newGroup, now: ahead)
    try add(.spike, now: ahead)
    #expect(try look(now: ahead) == [])
    try file("a", Self.report("k1"))
    #expect(try look(now: now) == ["1: TERN-2"])
    let mark = try #require(try table.lastConditions())
    #expect(Timestamp(microseconds: mark) == now.wholeMicroseconds)
  }

  @Test("An app keeps its rules when it is renamed; a missing app is a problem")
  func renamedApp() throws {
    try file("old", Self.report("k0"))
    for kind in [AlertRule.Kind.newGroup, .spike] { try add(kind) { $0.app = "Tern" } }
    var error = #expect(throws: AlertError.self) { try add(.newGroup) { $0.app = "Turn" } }
    #expect(error?.description == "there is no app named Turn; did you mean 'Tern'?")
    error = #expect(throws: AlertError.self) { try add(.newGroup) { $0.app = "x" } }
    #expect(error?.description == "there is no app named x")
    try store.apps.rename("Tern", to: "Arctic Tern")
    try file("a", Self.report("k1"), app: "Arctic Tern")
    #expect(try look() == ["1: TERN-2"])
    #expect(try table.rules().allSatisfy { $0.problem == nil })
    var rule = AlertRule(.regression, to: "ci", created: CrashStore.now, author: "")
    rule.app = "Gull"
    _ = try table.add(rule, after: [:])
    try file("b", Self.report("k2"), app: "Arctic Tern")
    #expect(try look() == ["1: TERN-3"])
    _ = try store.triage.resolve(["TERN-1"], by: "ann")
    try file("c", Self.report("k0", version: "2.0"), app: "Arctic Tern")
    #expect(try look() == [])
    #expect(try table.rules().last?.problem == "there is no app named Gull")
  }

  @Test("A restored home does not alert about its old groups")
  func restored() throws {
    try add(.newGroup)
    try file("a", Self.report("k1"))
    let rules = try server.lines(of: .alertRules)
    let other = try ServerStore(opening: folder.path("restored"))
    try other.load(rules, into: .alertRules)
    try AlertWatch(store: store, server: other).look(now: CrashStore.now)
    #expect(try AlertsTable(in: other).waiting().isEmpty)
    try file("b", Self.report("k2"))
    try AlertWatch(store: store, server: other).look(now: CrashStore.now)
    #expect(try AlertsTable(in: other).waiting().count == 1)
  }

  @Test("A group alerts whose line has a smaller number than one of another app that was read")
  func committedLater() throws {
    try file("gull", Self.report("k0"), app: "Gull")
    try add(.newGroup)
    try file("a", Self.report("k1"))
    try store.write(.global) {
      try $0.run("UPDATE group_history SET id = 100 WHERE id = (SELECT max(id) FROM group_history)")
    }
    #expect(try look() == ["1: TERN-1"])
    try file("b", Self.report("k2"), app: "Gull")
    try store.write(.global) { try $0.run("UPDATE group_history SET id = 50 WHERE id = 101") }
    // A later rule ignores the line, which is still to be read for the first.
    try add(.newGroup)
    // All lines of an app that is created later are new.
    try file("c", Self.report("k1"), app: "Skua")
    #expect(try look() == ["1: GULL-2", "1: SKUA-1", "2: SKUA-1"])
    #expect(try look() == [])
  }

  @Test("After an upgrade, alerts continue at the mark that all apps had")
  func upgraded() throws {
    try file("gull", Self.report("k0"), app: "Gull")
    try add(.newGroup)
    try file("a", Self.report("k1"))
    #expect(try look() == ["1: TERN-1"])
    let mark = try store.groups.lastEvent()
    let database = try Connection(opening: folder.path("home/server.db"))
    try database.run("DELETE FROM alert_app_marks")
    try database.run("UPDATE alert_marks SET value = ?1 WHERE name = 'history'", mark)
    try file("b", Self.report("k2"), app: "Gull")
    #expect(try look() == ["1: GULL-2"])
    try file("c", Self.report("k2"))
    #expect(try look() == ["1: TERN-2"])
  }

  @Test("A group that comes back alerts once each time")
  func regressions() throws {
    let first = try file("a", Self.report("k1"))
    try add(.regression)
    _ = try store.triage.resolve(["TERN-1"], by: "ann")
    #expect(try look() == [])
    try file("b", Self.report("k1", version: "2.0"))
    try file("c", Self.report("k1", version: "2.0"))
    #expect(try look() == ["1: TERN-1"])
    try reprocess([(first, Self.report("k1"))])
    #expect(try look() == [])
  }

  @Test("A group with many more reports than before, from several installations, is a spike")
  func spikes() throws {
    let now = CrashStore.now
    func ago(_ seconds: Int64) -> Timestamp { Timestamp(seconds: now.seconds - seconds) }
    for hour in 1...100 {
      try file(
        "past-\(hour)", Self.report("k1", time: ago(Int64(hour) * 5_000 + 3_600)),
        received: ago(Int64(hour) * 5_000 + 3_600))
    }
    for number in 0..<12 {
      // The first comes from many installations, the second repeatedly from one, the third long after the
      // crash.
      try file(
        "now-\(number)", Self.report("k1", time: ago(60), install: "i\(number)"), received: ago(60))
      try file("one-\(number)", Self.report("k2", time: ago(60), install: "i"), received: ago(60))
      try file(
        "late-\(number)", Self.report("k3", time: ago(9 * 86_400), install: "i\(number)"),
        received: ago(60))
    }
    try add(.spike, now: now) { $0.least = 10 }
    try add(.spike, now: now) { $0.basis = .app }
    try add(.spike, now: now) { $0.factor = 10_000_00 }
    try add(.spike, now: now) { $0.query = "version:9" }
    #expect(try look(now: now) == ["1: TERN-1", "2: "])
    #expect(
      try table.alerts(of: 1).map(\.detail) == [
        "12 reports from 12 users in 1 hour; usually 0.7"
      ])
    #expect(try look(now: Timestamp(seconds: now.seconds + 601)) == [])
  }

  @Test("After a silent week, many reports are a spike, whatever the window", arguments: [1, 168])
  func spikeAfterSilence(hours: Int) throws {
    let now = CrashStore.now
    func ago(_ seconds: Int64) -> Timestamp { Timestamp(seconds: now.seconds - seconds) }
    let (long, short) = (ago(30 * 86_400), ago(60))
    try file("old", Self.report("k1", time: long), received: long)
    for number in 0..<12 {
      try file(
        "now-\(number)", Self.report("k1", time: short, install: "i\(number)"), received: short)
    }
    try add(.spike, now: now) { $0.window = hours * 3_600 }
    #expect(try look(now: now) == ["1: TERN-1"])
    let alert = try #require(try table.alerts(of: 1).first)
    #expect(alert.detail.hasSuffix("; usually 0"))
  }

  @Test("With many groups, a chance spike of one is more likely", arguments: [0, 10])
  func manyGroups(others: Int) throws {
    let now = CrashStore.now
    func ago(_ seconds: Int64) -> Timestamp { Timestamp(seconds: now.seconds - seconds) }
    let (long, past, short) = (ago(30 * 86_400), ago(3 * 86_400), ago(60))
    try file("old", Self.report("k0", time: long), received: long)
    for number in 0..<others {
      try file("past-\(number)", Self.report("o\(number)", time: past), received: past)
    }
    // That half of the time has all of 12 reports is chance in one of 4,096 groups.
    for number in 0..<12 {
      try file(
        "now-\(number)", Self.report("k1", time: short, install: "i\(number)"), received: short)
    }
    try add(.spike, now: now) { $0.window = 7 * 86_400 }
    #expect(try look(now: now) == (others == 0 ? ["1: TERN-2"] : []))
  }

  @Test("A low crash-free rate alerts once there are enough sessions")
  func crashFree() throws {
    let now = CrashStore.now
    for number in 0..<50 {
      var batch = ClientBatch(app: "Tern", received: now, install: "i\(number % 10)")
      batch.sessions = [
        ClientBatch.Session(id: "s\(number)", time: now, version: "1.0", build: "7")
      ]
      if number == 0 {
        let prepared = try PreparedSubmission(
          Submission(bytes: ByteView("crash".utf8), source: "crash", received: now, app: "Tern"),
          reports: [(Self.report("k1", install: "i0"), ByteView("{}".utf8))])
        batch.reports = [
          ClientBatch.Report(
            prepared, id: "r", kind: .crash, session: "s0", time: now, version: "1.0", build: "7")
        ]
      }
      _ = try store.sessions.add(batch)
    }
    try add(.crashFree, now: now) { ($0.least, $0.below) = (50, 98_01) }
    try add(.crashFree, now: now) { ($0.least, $0.below) = (50, 98_00) }
    try add(.crashFree, now: now) { ($0.least, $0.below) = (51, 99_00) }
    try add(.crashFree, now: now) { ($0.least, $0.below, $0.basis) = (50, 95_00, .users) }
    var rule = AlertRule(.crashFree, to: "ci", created: now.wholeMicroseconds, author: "")
    rule.app = "Gull"
    _ = try table.add(rule, after: [:])
    _ = try look(now: now)
    let titles = try table.log(10).flatMap { try table.alerts(of: $0.number).map(\.title) }
    #expect(Set(titles) == ["98% of sessions were crash-free", "90% of users were crash-free"])
    #expect(try table.rules().last?.problem?.contains("Gull") == true)
    let mark = try #require(try table.lastConditions())
    #expect(Timestamp(microseconds: mark) == now.wholeMicroseconds)
  }

  @Test("A release in use without its own debug file alerts")
  func missingSymbols() throws {
    var report = Self.report("k1", isProvisional: true)
    let id = try #require(DebugID("4c4c44b7555531449a1df8e2d2b5a2a1"))
    var image = LoadedImage(name: "Tern", debugID: id, base: Address(0x1000))
    image.path = "/App/Tern.app/Tern"
    report.images = [image]
    report.signature?.waitsFor = [id]
    try file("a", report)
    try add(.missingSymbols)
    let missing = try store.debugFiles.missing(of: Release(version: "1.0", build: "7"), app: "Tern")
    #expect(try look().count == missing.count)
    #expect(try look(now: Timestamp(seconds: CrashStore.now.seconds + 700)) == [])
  }

  @Test("A damaged query is shown with its rule; other rules are still checked")
  func wrongQuery() throws {
    #expect(throws: AlertError.self) { try add(.newGroup) { $0.query = "version:" } }
    #expect(throws: AlertError.self) { try add(.quarantine) { $0.query = "version:1" } }
    #expect(throws: AlertError.self) { try add(.spike) { $0.basis = .users } }
    #expect(throws: AlertError.self) { try add(.crashFree) { $0.window = 100 } }
    var rule = AlertRule(.newGroup, to: "ci", created: CrashStore.now, author: "")
    rule.query = "nothing:\""
    _ = try table.add(rule, after: [:])
    try add(.newGroup)
    try file("a", Self.report("k1"))
    #expect(try look() == ["2: TERN-1"])
    #expect(try table.rules().map { $0.problem == nil } == [false, true])
  }

  @Test("In a flood, some texts are stored, and the rest is counted")
  func flood() throws {
    for _ in 0..<2 { try add(.newGroup) }
    for number in 0..<AlertsTable.mostWaiting + 5 {
      try file("a\(number)", Self.report("k\(number)"))
    }
    #expect(try look().count == 2 * AlertsTable.mostWaiting)
    #expect(try table.log(2).map(\.more) == [5, 5])
  }

  @Test("Failing to check for alerts does not keep the server from sending others")
  func failure() throws {
    try add(.newGroup)
    try file("a", Self.report("k1"))
    try AlertWatch(store: store, server: server).look(now: CrashStore.now)
    try file("b", Self.report("k2"))
    try store.write(.global) { database in
      try database.run("ALTER TABLE group_history RENAME TO other_history")
    }
    let round = AlertRound(store: store, server: server)
    #expect(throws: DatabaseError.self) { try round.run(now: CrashStore.now) }
    let delivery = try #require(try table.log(1).first)
    #expect(delivery.count == 1 && delivery.attempts == 1)
  }

  @Test("In quiet hours, failed deliveries are not retried")
  func quietHours() throws {
    try add(.newGroup) { $0.quiet = QuietHours("22:00-07:00") }
    try file("a", Self.report("k1"))
    let round = AlertRound(store: store, server: server)
    let midnight = Int64(CrashStore.now.day + 2) * 86_400
    for (hour, attempts) in [(-3, 1), (-1, 1), (3, 1), (7, 2)] as [(Int64, Int)] {
      try round.run(now: Timestamp(seconds: midnight + hour * 3_600))
      #expect(try table.log(1).first?.attempts == attempts, "\(hour)")
    }
  }

  @Test("An unresponsive target is tried once per round, and delays no other")
  func deadTarget() throws {
    let other = AlertTarget.Webhook(url: "http://127.0.0.1:1", preset: .json, secret: "secret")
    try table.set(AlertTarget(name: "other", way: .webhook(other)), now: CrashStore.now)
    for target in ["ci", "ci", "ci", "other"] {
      _ = try AlertRule(.newGroup, to: target, created: CrashStore.now, author: "")
        .add(to: table, of: store)
    }
    try file("a", Self.report("k1"))
    let round = AlertRound(store: store, server: server)
    let now = CrashStore.now
    try round.run(now: now)
    #expect(try table.log(4).reversed().map(\.attempts) == [1, 0, 0, 1])
    try round.run(now: now)
    #expect(try table.log(4).reversed().map(\.attempts) == [1, 1, 0, 1])
  }

  @Test("Failed deliveries are retried, and abandoned in the end")
  func delivery() throws {
    try add(.newGroup)
    try file("a", Self.report("k1"))
    let round = AlertRound(store: store, server: server)
    var now = CrashStore.now
    try round.run(now: now)
    var delivery = try #require(try table.log(1).first)
    #expect(delivery.attempts == 1 && delivery.answer?.isEmpty == false)
    guard case .waiting(let due) = delivery.state else {
      Issue.record("it is not tried again")
      return
    }
    #expect((5...11).contains(due.seconds - now.seconds))
    try round.run(now: now)
    #expect(try table.log(1).first?.attempts == 1)
    for _ in 0..<AlertRound.bounds.tries {
      now = Timestamp(seconds: now.seconds + 3_601)
      try round.run(now: now)
    }
    delivery = try #require(try table.log(1).first)
    guard case .failed = delivery.state else {
      Issue.record("it is tried for ever")
      return
    }
    #expect(now.seconds - delivery.created.seconds > AlertRound.bounds.age)
    #expect(delivery.attempts <= AlertRound.bounds.tries)
  }
}
