import HTTP
import Identifiers
import ServerStore
import TestSupport
import Testing

@testable import CrashService
@testable import MaydayCommands
@testable import ProgramSupport
@testable import ServerCore
@testable import WebPages

/// Access to pages, and protection of browsers from unintended requests.
@Suite("Signing in to the pages") struct SignInTests {
  private let folder = ScratchFolder()

  private func visit() throws -> PageVisit { try PageVisit(home: folder.path("home")) }

  @Test("Without a session, only the sign-in page is shown; it leads back to the requested page")
  func strangers() throws {
    let visit = try visit()
    for path in [
      "/", "/groups/TERN-1", "/reports/1", "/reports/1/raw", "/reports/1/attachments/a",
      "/symbols", "/apps", "/account",
    ] {
      let answer = visit.get(path)
      #expect(answer.status == 303, "\(path)")
      #expect(answer.location?.hasPrefix("/sign-in") == true, "\(path)")
    }
    for (path, page) in [
      ("/groups", ""), ("/groups/TERN-1/resolve", "?next=%2Fgroups%2FTERN-1"),
      ("/account/sessions/1/end", "?next=%2Faccount"),
    ] {
      #expect(visit.post(path, []).location == "/sign-in" + page, "\(path)")
    }
    #expect(visit.get("/groups/TERN-1").location == "/sign-in?next=%2Fgroups%2FTERN-1")
    #expect(visit.get("/sign-in").status == 200)
    _ = try visit.context.accounts.add("ann", role: .viewer, now: .now)
    let code = try visit.context.accounts.makeLink(for: "ann", now: .now)
    let answer = visit.post("/sign-in", [("code", code), ("next", "/groups/TERN-1")])
    #expect(answer.status == 303 && answer.location == "/groups/TERN-1")
  }

  @Test("A link to a search keeps it through the sign-in")
  func search() throws {
    let visit = try visit()
    _ = try visit.context.accounts.add("ann", role: .viewer, now: .now)
    for path in [
      "/?q=app%3ATern%20version%3A1.2.0&status=all", "/releases?app=Tern%26Co",
      "/reports/1?against=TERN-4", "/?q=%E9%B7%97+a%2Bb",
    ] {
      let place = try #require(visit.get(path).location)
      let next = try #require(RequestHead("GET", place).query["next"])
      // Percent-encoding may differ, what it says may not.
      #expect(next.utf8.allSatisfy { $0 < 0x80 }, "\(next)")
      #expect(RequestHead("GET", next).query == RequestHead("GET", path).query, "\(next)")
      #expect(RequestHead("GET", next).path == RequestHead("GET", path).path, "\(next)")
      let code = try visit.context.accounts.makeLink(for: "ann", now: .now)
      #expect(visit.another().post("/sign-in", [("code", code), ("next", next)]).location == next)
    }
    let long = "/?q=" + String(repeating: "a", count: 3_000)
    #expect(visit.get(long).location == "/sign-in")
  }

  @Test("A link signs in once; opening it changes nothing")
  func link() throws {
    let visit = try visit()
    _ = try visit.context.accounts.add("ann", role: .viewer, now: .now)
    let code = try visit.context.accounts.makeLink(for: "ann", now: .now)
    for _ in 0..<3 { #expect(visit.get("/sign-in?code=" + code).text.contains("Sign in as ann")) }
    let answer = visit.post("/sign-in", [("code", "http://127.0.0.1:8080/sign-in?code=" + code)])
    #expect(answer.status == 303)
    let cookie = try #require(answer.headers["Set-Cookie"])
    #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
    #expect(visit.get("/account").status == 200)
    let other = visit.another()
    #expect(other.post("/sign-in", [("code", code)]).status == 403)
    #expect(other.get("/sign-in?code=" + code).status == 403)
  }

  @Test("A link is valid for one day, a session for thirty")
  func expiry() throws {
    let accounts = try visit().context.accounts
    let start = Timestamp(seconds: 1_800_000_000)
    func at(_ seconds: Int) -> Timestamp { Timestamp(seconds: start.seconds + Int64(seconds)) }
    _ = try accounts.add("ann", role: .viewer, now: start)
    let late = try accounts.makeLink(for: "ann", now: start)
    #expect(try accounts.account(ofLink: late, now: at(86_399)) != nil)
    #expect(try accounts.signIn(byLink: late, peer: "", agent: "", now: at(86_400)) == nil)
    let code = try accounts.makeLink(for: "ann", now: start)
    let (_, text) = try #require(
      try accounts.signIn(byLink: code, peer: "", agent: "", now: start))
    #expect(try accounts.session(text, now: at(30 * 86_400 - 1)) != nil)
    #expect(try accounts.session(text, now: at(30 * 86_400)) == nil)
    let wrong = String(text.dropLast()) + (text.last == "x" ? "y" : "x")
    #expect(try accounts.session(wrong, now: start) == nil)
    #expect(try accounts.session("", now: start) == nil)
  }

  @Test("After signing in, only pages of this server follow")
  func openRedirect() {
    for text in [
      "//evil.example", "https://evil.example", "/\\evil.example", "\\\\evil.example",
      "javascript:1",
      "/a\r\nSet-Cookie: a=b", "/\tx", "", "evil",
    ] { #expect(SignInPages.localPath(text) == "/", "\(text)") }
    #expect(SignInPages.localPath("/groups/TERN-1?x=1") == "/groups/TERN-1?x=1")
  }

  @Test("A form from another site, without a token or with another session's token is refused")
  func foreignForms() throws {
    let visit = try visit()
    try visit.signIn()
    let token = try #require(visit.get("/account").field("form"))
    #expect(visit.post("/sign-out", []).status == 403)
    #expect(visit.post("/sign-out", [("form", token + "0")]).status == 403)
    visit.site = "cross-site"
    #expect(visit.post("/sign-out", [("form", token)]).status == 403)
    let code = try visit.context.accounts.makeLink(for: "ann", now: .now)
    #expect(visit.another(as: "cross-site").post("/sign-in", [("code", code)]).status == 403)
    visit.site = "same-origin"
    let other = visit.another()
    try other.signIn("bob")
    #expect(other.post("/sign-out", [("form", token)]).status == 403)
    #expect(visit.get("/account").status == 200 && other.get("/account").status == 200)
    #expect(visit.post("/sign-out", [("form", token)]).location == "/sign-in")
    #expect(visit.get("/account").status == 303)
  }

  @Test("Signing in creates a new session and ends the browser's former one")
  func fixation() throws {
    let visit = try visit()
    try visit.signIn()
    let old = try #require(visit.cookie)
    try visit.signIn("bob")
    #expect(visit.cookie != old)
    let stranger = visit.another()
    stranger.cookie = old
    #expect(stranger.get("/account").status == 303)
    #expect(visit.get("/account").text.contains("<h1>bob</h1>"))
  }

  @Test("Sessions are listed and can be ended; a removed account is signed out")
  func sessions() throws {
    let visit = try visit()
    try visit.signIn()
    let other = visit.another()
    let code = try visit.context.accounts.makeLink(for: "ann", now: .now)
    _ = other.post("/sign-in", [("code", code)])
    let sessions = try visit.context.accounts.sessions(of: "ANN", now: .now)
    #expect(sessions.count == 2)
    let text = try #require(other.cookie?.split(separator: "=").last.map(String.init))
    let id = String(text.prefix(12))
    #expect(sessions.contains { $0.id == id })
    _ = try visit.send("/account/sessions/\(id)/end", from: "/account")
    #expect(other.get("/account").status == 303 && visit.get("/account").status == 200)
    // Another user's session cannot be ended.
    let bob = visit.another()
    try bob.signIn("bob")
    let own = try #require(visit.cookie?.split(separator: "=").last).prefix(12)
    _ = try bob.send("/account/sessions/\(own)/end", from: "/account")
    #expect(visit.get("/account").status == 200)
    try visit.context.accounts.remove("ann")
    #expect(visit.get("/account").status == 303)
  }

  @Test("Roles and apps limit what an account sees and does")
  func roles() throws {
    let visit = try visit()
    try visit.signIn("eve", .viewer)
    #expect(visit.get("/").status == 200 && visit.get("/apps").status == 403)
    #expect(try visit.send("/groups/TERN-1/resolve", from: "/account").status == 403)
    #expect(try visit.send("/groups", from: "/account").status == 403)
  }

  @Test("Account names are unique, and the last admin cannot be removed")
  func accounts() throws {
    let accounts = try visit().context.accounts
    _ = try accounts.add("Ann", role: .admin, now: .now)
    #expect(throws: AccountError.taken("ann")) {
      try accounts.add("ann", role: .viewer, now: .now)
    }
    for name in ["", " a", "a\n", String(repeating: "x", count: 101), "a\u{7f}"] {
      #expect(throws: AccountError.invalidName(name)) {
        try accounts.add(name, role: .viewer, now: .now)
      }
    }
    #expect(throws: AccountError.lastAdmin("Ann")) { try accounts.remove("ann") }
    _ = try accounts.add("Bob", role: .admin, app: "Tern", now: .now)
    #expect(throws: AccountError.lastAdmin("Ann")) { try accounts.remove("ann") }
    _ = try accounts.add("Cid", role: .admin, now: .now)
    try accounts.remove("ann")
    #expect(throws: AccountError.unknown("ann")) { try accounts.remove("ann") }
    #expect(throws: AccountError.unknown("ann")) { try accounts.makeLink(for: "ann", now: .now) }
    #expect(try accounts.all().map(\.name) == ["Bob", "Cid"])
  }

  @Test("No script runs in a page, nothing is loaded from elsewhere, and it cannot be framed")
  func headers() throws {
    let visit = try visit()
    try visit.signIn("ann", .admin)
    for path in ["/", "/symbols", "/apps", "/account", "/sign-in", "/groups/NO-1"] {
      let answer = visit.get(path)
      if answer.status == 303 { continue }
      let policy = try #require(answer.headers["Content-Security-Policy"])
      #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
      #expect(!policy.contains("unsafe"), "\(path)")
      #expect(answer.headers["X-Content-Type-Options"] == "nosniff", "\(path)")
      #expect(!answer.text.contains(" style=\"") && !answer.text.contains("<style"), "\(path)")
      #expect(!answer.text.contains("src=\"http") && !answer.text.contains(" onclick"), "\(path)")
    }
    for path in [PageAssets.stylePath, PageAssets.scriptPath] {
      let answer = visit.another().get(path)
      #expect(answer.status == 200 && !answer.text.isEmpty)
      #expect(answer.headers["Cache-Control"]?.contains("immutable") == true)
    }
  }
}

extension PageVisit {
  /// Another browser, on a page of another site.
  func another(as site: String) -> PageVisit {
    let visit = another()
    visit.site = site
    return visit
  }
}
