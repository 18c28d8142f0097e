import Bytes
import Database
import Identifiers
import TestSupport
import Testing

@testable import ServerStore

@Suite("Rules and targets of alerts")
struct AlertsTableTests {
  private let folder = ScratchFolder()
  private let now = Timestamp(seconds: 1_700_000_000)

  private func table() throws -> AlertsTable {
    AlertsTable(in: try ServerStore(checking: folder.path + "/home"))
  }

  private func at(_ seconds: Int64) -> Timestamp { Timestamp(seconds: now.seconds + seconds) }

  private static func hook(_ name: String, _ url: String = "https://example.org/x?token=abc")
    -> AlertTarget
  {
    AlertTarget(
      name: name, way: .webhook(.init(url: url, preset: .json, secret: "a secret of sixteen")))
  }

  private static func mail(
    server: String = "smtp://mail.example.org:587", from: String = "mayday@example.org",
    to: [String] = ["ann@example.org"], user: String? = nil, password: String? = nil,
    isPlain: Bool = false
  ) -> AlertTarget {
    AlertTarget(
      name: "ann",
      way: .mail(
        .init(
          server: server, sender: from, recipients: to, user: user, password: password,
          isPlain: isPlain)))
  }

  /// The marks after a line of the only app.
  private static func marks(_ line: Int) -> AlertsTable.AppMarks { line == 0 ? [:] : [1: line] }

  private static func alert(_ name: String, _ time: Timestamp) -> Alert {
    Alert(time: time, app: "Tern", name: name, title: "title", detail: "detail", path: "/")
  }

  @Test("Rules and targets are found as they were stored")
  func stored() throws {
    let table = try table()
    let mail = Self.mail(
      to: ["ann@example.org", "o'neil+x@mail.example"], user: "mayday", password: "env:SECRET")
    try table.set(Self.hook("ci"), now: now)
    try table.set(mail, now: now)
    #expect(try table.targets() == [mail, Self.hook("ci")])
    var rule = AlertRule(.spike, to: "ann", created: now, author: "me")
    rule.app = "Tern"
    rule.query = "version:2.*"
    (rule.window, rule.least, rule.factor, rule.basis) = (7_200, 20, 250, .app)
    rule.digest = .daily(540)
    rule.quiet = QuietHours("22:00-07:00")
    rule.zone = -210
    rule.number = try table.add(rule, after: [3: 7])
    #expect(try table.rules() == [rule])
    #expect(try table.marks(.history) { [:] } == [3: 7])
    #expect(throws: AlertError.inUse("ann", rules: [rule.number])) {
      try table.removeTarget("ann")
    }
    try table.removeRule(rule.number, now: now)
    try table.removeTarget("ann")
    #expect(throws: AlertError.unknownTarget("ann")) { try table.removeTarget("ann") }
    #expect(throws: AlertError.unknownRule(rule.number)) {
      try table.removeRule(rule.number, now: now)
    }
    #expect(throws: AlertError.unknownTarget("ann")) { try table.add(rule, after: [:]) }
  }

  @Test(
    "An address that could become another header or command is refused",
    arguments: [
      "ann@example.org\r\nBcc: eve@example.org", "ann@example.org\nX: y", "ann", "@example.org",
      "ann@", "ann@@example.org", "ann <ann@example.org>", "ann@example.org>",
      "\"a b\"@example.org",
      "ann@example..org", "ann@-example.org", "ann@example.org SIZE=1", "ann,bob@example.org",
      "ánn@example.org", "ann@exämple.org", "a\u{0}nn@example.org", "-ann@example.org",
      String(repeating: "a", count: 65) + "@example.org",
      "ann@" + String(repeating: "a.", count: 130) + "org",
    ])
  func addresses(text: String) throws {
    for target in [Self.mail(from: text), Self.mail(to: [text])] {
      #expect(throws: AlertError.self) { try target.check() }
    }
  }

  @Test("Usual addresses are accepted")
  func usualAddresses() throws {
    for text in ["a@b", "ann.lee+crashes@mail.example.org", "o'neil@x-1.example", "a_b=c@1.2"] {
      try Self.mail(from: text, to: [text]).check()
    }
  }

  @Test("Targets with wrong addresses or unsafe passwords are refused")
  func wrongTargets() {
    let wrong = [
      Self.hook("x", "file:///etc/passwd"), Self.hook("x", "gopher://example.org"),
      Self.hook("x", "https://user:secret@example.org/"), Self.hook("x", "https:///path"),
      Self.hook("x", "https://example.org/a b"), Self.hook("x", "https://example.org/\r\nX: y"),
      Self.hook("x", "https://example.org/" + String(repeating: "a", count: 2_000)),
      Self.hook(""), Self.hook("a b"), Self.hook("17"), Self.hook("ä"),
      Self.hook(String(repeating: "a", count: 61)),
      Self.mail(server: "https://mail.example.org"), Self.mail(to: []),
      Self.mail(to: Array(repeating: "a@b", count: 21)),
      Self.mail(user: "me"), Self.mail(password: "env:X"),
      Self.mail(user: "me", password: "hunter2"),
      Self.mail(user: "me", password: "file:relative"),
      Self.mail(user: "me", password: "env:X", isPlain: true),
      Self.mail(server: "smtps://mail.example.org", isPlain: true),
    ]
    for target in wrong { #expect(throws: AlertError.self) { try target.check() } }
  }

  @Test("Only the host of a webhook is shown")
  func summary() {
    #expect(Self.hook("x").summary == "json webhook at https://example.org")
    #expect(
      Self.mail().summary == "mail to ann@example.org by smtp://mail.example.org:587")
  }

  @Test("Alerts are added once, even if several processes read the histories")
  func marks() throws {
    let table = try table()
    try table.set(Self.hook("ci"), now: now)
    let rule = try table.add(
      AlertRule(.newGroup, to: "ci", created: now, author: "me"), after: [1: 10])
    let found = [rule: [Self.alert("TERN-1", now)]]
    #expect(try table.add(found, upTo: [1: 20], from: [1: 10]))
    #expect(try !table.add(found, upTo: [1: 20], from: [1: 10]))
    #expect(try table.waiting().map(\.since) == [now])
    try table.compose(try #require(try table.rules().first), now: at(1))
    #expect(try table.waiting().isEmpty)
    let delivery = try #require(try table.due(now: at(1), to: "ci"))
    #expect(try table.alerts(of: delivery.number).map(\.name) == ["TERN-1"])
    #expect(delivery.count == 1 && delivery.more == 0)
  }

  @Test("A rule follows histories that became shorter")
  func shorterHistories() throws {
    let table = try table()
    try table.set(Self.hook("ci"), now: now)
    _ = try table.add(AlertRule(.newGroup, to: "ci", created: now, author: ""), after: [1: 10])
    _ = try table.add(
      AlertRule(.newGroup, to: "ci", created: now, author: ""), after: [1: 20, 2: 5])
    #expect(try table.rules().map(\.marks) == [[:], [1: 20, 2: 5]])
    #expect(try table.add([:], upTo: [1: 15], from: [1: 10]))
    #expect(try table.rules().map(\.marks) == [[:], [1: 20, 2: 5]])
    #expect(try table.add([:], upTo: [1: 5], from: [1: 15]))
    #expect(try table.rules().map(\.marks) == [[:], [2: 5]])
    #expect(try table.add([:], upTo: [2: 5], from: [1: 5]))
    #expect(try table.marks(.history) { [:] } == [2: 5])
    #expect(try table.rules().map(\.marks) == [[:], [:]])
  }

  @Test("The mark of an earlier version holds for each app, and so do those of its rules")
  func earlierMark() throws {
    do {
      let old = try Connection(opening: folder.path + "/server.db")
      try ServerSchema.migrations.apply(to: old, upTo: 5)
      for (kind, mark) in [("new-group", 0), ("new-group", 30), ("release", 4)] {
        try old.run(
          """
          INSERT INTO alert_rules (kind, target, query, span, least, factor, below, basis, digest, zone,
            created, author, mark)
          VALUES (?1, 'ci', '', 3600, 1, 300, 1, 'groups', 'immediately', 0, 1, '', ?2)
          """, kind, mark)
      }
      try old.run("INSERT INTO alert_marks (name, value) VALUES ('history', 20), ('news', 0)")
    }
    let table = AlertsTable(in: try ServerStore(checking: folder.path))
    #expect(try table.rules().map(\.kind) == [.newGroup, .newGroup, .release])
    let ends = [1: 40, 2: 7, 3: 25]
    #expect(try table.marks(.history) { ends } == [1: 20, 2: 7, 3: 20])
    #expect(try table.marks(.history) { [:] } == [1: 20, 2: 7, 3: 20])
    #expect(try table.rules().map(\.marks) == [[:], [1: 30, 3: 25], [:]])
    #expect(try table.marks(.news) { [2: 9] } == [:])
    #expect(try table.rules().map(\.marks) == [[:], [1: 30, 3: 25], [2: 4]])
    #expect(try table.add([:], upTo: [1: 40, 2: 7, 3: 25], from: [1: 20, 2: 7, 3: 20]))
    #expect(try table.rules().map(\.marks) == [[:], [:], [2: 4]])
  }

  @Test("A bounded part of a flood is stored, and all are counted")
  func flood() throws {
    let table = try table()
    try table.set(Self.hook("ci"), now: now)
    let rule = try table.add(AlertRule(.newGroup, to: "ci", created: now, author: ""), after: [:])
    let many = (0..<60).map { Self.alert("TERN-\($0)", now) }
    for step in 0..<5 {
      #expect(try table.add([rule: many], upTo: Self.marks(step + 1), from: Self.marks(step)))
    }
    try table.compose(try #require(try table.rules().first), now: now)
    let delivery = try #require(try table.log(1).first)
    #expect(delivery.count == AlertsTable.mostWaiting)
    #expect(delivery.count + delivery.more == 300)
    #expect(
      try table.add([rule: [Self.alert("TERN-1", now)]], upTo: Self.marks(6), from: Self.marks(5)))
    try table.compose(try #require(try table.rules().first), now: now)
    #expect(try table.log(1).map(\.more) == [0])
    #expect(
      try table.add([rule: many], more: [rule: 1_000], upTo: Self.marks(7), from: Self.marks(6)))
    try table.compose(try #require(try table.rules().first), now: now)
    #expect(try table.log(1).map { $0.count + $0.more } == [1_060])
  }

  @Test("Alerts for a rule that was removed meanwhile are dropped")
  func removedMeanwhile() throws {
    let server = try ServerStore(checking: folder.path + "/home")
    let table = AlertsTable(in: server)
    try table.set(Self.hook("ci"), now: now)
    let rule = try table.add(AlertRule(.newGroup, to: "ci", created: now, author: ""), after: [:])
    try table.removeRule(rule, now: now)
    let found = [rule: [Self.alert("TERN-1", now)]]
    #expect(try table.add(found, more: [rule: 7], upTo: Self.marks(1), from: Self.marks(0)))
    let left = try server.read { try $0.integer("SELECT count(*) FROM alerts") }
    #expect(left == 0)
  }

  @Test("A condition alerts once as long as it holds, and again after a pause")
  func conditions() throws {
    let table = try table()
    try table.set(Self.hook("ci"), now: now)
    let rule = try table.add(AlertRule(.quarantine, to: "ci", created: now, author: ""), after: [:])
    var last: Timestamp?
    func note(_ holds: Bool, _ seconds: Int64) throws -> Int {
      let alerts = holds ? ["": Self.alert("", at(seconds))] : [:]
      try table.note(alerts, of: rule, pause: 3_600, last: last, now: at(seconds))
      last = at(seconds)
      guard try !table.waiting().isEmpty else { return 0 }
      try table.compose(try #require(try table.rules().first), now: at(seconds))
      return try #require(try table.log(1).first).count
    }
    #expect(try note(true, 0) == 1)
    #expect(try note(true, 600) == 0)
    #expect(try note(false, 1_200) == 0)
    #expect(try note(true, 1_800) == 0)
    #expect(try note(false, 5_400) == 0)
    #expect(try note(false, 5_401) == 0)
    #expect(try note(true, 6_000) == 1)
    // A server that was down for a long time does not repeat alerts about continuing conditions.
    #expect(try note(true, 1_000_000) == 0)
    // The check that finds the pause over may find the condition again.
    #expect(try note(false, 1_000_600) == 0)
    #expect(try note(true, 1_003_601) == 1)
  }

  @Test("Conditions and deliveries from a clock that was ahead soon recover")
  func clockAhead() throws {
    let table = try table()
    try table.set(Self.hook("ci"), now: now)
    let number = try table.add(
      AlertRule(.quarantine, to: "ci", created: now, author: ""), after: [:])
    let (year, alerts) = (Int64(365 * 86_400), ["": Self.alert("", at(0))])
    try table.note(alerts, of: number, pause: 3_600, last: nil, now: at(year))
    let rule = try #require(try table.rules().first)
    try table.compose(rule, now: at(year))
    let delivery = try #require(try table.due(now: at(0), to: "ci"))
    #expect(try table.begin(delivery, next: at(3_600)))
    #expect(try table.due(now: at(0), to: "ci") == nil)
    try table.note([:], of: number, pause: 3_600, last: at(year), now: at(0))
    try table.note([:], of: number, pause: 3_600, last: at(0), now: at(600))
    try table.note(alerts, of: number, pause: 3_600, last: at(600), now: at(4_000))
    #expect(try table.waiting().count == 1)
  }

  @Test("Only one process at a time claims a delivery, which ends in the log")
  func taking() throws {
    let table = try table()
    try table.set(Self.hook("ci"), now: now)
    let number = try table.add(AlertRule(.newGroup, to: "ci", created: now, author: ""), after: [:])
    try table.add([number: [Self.alert("TERN-1", now)]], upTo: Self.marks(1), from: Self.marks(0))
    let rule = try #require(try table.rules().first)
    try table.compose(rule, now: now)
    let delivery = try #require(try table.due(now: now, to: "ci"))
    #expect(try table.begin(delivery, next: at(10)))
    #expect(try !table.begin(delivery, next: at(10)))
    #expect(try table.due(now: at(9), to: "ci") == nil)
    let again = try #require(try table.due(now: at(10), to: "ci"))
    #expect(again.id == delivery.id && again.attempts == 1)
    #expect(try table.troubles(since: now) == (waiting: 1, failed: 0))
    #expect(try table.begin(again, next: at(30)))
    try table.end(again.number, isSent: false, answer: "500", next: nil, now: at(11))
    #expect(try table.due(now: at(100), to: "ci") == nil)
    #expect(try table.log(5).map(\.state) == [.failed(at(11))])
    #expect(try table.troubles(since: now) == (waiting: 0, failed: 1))
    #expect(try table.troubles(since: at(12)) == (waiting: 0, failed: 0))
    try table.removeRule(number, now: at(11))
    #expect(try table.troubles(since: now) == (waiting: 0, failed: 0))
  }

  @Test("The log keeps the last thousand, but loses nothing that still waits")
  func longLog() throws {
    let table = AlertsTable(in: try ServerStore(opening: folder.path + "/home"))
    try table.set(Self.hook("ci"), now: now)
    let rule = try table.add(AlertRule(.newGroup, to: "ci", created: now, author: ""), after: [:])
    try table.add([rule: [Self.alert("TERN-1", now)]], upTo: Self.marks(1), from: Self.marks(0))
    try table.compose(try #require(try table.rules().first), now: now)
    for _ in 0..<AlertsTable.longestLog + 5 {
      _ = try table.beginTest(of: .newGroup, to: "ci", now: now)
    }
    let log = try table.log(2 * AlertsTable.longestLog)
    #expect(log.count == AlertsTable.longestLog + 1)
    let waiting = try #require(log.last)
    #expect(waiting.rule == rule && waiting.state == .waiting(due: now))
    #expect(try table.alerts(of: waiting.number).count == 1)
    try table.end(waiting.number, isSent: true, answer: "200", next: nil, now: at(1))
    _ = try table.beginTest(of: .newGroup, to: "ci", now: now)
    #expect(try table.log(2 * AlertsTable.longestLog).count == AlertsTable.longestLog)
    #expect(try table.alerts(of: waiting.number).isEmpty)
  }

  @Test("Targets take turns: the one that fails comes last, and each delivery in its order")
  func turns() throws {
    let table = try table()
    for (mark, target) in ["a-dead", "b", "c"].enumerated() {
      try table.set(Self.hook(target), now: now)
      let number = try table.add(
        AlertRule(.newGroup, to: target, created: now, author: ""), after: [:])
      let rule = try #require(try table.rules().last)
      for step in 0..<2 {
        let (former, next) = (2 * mark + step, 2 * mark + step + 1)
        try table.add(
          [number: [Self.alert("TERN-1", now)]], upTo: Self.marks(next), from: Self.marks(former))
        try table.compose(rule, now: now)
      }
    }
    #expect(try table.dueTargets(now: now) == ["a-dead", "b", "c"])
    let first = try #require(try table.due(now: now, to: "a-dead"))
    #expect(try table.begin(first, next: at(60)))
    try table.end(first.number, isSent: false, answer: "", next: at(600), now: at(30))
    #expect(try table.dueTargets(now: now) == ["b", "c", "a-dead"])
    let second = try #require(try table.due(now: now, to: "a-dead"))
    #expect(second.number > first.number && second.attempts == 0)
    #expect(try table.due(now: now, to: "a-dead", after: second.number) == nil)
    #expect(try table.due(now: at(600), to: "a-dead") == table.log(10).last)
    #expect(try table.dueTargets(now: at(-1)) == [])
  }

  @Test("A test is in the log, and only its own process delivers it")
  func test() throws {
    let table = try table()
    let delivery = try table.beginTest(of: .newGroup, to: "ci", now: now)
    #expect(delivery.isTest && delivery.attempts == 0 && delivery.answer == "not finished")
    #expect(try table.due(now: at(1_000_000), to: "ci") == nil)
    try table.endTest(delivery.number, isSent: true, answer: "200", now: at(1))
    let entry = try #require(try table.log(10).first)
    #expect(entry.state == .sent(at(1)) && entry.answer == "200" && entry.attempts == 1)
    #expect(try table.troubles(since: now) == (waiting: 0, failed: 0))
  }

  @Test("The server's address is stored without a trailing slash")
  func serverURL() throws {
    let table = try table()
    #expect(try table.serverURL() == nil)
    for _ in 0..<2 { try table.setServerURL("https://crashes.example.org/") }
    #expect(try table.serverURL() == "https://crashes.example.org")
  }

  @Test("A backup has rules and targets, but no secret")
  func archive() throws {
    let server = try ServerStore(checking: folder.path + "/home")
    let table = AlertsTable(in: server)
    try table.set(Self.hook("ci"), now: now)
    try table.set(Self.mail(user: "me", password: "file:/etc/x"), now: now)
    _ = try table.add(AlertRule(.regression, to: "ci", created: now, author: "me"), after: [:])
    _ = try table.add(
      AlertRule(.regression, to: "ci", created: now, author: "me"), after: [1: 9])
    let other = try ServerStore(checking: folder.path + "/other")
    for kind in [ServerStore.ArchivedTable.alertTargets, .alertRules] {
      let lines = try server.lines(of: kind)
      #expect(!lines.text.contains("a secret of sixteen"))
      try other.load(lines, into: kind)
      #expect(try other.lines(of: kind).text == lines.text)
    }
    let restored = AlertsTable(in: other)
    // For another home's histories, the mark of a rule means nothing.
    #expect(try table.rules().map(\.marks) == [[:], [1: 9]])
    var rules = try table.rules()
    for index in rules.indices { rules[index].marks = [:] }
    #expect(try restored.rules() == rules)
    guard case .webhook(let hook) = try restored.target(named: "ci").way else {
      Issue.record("the target is not a webhook")
      return
    }
    #expect(hook.secret == nil && hook.url == "https://example.org/x?token=abc")
    #expect(try restored.marks(.history) { [:] } == nil)
  }

  @Test("Values from a damaged backup are limited to those that a rule may have")
  func damagedRule() throws {
    let server = try ServerStore(checking: folder.path + "/home")
    let big = "288230376151711743"
    try server.load(
      ByteView(
        """
        {"id":1,"kind":"spike","target":"x","app":null,"query":"","span":\(big),"least":-\(big),\
        "factor":\(big),"below":\(big),"basis":"x","digest":"x","quiet":"x","zone":\(big),\
        "created":\(big),"author":""}
        {"id":2,"kind":"later","target":"x","app":null,"query":"","span":0,"least":0,"factor":0,\
        "below":0,"basis":"","digest":"","quiet":null,"zone":0,"created":0,"author":""}

        """.utf8), into: .alertRules)
    let rules = try AlertsTable(in: server).rules()
    #expect(rules.map(\.number) == [1])
    #expect(rules.first?.window == AlertRule.longestWindow && rules.first?.zone == 14 * 60)
    #expect(rules.first?.least == 0 && rules.first?.below == 100_00)
  }
}
