import Bytes
import Identifiers
import ServerStore
import TestSupport
import Testing
import Updates

@testable import Alerts
@testable import CrashService
@testable import CrashStore

@Suite("Alerts about releases and invitations")
struct DistributionAlertTests {
  private let folder = ScratchFolder()
  private let store: CrashStore
  private let server: ServerStore
  private let table: AlertsTable

  init() throws {
    store = try CrashStore(opening: folder.path("home"))
    server = try ServerStore(opening: folder.path("home"))
    table = AlertsTable(in: server)
    try store.apps.add("Tern", secret: nil)
  }

  private var distribution: CrashStore.Distribution { store.distribution }

  @Test("Rules about releases and invitations alert once, of later events of their app")
  func alerts() throws {
    let hook = AlertTarget.Webhook(url: "http://127.0.0.1:1", preset: .json, secret: "secret")
    try table.set(AlertTarget(name: "ci", way: .webhook(hook)), now: CrashStore.now)
    try store.apps.add("Gull", secret: nil)
    func add(_ kind: AlertRule.Kind, app: String? = nil) throws -> Int {
      var rule = AlertRule(kind, to: "ci", created: CrashStore.now.wholeMicroseconds, author: "me")
      rule.app = app
      return try rule.add(to: table, of: store)
    }
    func invite(_ email: String, of app: String = "Tern") throws {
      _ = try distribution.invite(email, to: "Collaborators", of: app, by: "bob")
    }
    try invite("old@example.org")
    let all = try add(.invitation)
    let some = try add(.invitation, app: "Gull")
    let releases = try add(.release)
    try invite("ada@example.org")
    try invite("eve@example.org", of: "Gull")
    let watch = AlertWatch(store: store, server: server)
    try watch.look(now: CrashStore.now)
    try watch.look(now: CrashStore.now)
    #expect(try table.waiting().map(\.rule.number) == [all, some])
    for rule in try table.rules() { try table.compose(rule, now: CrashStore.now) }
    let log = try table.log(10)
    let delivery = try #require(log.first { $0.rule == all })
    let alerts = try table.alerts(of: delivery.number)
    #expect(
      alerts.map(\.title) == [
        "ada@example.org for Collaborators", "eve@example.org for Collaborators",
      ])
    #expect(alerts.first?.detail == "invited by bob" && alerts.first?.path == "/releases")
    var package = AppPackage(.ipa)
    (package.version, package.build) = ("1.0", "1")
    _ = try distribution.add(
      ByteView("bytes".utf8), named: "tern.ipa", package: package, to: "Tern", by: "ci")
    let group = try distribution.group("Collaborators", of: "Tern")
    for _ in 0..<2 {
      try distribution.publish(
        1, of: "Tern", to: [.init(.group, id: group.id, isMandatory: true)], by: "ci")
    }
    try watch.look(now: CrashStore.now)
    #expect(try table.waiting().map(\.rule.number) == [releases])
    for rule in try table.rules() { try table.compose(rule, now: CrashStore.now) }
    let last = try #require(try table.log(1).first)
    #expect(
      try table.alerts(of: last.number).map { "\($0.app): \($0.title), \($0.detail)" } == [
        "Tern: 1.0 (1) for Collaborators, tern.ipa, published by ci"
      ])
    var wrong = AlertRule(.release, to: "ci", created: CrashStore.now, author: "me")
    wrong.query = "signal:SIGSEGV"
    #expect(throws: AlertError.self) { try wrong.add(to: table, of: store) }
  }
}
