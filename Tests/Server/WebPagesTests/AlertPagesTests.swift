import CrashStore
import HTTP
import ServerStore
import TestSupport
import Testing

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
    #expect(page.contains("json webhook at http://127.0.0.1:1") && !page.contains("secret-path"))
    let wrong = try visit.send(
      Self.page + "/rules", from: Self.page,
      [("kind", "spike"), ("target", "ci"), ("window", "<b>1</b>")])
    #expect(wrong.status == 400 && wrong.text.contains("&lt;b&gt;"))
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
      #expect(visit.another().post(Self.page + path, []).location == "/sign-in")
    }
  }
}
