import CrashStore
import HTTP
import ServerStore
import TestSupport
import Testing

@testable import Alerts
@testable import MaydayCommands
@testable import ProgramSupport
@testable import ServerCore
@testable import WebPages

@Suite("The page of alerts") struct AlertPagesTests {
  private let folder = ScratchFolder()

  private func visit(_ role: Account.Role = .admin) throws -> PageVisit {
    let visit = try PageVisit(home: folder.path("home"))
    try visit.signIn("ann", role)
    return visit
  }

  private static let page = "/server/alerts"

  @Test("A target for mail is added with its password, which is shown nowhere and is in no backup")
  func mail() throws {
    let visit = try visit()
    let home = visit.context.store.home
    let fields = [
      ("kind", "mail"), ("name", "ann"), ("server", "smtps://127.0.0.1:1"),
      ("sender", "mayday@example.com"), ("recipients", "ann@example.com, bob@example.com"),
      ("user", "mayday"), ("password", "very secret indeed"),
    ]
    func added(_ changes: [String: String]) throws -> PageVisit.Answer {
      let extra = changes.filter { change in !fields.contains { $0.0 == change.key } }
      return try visit.send(
        Self.page + "/targets", from: Self.page,
        fields.map { ($0.0, changes[$0.0] ?? $0.1) } + extra.map { ($0.key, $0.value) })
    }
    func stored(_ name: String, _ visit: PageVisit) throws -> AlertTarget.Mail {
      guard case .mail(let mail) = try visit.context.alerts.target(named: name).way else {
        throw AlertError.unknownTarget(name)
      }
      return mail
    }
    #expect(try added([:]).status == 303)
    let mail = try stored("ann", visit)
    #expect(mail.recipients == ["ann@example.com", "bob@example.com"])
    #expect(mail.password == "text:very secret indeed" && !mail.isPlain)
    let page = visit.get(Self.page).text
    #expect(
      page.contains("mail to ann@example.com, bob@example.com by smtps://127.0.0.1:1")
        && !page.contains("secret indeed"))
    let test = try visit.send(Self.page + "/targets/ann/test", from: Self.page)
    #expect(test.text.contains("Not sent to ann") && !test.text.contains("secret indeed"))
    #expect(!Run(["alerts", "--json", "--home", home]).output.contains("secret indeed"))
    // A second one of the name would take the place of the first.
    #expect(try added([:]).status == 409)
    for wrong in [
      ["server": "https://127.0.0.1"], ["recipients": ""], ["sender": "nobody"],
      ["password": ""], ["plain": "yes"], ["password": String(repeating: "x", count: 1_001)],
    ] {
      let refused = try added(wrong.merging(["name": "eve"]) { $1 })
      #expect(refused.status == 400 && !refused.text.contains("secret indeed"), "\(wrong)")
    }
    // Files and variables of the server's machine are not for users of pages.
    for password in ["file:/etc/passwd", "env:PATH"] {
      #expect(try added(["name": "odd", "password": password]).status == 303)
      #expect(try stored("odd", visit).password == "text:" + password)
      #expect(try visit.send(Self.page + "/targets/odd/remove", from: Self.page).status == 303)
    }
    let backup = folder.path("backup")
    #expect(Run(["backup", backup, "--home", home]).status == 0)
    let restored = folder.path("restored")
    #expect(Run(["restore", backup, "--home", restored]).status == 0)
    let other = try PageVisit(home: restored)
    #expect(try stored("ann", other).password == "text:")
    let (isSent, answer) = try AlertRound.test("ann", in: other.context.alerts)
    #expect(!isSent && answer.contains("give it again"), "\(answer)")
  }

  @Test("Targets and rules are added, tested and removed, and the audit log records it")
  func walk() throws {
    let visit = try visit()
    let home = visit.context.store.home
    #expect(visit.get(Self.page).text.contains("No rules yet"))
    let made = try visit.send(
      Self.page + "/targets", from: Self.page,
      [("name", "ci"), ("url", "http://127.0.0.1:1/secret-path"), ("preset", "json")])
    #expect(made.status == 200 && made.text.contains("shown only once"))
    let page = visit.get(Self.page).text
    #expect(page.contains("Remove ci? Its address is not kept."))
    #expect(page.contains("json webhook at http://127.0.0.1:1") && !page.contains("secret-path"))
    let wrong = try visit.send(
      Self.page + "/rules", from: Self.page,
      [("kind", "spike"), ("target", "ci"), ("window", "<b>1</b>")])
    #expect(wrong.status == 400 && wrong.text.contains("&lt;b&gt;"))
    // The form keeps what was typed and chosen.
    #expect(wrong.text.contains("name=\"window\" value=\"&lt;b&gt;1&lt;/b&gt;\""))
    #expect(wrong.text.contains("<option selected>spike</option>"))
    let rule = try visit.send(
      Self.page + "/rules", from: Self.page,
      [
        ("kind", "spike"), ("target", "ci"), ("app", ""), ("query", "version:2.*"),
        ("digest", "09:00"),
        ("quiet", ""), ("zone", "+01:00"), ("window", "2h"), ("least", ""), ("factor", "2.5"),
        ("below", ""), ("basis", "app"),
      ])
    #expect(rule.status == 303 && rule.location == Self.page)
    #expect(
      visit.get(Self.page).text.contains(
        "spike (app, 2.5 times as many in 2 h, at least 10), where version:2.*"))
    #expect(visit.get(Self.page).text.contains("daily at 09:00 +01:00"))
    let test = try visit.send(Self.page + "/targets/ci/test", from: Self.page)
    #expect(test.status == 200 && test.text.contains("Not sent to ci"))
    #expect(try visit.send(Self.page + "/targets/ci/remove", from: Self.page).status == 409)
    #expect(try visit.send(Self.page + "/rules/1/remove", from: Self.page).status == 303)
    #expect(try visit.send(Self.page + "/rules/1/remove", from: Self.page).status == 404)
    #expect(try visit.send(Self.page + "/rules/x/remove", from: Self.page).status == 404)
    #expect(try visit.send(Self.page + "/targets/ci/remove", from: Self.page).status == 303)
    let actions = try visit.context.audit.latest(10).map(\.entry.action)
    for action in ["add alert target", "add alert rule", "test alert target", "remove alert rule"] {
      #expect(actions.contains(action))
    }
    #expect(Run(["alerts", "log", "--home", home]).output.contains("test"))
  }

  @Test("Only admins see or change alerts")
  func access() throws {
    let visit = try visit(.triage)
    #expect(visit.get(Self.page).status == 403)
    for path in ["/targets", "/rules", "/rules/1/remove", "/targets/x/test", "/targets/x/remove"] {
      #expect(visit.post(Self.page + path, []).status == 403, "\(path)")
      #expect(
        visit.another().post(Self.page + path, []).location
          == "/sign-in?next=%2Fserver%2Falerts")
    }
  }
}
