import CrashStore
import HTTP
import Identifiers
import ServerStore
import TestSupport
import Testing

@testable import CrashService
@testable import ServerCore
@testable import WebPages

/// Forms that come after the session has ended.
@Suite("Forms of an ended session") struct UnsentFormTests {
  private let folder = ScratchFolder()

  /// A visit whose session has ended while the page of a group was open, and the token of its forms.
  private func visit() throws -> (visit: PageVisit, token: String) {
    let visit = try PageVisit(home: folder.path("home"))
    try StoredReports.add(StoredReports.report(), to: visit.context.store)
    try visit.signIn("ann", .triage)
    let token = try #require(visit.get(Self.page).field("form"))
    visit.cookie = nil
    return (visit, token)
  }

  private static let page = "/groups/TERN-1"

  private func signIn(_ visit: PageVisit, as name: String = "ann", to next: String?) throws {
    let code = try visit.context.accounts.makeLink(for: name, now: .now)
    let answer = visit.post("/sign-in", [("code", code), ("next", "/unsent")])
    #expect(answer.location == next)
  }

  @Test("What was typed is shown again after signing in, and only then sent by its button")
  func kept() throws {
    let (visit, token) = try visit()
    let note = "only on <b>Intel</b>\nsee the mail"
    let answer = visit.post(Self.page + "/note", [("form", token), ("text", note)])
    #expect(answer.location == "/sign-in?next=%2Funsent")
    try signIn(visit, to: "/unsent")
    let shown = visit.get("/unsent")
    #expect(shown.status == 200 && shown.text.contains("You were signed out, so this was not sent"))
    #expect(shown.text.contains("only on &lt;b&gt;Intel&lt;/b&gt;\nsee the mail</textarea>"))
    #expect(shown.headers["Cache-Control"] == "no-store")
    #expect(try visit.context.store.groups.history(ofGroup: "TERN-1").map(\.event) == ["opened"])
    // The page has the new session's token, and the form is shown once.
    let sent = visit.post(
      Self.page + "/note", [("form", try #require(shown.field("form"))), ("text", note)])
    #expect(sent.location == Self.page)
    #expect(visit.get("/unsent").status == 404)
  }

  @Test("Another browser, another site and a role that may not send the form do not see it")
  func protected() throws {
    let (visit, token) = try visit()
    let fields = [("form", token), ("text", "secret plan")]
    _ = visit.post(Self.page + "/note", fields)
    let other = visit.another()
    try other.signIn("bob", .triage)
    #expect(other.get("/unsent").status == 404)
    _ = try visit.context.accounts.add("eve", role: .viewer, now: .now)
    try signIn(visit, as: "eve", to: "/unsent")
    let refused = visit.get("/unsent")
    #expect(refused.status == 403 && !refused.text.contains("secret plan"))
    visit.cookie = nil
    visit.site = "cross-site"
    #expect(visit.post(Self.page + "/note", fields).location == "/sign-in?next=%2Fgroups%2FTERN-1")
  }

  @Test(
    "Nothing is kept of a form without text, without a token, with a password, or of great length")
  func notKept() throws {
    let (visit, token) = try visit()
    let long = String(repeating: "a", count: Int(UnsentForms.longest))
    for fields in [
      [("form", token), ("text", "")], [("text", "x")], [("form", token), ("text", long)],
    ] {
      let answer = visit.post(Self.page + "/note", fields)
      #expect(answer.location == "/sign-in?next=%2Fgroups%2FTERN-1")
    }
    let password = visit.post("/account/password", [("form", token), ("new", "long enough")])
    #expect(password.location == "/sign-in?next=%2Faccount")
    let target = visit.post(
      "/server/alerts/targets", [("form", token), ("name", "x"), ("url", "https://a/secret")])
    #expect(target.location == "/sign-in?next=%2Fserver%2Falerts")
  }

  @Test("The number of waiting forms is bounded: the oldest goes first")
  func bounded() throws {
    let (visit, token) = try visit()
    _ = visit.post(Self.page + "/note", [("form", token), ("text", "first")])
    let first = visit.unsent
    for number in 0..<64 {
      _ = visit.post(Self.page + "/note", [("form", token), ("text", "later \(number)")])
    }
    let last = visit.unsent
    try signIn(visit, to: "/unsent")
    visit.unsent = first
    #expect(visit.get("/unsent").status == 404)
    visit.unsent = last
    #expect(visit.get("/unsent").text.contains("later 63</textarea>"))
  }
}
