import Crypto
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

@Suite("Signing in with a password") struct PasswordSignInTests {
  private let folder = ScratchFolder()
  private let password = "correct horse"

  /// A server with a password for ann.
  private func visit() throws -> PageVisit {
    let visit = try PageVisit(home: folder.path("home"))
    _ = try visit.context.accounts.add("Ann", role: .triage, now: .now)
    let hash = try PasswordHash(of: password).text
    try visit.context.accounts.setPassword(hash, of: "Ann", keeping: "", now: .now)
    return visit
  }

  private func signIn(_ visit: PageVisit, _ name: String, _ password: String) -> PageVisit.Answer {
    visit.post("/sign-in", [("name", name), ("password", password), ("next", "/account")])
  }

  @Test("A name and its password sign in; the case of the name does not matter")
  func right() throws {
    let visit = try visit()
    let page = visit.get("/sign-in")
    #expect(page.text.contains("autocomplete=\"username\""))
    #expect(page.text.contains("autocomplete=\"current-password\""))
    let answer = signIn(visit, "ANN", password)
    #expect(answer.status == 303 && answer.location == "/account")
    #expect(answer.headers["Set-Cookie"]?.contains("HttpOnly") == true)
    let account = visit.get("/account")
    #expect(account.text.contains("<h1>Ann</h1>") && account.text.contains(">password</td>"))
    #expect(
      try visit.context.audit.latest(1).first.map { [$0.entry.label, $0.entry.action] }
        == ["Ann", "sign in"])
    let elsewhere = visit.another()
    #expect(
      elsewhere.post(
        "/sign-in", [("name", "ann"), ("password", password), ("next", "//evil.example")]
      ).location == "/")
  }

  @Test("No answer reveals whether an account exists or has a password")
  func alike() throws {
    let visit = try visit()
    _ = try visit.context.accounts.add("bob", role: .viewer, now: .now)
    let wrong = signIn(visit, "ann", "wrong horse")
    #expect(wrong.status == 403 && wrong.text.contains("Incorrect name or password."))
    for (name, password) in [
      ("bob", ""), ("bob", password), ("eve", password), ("", ""), ("eve", ""),
      (String(repeating: "x", count: 2_000), "x"),
    ] {
      let answer = signIn(visit.another(), name, password)
      #expect(answer.status == wrong.status && visit.cookie == nil)
      #expect(
        answer.text.replacing("value=\"\(name)\"", with: "value=\"ann\"") == wrong.text
          || name.utf8.count > 1_000)
    }
    // The name that strangers type may be a password in the wrong field.
    let entries = try visit.context.audit.latest(20).map(\.entry)
    #expect(entries.filter { $0.action == "wrong password" }.map(\.label).contains("Ann"))
    #expect(!entries.contains { $0.label == "eve" || $0.subject == "eve" })
  }

  @Test("A missing account takes as long as an existing one")
  func time() throws {
    let visit = try visit()
    func seconds(_ name: String) -> Double {
      let clock = ContinuousClock()
      let times = (0..<3).map { _ in
        clock.measure { #expect(signIn(visit, name, "wrong horse").status == 403) }
      }
      return (times.min() ?? .zero) / .seconds(1)
    }
    let (there, absent) = (seconds("ann"), seconds("eve"))
    // Hashing takes tens of milliseconds, everything else a few.
    #expect(absent > there / 3 && there > absent / 3, "\(there) \(absent)")
  }

  @Test("Attempts are counted per account and per address; a link still works")
  func limits() throws {
    let visit = try visit()
    for _ in 0..<10 { #expect(signIn(visit, "ann", "wrong horse").status == 403) }
    for name in ["ann", "ANN"] {
      let answer = signIn(visit, name, password)
      #expect(answer.status == 429)
      #expect(Int(answer.headers["Retry-After"] ?? "") ?? 0 > 0)
      #expect(answer.text.contains("or sign in with a link now."))
    }
    let code = try visit.context.accounts.makeLink(for: "ann", now: .now)
    #expect(visit.post("/sign-in", [("code", code)]).status == 303)
    #expect(visit.get("/account").status == 200)
    // A missing account has the same limit.
    let other = visit.another()
    for _ in 0..<10 { #expect(signIn(other, "eve", "wrong horse").status == 403) }
    #expect(signIn(other, "eve", "wrong horse").status == 429)
    // After one attempt each for many accounts, the address reaches its limit.
    let statuses = (0..<20).map { signIn(other, "nobody\($0)", "wrong horse").status }
    #expect(statuses.first == 403 && statuses.last == 429)
  }

  @Test("Limits recover with time, and correct passwords cost nothing")
  func buckets() {
    let limits = SignInLimits()
    for second in 0..<10 { #expect(limits.take("ann", from: "a", now: Double(second)) == nil) }
    #expect(limits.take("ann", from: "b", now: 10) == 291)
    #expect(limits.take("bob", from: "b", now: 10) == nil)
    #expect(limits.take("ann", from: "b", now: 310) == nil)
    #expect(limits.take("ann", from: "b", now: 311) != nil)
    for _ in 0..<100 {
      #expect(limits.take("cid", from: "c", now: 0) == nil)
      limits.succeeded("cid", from: "c", now: 0)
    }
  }

  @Test("The number of refused sign-ins in the log is limited; other entries stay")
  func audit() throws {
    let log = try visit().context.audit
    try log.note(
      .init(time: .now, token: "session", label: "ann", action: "sign in", subject: "", peer: ""))
    for _ in 0..<1_020 { try log.noteRefused("wrong password", of: "ann", peer: "", now: .now) }
    #expect(try log.count() == 1_001)
    #expect(try log.latest(20_000).last?.entry.action == "sign in")
  }

  @Test("An invitation link can set a password; a refused password does not use up the link")
  func invitation() throws {
    let visit = try visit()
    _ = try visit.context.accounts.add("bob", role: .viewer, now: .now)
    let code = try visit.context.accounts.makeLink(for: "bob", now: .now)
    let page = visit.get("/sign-in?code=" + code)
    #expect(page.text.contains("autocomplete=\"new-password\"") && page.text.contains("(optional)"))
    for (new, again) in [("short", "short"), ("long enough", "long enouhg"), ("", "long enough")] {
      let answer = visit.post("/sign-in", [("code", code), ("new", new), ("again", again)])
      #expect(answer.status == 400 && answer.text.contains("role=\"alert\""))
      #expect(answer.field("code") == code)
    }
    let set = visit.post(
      "/sign-in", [("code", code), ("new", "long enough"), ("again", "long enough")])
    #expect(set.status == 303)
    #expect(visit.get("/account").text.contains("<h1>bob</h1>"))
    #expect(signIn(visit.another(), "bob", "long enough").status == 303)
    #expect(
      visit.another().post(
        "/sign-in", [("code", code), ("new", "long enough"), ("again", "long enough")]
      ).status == 403)
  }

  @Test("Changing a password needs the current one and signs out other browsers")
  func change() throws {
    let visit = try visit()
    let other = visit.another()
    for browser in [visit, other] { #expect(signIn(browser, "ann", password).status == 303) }
    let fields = [("new", "battery staple"), ("again", "battery staple")]
    #expect(try visit.send("/account/password", from: "/account", fields).status == 403)
    #expect(
      try visit.send("/account/password", from: "/account", [("password", "wrong")] + fields)
        .status == 403)
    #expect(visit.post("/account/password", [("password", password)] + fields).status == 403)
    let short = try visit.send(
      "/account/password", from: "/account",
      [("password", password), ("new", "short"), ("again", "short")])
    #expect(short.status == 400 && short.text.contains("at least 8 characters"))
    #expect(other.get("/account").status == 200)
    let changed = try visit.send(
      "/account/password", from: "/account", [("password", password)] + fields)
    #expect(changed.location == "/account?done=password")
    #expect(visit.get("/account?done=password").text.contains("Password saved."))
    #expect(other.get("/account").status == 303)
    #expect(signIn(other, "ann", password).status == 403)
    #expect(signIn(other, "ann", "battery staple").status == 303)
    #expect(visit.get("/.well-known/change-password").location == "/account#password-of")
  }

  @Test("For an hour after signing in with a link, a password can be set without the old one")
  func recovery() throws {
    let visit = try visit()
    let code = try visit.context.accounts.makeLink(for: "ann", now: .now)
    #expect(visit.post("/sign-in", [("code", code)]).status == 303)
    #expect(!visit.get("/account").text.contains("current-password"))
    let fields = [("new", "battery staple"), ("again", "battery staple")]
    #expect(try visit.send("/account/password", from: "/account", fields).status == 303)
    // An hour later.
    let early = Timestamp(seconds: Timestamp.now.seconds - 3_601)
    _ = try visit.context.accounts.add("bob", role: .viewer, now: early)
    for name in ["ann", "bob"] {
      let old = try visit.context.accounts.makeLink(for: name, now: early)
      let (_, text) = try #require(
        try visit.context.accounts.signIn(byLink: old, peer: "", agent: "", now: early))
      let late = visit.another()
      late.cookie = "mayday=" + text
      #expect(late.get("/account").text.contains("current-password") == (name == "ann"))
      #expect(try late.send("/account/password", from: "/account", fields).status == 403)
    }
  }

  @Test("Signing in with a password creates a new session, and no other site can do it")
  func fixation() throws {
    let visit = try visit()
    try visit.signIn("bob")
    let old = try #require(visit.cookie)
    #expect(signIn(visit, "ann", password).status == 303)
    #expect(visit.cookie != old)
    let stranger = visit.another()
    stranger.cookie = old
    #expect(stranger.get("/account").status == 303)
    #expect(signIn(visit.another(as: "cross-site"), "ann", password).status == 403)
  }

  @Test("A damaged hash is a failure, not a wrong password")
  func damaged() throws {
    let visit = try visit()
    try visit.context.accounts.setPassword("$argon2id$", of: "ann", keeping: "", now: .now)
    #expect(signIn(visit, "ann", password).status == 500)
  }

  @Test("An account has at most a hundred sessions; expired ones are deleted")
  func bounds() throws {
    let accounts = try visit().context.accounts
    let start = Timestamp(seconds: 1_800_000_000)
    for second in 0..<120 {
      let now = Timestamp(seconds: start.seconds + Int64(second))
      _ = try accounts.signIn(as: "ann", by: .password, peer: "", agent: "", now: now)
    }
    let sessions = try accounts.sessions(of: "ann", now: start)
    #expect(sessions.count == 100)
    #expect(sessions.map(\.created.seconds).min() == start.seconds + 20)
    _ = try accounts.makeLink(for: "ann", now: start)
    try accounts.clearExpired(now: Timestamp(seconds: start.seconds + 31 * 86_400))
    #expect(try accounts.sessions(of: "ann", now: start).isEmpty)
    #expect(
      try accounts.signIn(as: "nobody", by: .password, peer: "", agent: "", now: start) == nil)
  }

  @Test("A backup has accounts and passwords, but no sessions or links")
  func backup() throws {
    let visit = try visit()
    #expect(signIn(visit, "ann", password).status == 303)
    let code = try visit.context.accounts.makeLink(for: "ann", now: .now)
    let file = folder.path("home.tar.zst")
    #expect(Run(["backup", "--home", folder.path("home"), file]).status == 0)
    #expect(Run(["restore", file, "--home", folder.path("restored")]).status == 0)
    let restored = try PageVisit(home: folder.path("restored"))
    #expect(
      try restored.context.accounts.all() == visit.context.accounts.all())
    restored.cookie = visit.cookie
    #expect(restored.get("/account").status == 303)
    #expect(restored.post("/sign-in", [("code", code)]).status == 403)
    #expect(signIn(restored, "ann", password).status == 303)
  }
}
