import Bytes
import CrashStore
import Glibc
import HTTP
import Identifiers
import JSON
import ServerStore
import TestSupport
import Testing

@testable import CrashService
@testable import MaydayCommands
@testable import ProgramSupport
@testable import ServerCore
@testable import WebPages

/// `mayday login`: a command shows a code, and an account grants it a token on a page.
@Suite("Signing in a command") struct CommandSignInTests {
  private let folder = ScratchFolder()

  private func visit() throws -> PageVisit { try PageVisit(home: folder.path("home")) }

  private func begin(_ visit: PageVisit, name: String = "laptop") throws -> (
    device: String, user: String
  ) {
    let codes = try #require(
      visit.context.commandSignIns.begin(.init(name: name, peer: "192.0.2.7")))
    return (codes.deviceCode, codes.userCode)
  }

  private static let page = "/sign-in/command"

  @Test("The page shows who asks, and grants a token that allows no more than the account")
  func grant() throws {
    let visit = try visit()
    let (device, user) = try begin(visit)
    #expect(visit.get("\(Self.page)?code=\(user)").status == 303)
    try visit.signIn("ann", .triage)
    let shown = visit.get("\(Self.page)?code=\(user.lowercased())")
    #expect(
      shown.status == 200 && shown.text.contains("laptop") && shown.text.contains("192.0.2.7"))
    #expect(shown.text.contains(user) && !shown.text.contains("scope-admin"))
    #expect(visit.context.commandSignIns.answer(device) == .waiting)
    let done = try visit.send(
      Self.page, from: "\(Self.page)?code=\(user)",
      [
        ("code", user), ("decision", "allow"), ("scope-read", "on"), ("scope-triage", "on"),
        ("scope-admin", "on"),
      ])
    #expect(done.status == 200 && done.text.contains("laptop is signed in"))
    guard case .granted(let text) = visit.context.commandSignIns.answer(device) else {
      Issue.record("no token")
      return
    }
    #expect(visit.context.commandSignIns.answer(device) == .expired, "it is told once")
    let token = try #require(try visit.context.tokens.token(text, now: .now))
    #expect(token.scopes == [.read, .triage] && token.account == "ann" && token.app == nil)
    #expect(token.label == "ann (laptop)")
    let end = Timestamp(seconds: Timestamp.now.seconds + 91 * 86_400)
    #expect(try visit.context.tokens.token(text, now: end) == nil)
  }

  @Test("A token ends with its account, and shrinks with the role and the app")
  func account() throws {
    let visit = try visit()
    let accounts = visit.context.accounts
    _ = try accounts.add("root", role: .admin, now: .now)
    let ann = try accounts.add("ann", role: .viewer, app: "Tern", now: .now)
    let (token, text) = try visit.context.tokens.make(
      label: "ann (laptop)", scopes: [.read, .triage, .admin], account: ann, now: .now)
    let found = try #require(try visit.context.tokens.token(text, now: .now))
    #expect(found.scopes == [.read] && found.app == "Tern")
    try accounts.remove("ann")
    #expect(try visit.context.tokens.token(text, now: .now) == nil)
    _ = try accounts.add("ann", role: .admin, now: .now)
    #expect(try visit.context.tokens.token(text, now: .now) == nil)
    #expect(try visit.context.tokens.token(id: token.id, now: .now) == nil)
  }

  @Test("The account page lists the account's own commands, and signs them out")
  func signOut() throws {
    let visit = try visit()
    try visit.signIn("ann", .viewer)
    let bob = try visit.context.accounts.add("bob", role: .viewer, now: .now)
    let ann = try #require(try visit.context.accounts.all().first { $0.name == "ann" })
    let tokens = visit.context.tokens
    let (own, text) = try tokens.make(
      label: "ann (laptop)", scopes: [.read], account: ann, now: .now)
    let (foreign, other) = try tokens.make(
      label: "bob (tower)", scopes: [.read], account: bob, now: .now)
    let page = visit.get("/account").text
    #expect(page.contains("ann (laptop)") && !page.contains("bob (tower)"))
    for id in [own.id, foreign.id] {
      #expect(try visit.send("/account/commands/\(id)/end", from: "/account").status == 303)
    }
    #expect(try tokens.token(text, now: .now) == nil)
    #expect(try tokens.token(other, now: .now) != nil)
    #expect(!visit.get("/account").text.contains("ann (laptop)"))
  }

  @Test("A refused command is told so, and an unknown code is an error")
  func refuse() throws {
    let visit = try visit()
    try visit.signIn("ann", .viewer)
    let (device, user) = try begin(visit, name: "<b>x")
    #expect(visit.get("\(Self.page)?code=\(user)").text.contains("&lt;b&gt;x"))
    let done = try visit.send(
      Self.page, from: "\(Self.page)?code=\(user)", [("code", user), ("decision", "refuse")])
    #expect(done.text.contains("was refused"))
    #expect(visit.context.commandSignIns.answer(device) == .refused)
    let gone = visit.get("\(Self.page)?code=BBBB-BBBB")
    #expect(gone.status == 404 && gone.text.contains("No command waits with the code BBBB-BBBB"))
    #expect(visit.get(Self.page).text.contains("name=\"code\""))
    let none = try visit.send(
      Self.page, from: Self.page + "?code=" + (try begin(visit).user),
      [("code", "BBBB-BBBB"), ("decision", "allow")])
    #expect(none.status == 404)
  }

  @Test("Codes end after ten minutes; too many commands are refused")
  func limits() throws {
    let signIns = CommandSignIns()
    let (device, user) = try #require(signIns.begin(.init(name: "a", peer: "p"), now: 1))
    #expect(signIns.waiting(user, now: 600) != nil && signIns.waiting(user, now: 602) == nil)
    #expect(signIns.answer(device, now: 602) == .expired)
    #expect(!signIns.decide(user, .granted(token: "t"), now: 602))
    for _ in 0..<1_000 { #expect(signIns.begin(.init(name: "a", peer: "p"), now: 700) != nil) }
    #expect(signIns.begin(.init(name: "a", peer: "p"), now: 700) == nil)
    #expect(signIns.begin(.init(name: "a", peer: "p"), now: 1_400) != nil)
    #expect((0..<20).allSatisfy { _ in signIns.take(from: "192.0.2.1", now: 1) == nil })
    #expect(signIns.take(from: "192.0.2.1", now: 1) == 10)
    #expect(signIns.take(from: "192.0.2.2", now: 1) == nil)
  }

  @Test("login stores a token that later commands use, and logout deletes it")
  func program() throws {
    let home = folder.path("home")
    #expect(Run(["ingest", Samples.path("apple-ips"), "--home", home, "-a", "Tern"]).status == 0)
    let link = Run(["accounts", "add", "ann", "--role", "admin", "--home", home])
    #expect(link.status == 0)
    let server = try #require(RunningServer(home: home, options: []))
    defer { server.stop() }
    let url = "http://127.0.0.1:\(server.port)"
    let environment = ["HOME": folder.path("user"), "XDG_CONFIG_HOME": folder.path("config")]
    let command = RunningMayday(
      ["login", url + "/"], home: home, program: BuiltProgram.mayday,
      environment: environment.map { "\($0.key)=\($0.value)" })
    #expect(RunningMayday.wait { command.errors.contains("Waiting...") })
    let code = command.errors.split(separator: "code ").last?.prefix(9) ?? ""
    #expect(code.count == 9 && command.errors.contains("\(url)/sign-in/command?code=\(code)"))
    // The account signs in, and allows it.
    let client = WebClient(port: server.port)
    let secret = try #require(
      link.output.split(separator: "code=").last?.prefix { !$0.isWhitespace })
    func post(_ path: String, _ form: String, cookie: String?) -> WebClient.Answer? {
      var headers = [
        "Content-Type: application/x-www-form-urlencoded", "Sec-Fetch-Site: same-origin",
      ]
      if let cookie { headers.append("Cookie: " + cookie) }
      guard client.request("POST", path, headers: headers, body: Array(form.utf8)) else {
        return nil
      }
      return client.answer(toHead: false)
    }
    let signedIn = try #require(post("/sign-in", "code=\(secret)", cookie: nil))
    let cookie = try #require(signedIn.headers["set-cookie"]?.prefix { $0 != ";" })
    #expect(
      client.request(
        "GET", "/sign-in/command?code=\(code)", headers: ["Cookie: \(cookie)"], body: nil))
    let page = client.answer(toHead: false)?.text ?? ""
    let form = page.split(separator: "name=\"form\" value=\"").last?.prefix { $0 != "\"" } ?? ""
    let done = post(
      "/sign-in/command", "form=\(form)&code=\(code)&decision=allow&scope-read=on",
      cookie: String(cookie))
    #expect(done?.status == 200)
    #expect(RunningMayday.wait { command.errors.contains("Signed in.") })
    // Later commands find the token; other servers do not get it.
    let groups = Run(["groups", "--server", url, "-q"], environment: environment)
    #expect(groups.status == 0 && groups.output.contains("TERN-1"), "\(groups.errors)")
    let decision = Run(["resolve", "TERN-1", "--server", url], environment: environment)
    #expect(decision.status == 4, "it may read only")
    let file = folder.path("config/mayday/tokens")
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(Run(["logout", url], environment: environment).status == 0)
    #expect(Run(["groups", "--server", url], environment: environment).status == 4)
    #expect(Run(["logout", url], environment: environment).status == 3)
  }
}
