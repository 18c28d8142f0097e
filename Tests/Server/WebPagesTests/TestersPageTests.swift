import CrashStore
import HTTP
import ServerStore
import TestSupport
import Testing
import Updates

@testable import MaydayCommands
@testable import ProgramSupport
@testable import ServerCore
@testable import WebPages

@Suite("The page of testers") struct TestersPageTests {
  private let folder = ScratchFolder()

  private func visit(_ role: Account.Role = .admin, app: String? = nil) throws -> PageVisit {
    let visit = try PageVisit(home: folder.path("home"))
    for name in ["Tern", "Gull"] { try visit.context.store.apps.add(name, secret: nil) }
    try visit.signIn("ann", role, app: app)
    return visit
  }

  private static let page = "/apps/Tern/testers"
  private static let groups = "/apps/Tern/distribution-groups"

  private func id(_ email: String, _ visit: PageVisit) throws -> String {
    try visit.context.store.distribution.tester(email, of: "Tern").id
  }

  private func group(_ name: String, _ visit: PageVisit) throws -> String {
    try visit.context.store.distribution.group(name, of: "Tern").id
  }

  /// The links of invitations on a page.
  private func links(_ text: String) -> [String] {
    text.split(separator: "/install/invitations/").dropFirst().map {
      String($0.prefix { $0 != "<" })
    }
  }

  @Test("Groups are made, testers invited, invited again, signed out and removed")
  func walk() throws {
    let visit = try visit()
    let distribution = visit.context.store.distribution
    #expect(visit.get("/apps/Tern").text.contains("href=\"\(Self.page)\""))
    let empty = visit.get(Self.page)
    #expect(empty.status == 200 && empty.text.contains("No testers yet"))
    let made = try visit.send(Self.groups, from: Self.page, [("name", "Be<b>ta")])
    #expect(made.status == 303 && made.location == Self.page)
    #expect(visit.get(Self.page).text.contains("Be&lt;b&gt;ta"))
    let beta = try group("Be<b>ta", visit)
    let invited = try visit.send(
      Self.page, from: Self.page,
      [("emails", "ada@example.org,\r\n eve@example.org"), ("group", beta)])
    #expect(invited.status == 200 && links(invited.text).count == 2)
    let code = try #require(links(invited.text).first)
    #expect(try distribution.holder(of: code, .invitation)?.email == "ada@example.org")
    let list = visit.get(Self.page).text
    #expect(list.contains("ada@example.org") && list.contains("never") && links(list).isEmpty)

    let address = try Self.page + "/" + id("ada@example.org", visit)
    let again = try visit.send(address, from: Self.page, [("do", "resend")])
    let second = try #require(links(again.text).first)
    #expect(try distribution.holder(of: code, .invitation) == nil)
    #expect(try visit.send(address, from: Self.page, [("do", "cancel")]).status == 303)
    #expect(try distribution.holder(of: second, .invitation) == nil)
    #expect(visit.get(Self.page).text.contains("expired"))
    let third = try #require(
      links(try visit.send(address, from: Self.page, [("do", "resend")]).text).first)
    _ = try distribution.acceptInvitation(third)
    #expect(visit.get(Self.page).text.contains("accepted"))
    #expect(try visit.send(address, from: Self.page, [("do", "revoke")]).status == 303)
    #expect(try !distribution.tester("ada@example.org", of: "Tern").hasAccepted)
    #expect(try visit.send(address, from: Self.page, [("do", "remove")]).status == 303)
    #expect(try visit.send(address, from: Self.page, [("do", "remove")]).status == 404)
    #expect(try visit.send(address, from: Self.page, [("do", "else")]).status == 404)

    #expect(
      try visit.send(Self.groups + "/" + beta, from: Self.page, [("do", "public")]).status == 303)
    #expect(try distribution.group(beta, of: "Tern").isPublic)
    #expect(
      try visit.send(Self.groups + "/" + beta, from: Self.page, [("do", "remove")]).status == 303)
    let rest = try group("Collaborators", visit)
    #expect(
      try visit.send(Self.groups + "/" + rest, from: Self.page, [("do", "remove")]).status == 409)
    let actions = try visit.context.audit.latest(20).map(\.entry.action)
    for action in [
      "add distribution group", "invite tester", "revoke invitations", "revoke tester",
      "remove tester", "edit distribution group", "remove distribution group",
    ] { #expect(actions.contains(action), "\(action)") }
  }

  @Test("What is wrong is said above the form, which keeps what was typed")
  func refusals() throws {
    let visit = try visit()
    let group = try group("Collaborators", visit)
    let wrong = try visit.send(
      Self.page, from: Self.page, [("emails", "ada@example.org <b>eve"), ("group", group)])
    #expect(wrong.status == 400 && wrong.text.contains("&#39;&lt;b&gt;eve&#39; is not an email"))
    #expect(wrong.text.contains("ada@example.org &lt;b&gt;eve</textarea>"))
    #expect(links(wrong.text).count == 1, "who was invited before it has a link")
    let none = try visit.send(Self.page, from: Self.page, [("emails", " "), ("group", group)])
    #expect(none.status == 400)
    let many = (0...100).map { "a\($0)@example.org" }.joined(separator: " ")
    #expect(
      try visit.send(Self.page, from: Self.page, [("emails", many), ("group", group)]).status == 400
    )
    #expect(
      try visit.send(
        Self.page, from: Self.page, [("emails", "a@example.org"), ("group", "none")]
      ).status == 404)
    let taken = try visit.send(Self.groups, from: Self.page, [("name", "Collaborators")])
    #expect(taken.status == 409 && taken.text.contains("value=\"Collaborators\""))
    #expect(visit.get("/apps/None/testers").status == 404)
    let mailed = try visit.send(
      Self.page, from: Self.page,
      [("emails", "bob@example.org"), ("group", group), ("mail", "on")])
    #expect(mailed.status == 400 && mailed.text.contains("no mail can be sent to testers"))
  }

  @Test("Only admins may, each for the own app, from this page")
  func access() throws {
    let admin = try visit(.admin, app: "Tern")
    #expect(admin.get(Self.page).status == 200)
    #expect(admin.get("/apps/Gull/testers").status == 404)
    #expect(
      try admin.send("/apps/Gull/distribution-groups", from: Self.page, [("name", "X")]).status
        == 404)
    #expect(admin.post(Self.groups, [("name", "X")]).status == 403, "a form without its mark")
    admin.site = "cross-site"
    #expect(try admin.send(Self.groups, from: Self.page, [("name", "X")]).status == 403)
    let other = admin.another()
    #expect(other.get(Self.page).location?.hasPrefix("/sign-in") == true)
    try other.signIn("bob", .triage)
    #expect(!other.get("/apps/Tern").text.contains(Self.page))
    #expect(other.get(Self.page).status == 403)
    for path in [Self.page, Self.page + "/x", Self.groups, Self.groups + "/x"] {
      #expect(other.post(path, []).status == 403, "\(path)")
    }
  }
}
