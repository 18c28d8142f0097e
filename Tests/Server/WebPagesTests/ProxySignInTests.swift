import HTTP
import Identifiers
import OpenIDConnect
import ServerStore
import TestSupport
import Testing

@testable import CrashService
@testable import MaydayCommands
@testable import ProgramSupport
@testable import ServerCore
@testable import WebPages

@Suite("Signing in through a proxy or a provider") struct ProxySignInTests {
  private let folder = ScratchFolder()

  private func visit(_ role: Account.Role? = nil) throws -> PageVisit {
    let visit = try PageVisit(
      home: folder.path("home"),
      signIn: SignInSettings(proxy: .init(header: "X-Forwarded-User", role: role)))
    visit.isBehindTrustedProxy = true
    visit.proxyHeaders = ["X-Forwarded-User": "Ann"]
    return visit
  }

  @Test("A user named by a trusted proxy has a session at once, and forms work")
  func named() throws {
    let visit = try visit()
    _ = try visit.context.accounts.add("ann", role: .triage, now: .now)
    let page = visit.get("/account")
    #expect(page.status == 200 && page.text.contains("<h1>ann</h1>"))
    #expect(
      page.text.contains("sign out at the proxy") && !page.text.contains("action=\"/sign-out\""))
    let cookie = try #require(visit.cookie)
    #expect(
      try visit.send("/groups", from: "/account", [("action", "ignore")]).location
        == "/?done=none")
    #expect(visit.post("/groups", [("action", "ignore")]).status == 403)
    #expect(visit.cookie == cookie)
    #expect(visit.get("/sign-in?next=%2Faccount").location == "/account")
    // Without a password, the session cannot set one.
    #expect(
      try visit.send(
        "/account/password", from: "/account", [("new", "long enough"), ("again", "long enough")]
      ).status == 403)
  }

  @Test("A header from an untrusted client is ignored")
  func untrusted() throws {
    let visit = try visit(.viewer)
    _ = try visit.context.accounts.add("ann", role: .admin, now: .now)
    visit.isBehindTrustedProxy = false
    #expect(visit.get("/account").status == 303 && visit.cookie == nil)
    visit.isBehindTrustedProxy = true
    for headers: Headers in [
      [:], ["X-Forwarded-User": ""], ["X-Forwarded-User": "ann", "x-forwarded-user": "eve"],
      ["X-Forwarded-Users": "ann"],
    ] {
      visit.proxyHeaders = headers
      #expect(visit.get("/account").status == 303 && visit.cookie == nil)
    }
    // Without the option, all such headers are ignored.
    let other = try PageVisit(home: folder.path("home"))
    other.isBehindTrustedProxy = true
    other.proxyHeaders = ["X-Forwarded-User": "ann"]
    #expect(other.get("/account").status == 303)
  }

  @Test("A session from a proxy lasts as long as the proxy sends the same name")
  func changes() throws {
    let visit = try visit()
    for name in ["ann", "bob"] {
      _ = try visit.context.accounts.add(name, role: .viewer, now: .now)
    }
    #expect(visit.get("/account").text.contains("<h1>ann</h1>"))
    let cookie = visit.cookie
    visit.proxyHeaders = ["X-Forwarded-User": "bob"]
    #expect(visit.post("/sign-out", []).status == 303)
    #expect(visit.get("/account").text.contains("<h1>bob</h1>"))
    let thief = visit.another()
    thief.cookie = cookie
    #expect(thief.get("/account").status == 303)
    // A session from another method remains.
    let code = try visit.context.accounts.makeLink(for: "ann", now: .now)
    #expect(visit.post("/sign-in", [("code", code)]).status == 303)
    #expect(visit.get("/account").text.contains("<h1>ann</h1>"))
  }

  @Test("Accounts are created with the given role, or not at all")
  func creation() throws {
    let strict = try visit()
    #expect(strict.get("/account").location == "/sign-in?next=%2Faccount")
    #expect(strict.get("/sign-in").text.contains("no account with that name"))
    #expect(try strict.context.accounts.all().isEmpty)
    let open = try visit(.triage)
    #expect(open.get("/account").text.contains("Role: triage"))
    #expect(try open.context.accounts.all().map(\.name) == ["Ann"])
    let audit = try open.context.audit.latest(10).map(\.entry.action)
    #expect(audit == ["sign in", "add account through the proxy"])
    open.proxyHeaders = ["X-Forwarded-User": String(repeating: "x", count: 101)]
    open.cookie = nil
    #expect(open.get("/account").status == 303)
    #expect(open.get("/sign-in").status == 403)
  }

  @Test(
    "Options that contradict each other are refused",
    arguments: [
      (["--oidc-issuer", "https://a.example"], "--oidc-client together"),
      (["--oidc-issuer", "http://a.example", "--oidc-client", "x"], "not an https address"),
      (
        ["--oidc-issuer", "https://a.example", "--oidc-client", "x", "--oidc-claim", "sub"],
        "--oidc-claim is"
      ),
      (
        ["--oidc-issuer", "https://a.example", "--oidc-client", "x", "--oidc-scope", "email"],
        "must include openid"
      ),
      (["--oidc-domain", "a.example"], "need --oidc-issuer"),
      (["--oidc-role", "boss"], "--oidc-role is viewer"),
      (["--proxy-user-header", "X-User"], "needs --trusted-proxy"),
      (["--proxy-user-header", "X User", "--trusted-proxy", "unix"], "not the name of a header"),
      (["--proxy-user-role", "viewer"], "needs --proxy-user-header"),
    ])
  func options(arguments: [String], words: String) {
    let run = Run(["serve", "--home", folder.path("home")] + arguments)
    #expect(run.status != 0 && run.errors.contains(words), "\(run.errors)")
  }

  @Test("An unreachable provider is reported; the secret is read from a file")
  func provider() throws {
    let provider = IdentityProvider(
      ProviderSettings(issuer: "http://127.0.0.1:1", client: "mayday"))
    let visit = try PageVisit(
      home: folder.path("home"),
      signIn: SignInSettings(
        provider: .init(
          provider: provider, label: "Tern <ID>", name: .userName, role: nil, domain: nil,
          group: nil)))
    let page = visit.get("/sign-in?next=%2Freleases")
    #expect(
      page.text.contains(
        "href=\"/sign-in/provider?next=%2Freleases\">Sign in with Tern &lt;ID&gt;</a>"))
    let answer = visit.get("/sign-in/provider")
    #expect(answer.status == 503 && answer.text.contains("Tern &lt;ID&gt; did not respond"))
    let back = visit.get("/sign-in/provider/callback?code=x&state=y")
    #expect(back.status == 403 && back.headers["Set-Cookie"]?.contains("Max-Age=0") == true)
    #expect(visit.cookie == nil)
    // A server without a provider does not have this address.
    #expect(try PageVisit(home: folder.path("home")).get("/sign-in/provider").status == 404)
  }

  private func claim(
    _ name: String, for subject: String, isOwner: Bool, in accounts: AccountsTable,
    defaultRole: Account.Role? = nil, now: Timestamp = .now
  ) throws -> AccountsTable.Claim {
    try accounts.claim(
      name, for: subject, isOwner: isOwner, defaultRole: defaultRole, now: now)
  }

  @Test(
    "A name at the provider gives no role above that of everybody there, and nothing after a day")
  func reserved() throws {
    let accounts = try visit().context.accounts
    let start = Timestamp.now
    let later = Timestamp(seconds: start.seconds + Int64(AccountsTable.linkLifetime))
    for role in Account.Role.allCases {
      for defaultRole in [nil] + Account.Role.allCases.map(Optional.some) {
        let name = "\(role) \(defaultRole?.rawValue ?? "none")"
        _ = try accounts.add(name, role: role, now: start)
        let isTaken = role <= defaultRole ?? .viewer
        // Too late: the account has no provider, and only the admin's link works.
        #expect(
          try claim(
            name, for: "late", isOwner: false, in: accounts, defaultRole: defaultRole, now: later)
            == .reserved)
        #expect(
          try claim(name, for: "first", isOwner: false, in: accounts, defaultRole: defaultRole)
            == (isTaken ? .new : .reserved), "\(name)")
        #expect(try accounts.isConnected(name) == isTaken)
        // A user who signed in with the link connects it.
        #expect(
          try claim(name, for: "first", isOwner: true, in: accounts) == (isTaken ? .owner : .new))
      }
    }
    _ = try accounts.add("boss", role: .admin, claimability: .byName, now: start)
    #expect(try claim("boss", for: "late", isOwner: false, in: accounts, now: later) == .reserved)
    #expect(try claim("boss", for: "eve", isOwner: false, in: accounts) == .new)
    #expect(try claim("boss", for: "mallory", isOwner: false, in: accounts) == .refused)
  }

  @Test("Names that can be mistaken for another's create no account on their own")
  func shapes() throws {
    let accounts = try visit().context.accounts
    for name in ["eve", "admin", "Ann Lee", "karl10"] {
      _ = try accounts.add(name, role: .viewer, now: .now)
    }
    for (name, other) in [
      ("\u{435}v\u{435}", nil), ("ADM\u{130}N", "admin"), ("\u{ff41}dmin", "admin"),
      ("adm1n", "admin"),
      ("e\u{301}ve", "eve"), ("AnnLee", "Ann Lee"), ("kar1l0", "karl10"), ("karllo", "karl10"),
      ("\u{435}\u{475}\u{435}", "eve"), ("<img src=x>", nil), ("\u{430}dmin", nil),
    ] as [(String, String?)] {
      let found = try accounts.lookAlike(of: name)
      #expect(found == (other.map { .like($0) } ?? .mixed), "\(name)")
    }
    for name in [
      "eve", "Admin", "bob", "\u{418}\u{432}\u{430}\u{43d}", "zo\u{eb}", "ann@example.org",
      "karl11",
    ] {
      #expect(try accounts.lookAlike(of: name) == nil, "\(name)")
    }
  }

  @Test("An unused account goes to the first user from the provider, and stays theirs")
  func subjects() throws {
    let accounts = try visit().context.accounts
    _ = try accounts.add("ann", role: .viewer, now: .now)
    #expect(try !accounts.isConnected("ann"))
    #expect(try claim("Ann", for: "https://a.example 1", isOwner: false, in: accounts) == .new)
    #expect(try claim("ann", for: "https://a.example 1", isOwner: false, in: accounts) == .owner)
    for isOwner in [false, true] {
      #expect(
        try claim("ann", for: "https://a.example 2", isOwner: isOwner, in: accounts) == .refused)
      #expect(
        try claim("bob", for: "https://a.example 1", isOwner: isOwner, in: accounts) == .refused)
    }
    #expect(try accounts.isConnected("ANN"))
  }

  @Test("An account in use is given by the provider only to its owner")
  func owned() throws {
    let accounts = try visit().context.accounts
    for method in [SignInMethod.link, .password, .proxy] {
      _ = try accounts.add(method.rawValue, role: .admin, now: .now)
      _ = try #require(
        try accounts.signIn(as: method.rawValue, by: method, peer: "", agent: "", now: .now))
    }
    _ = try accounts.add("admin", role: .admin, claimability: .never, now: .now)
    for name in ["link", "password", "proxy", "admin"] {
      let subject = "https://a.example " + name
      #expect(try claim(name, for: subject, isOwner: false, in: accounts) == .unconnected)
      #expect(try claim(name, for: subject, isOwner: true, in: accounts) == .new)
    }
  }

  @Test("No name that looks like another's leads to its account")
  func lookalikes() throws {
    let accounts = try visit().context.accounts
    _ = try accounts.add("kate", role: .admin, now: .now)
    // The Kelvin sign, whose lower case is "k".
    #expect(try claim("\u{212a}ate", for: "x", isOwner: false, in: accounts) == .refused)
    #expect(try accounts.password(of: "\u{212a}ate") == nil)
    _ = try accounts.add("caf\u{e9}", role: .viewer, now: .now)
    #expect(throws: AccountError.self) {
      _ = try accounts.add("cafe\u{301}", role: .viewer, now: .now)
    }
    for name in ["dev\u{200b}x", "\u{202e}nimda", "a\nb", "a\u{7f}"] {
      #expect(throws: AccountError.invalidName(name)) {
        _ = try accounts.add(name, role: .viewer, now: .now)
      }
    }
    let account = try #require(try accounts.all().first { $0.name == "kate" })
    #expect(account.isCalled("KATE") && !account.isCalled("\u{212a}ate"))
  }

  @Test("A new link, and a new password, end the links before")
  func links() throws {
    let accounts = try visit().context.accounts
    _ = try accounts.add("ann", role: .viewer, now: .now)
    let first = try accounts.makeLink(for: "ann", now: .now)
    let second = try accounts.makeLink(for: "ann", now: .now)
    #expect(try accounts.account(ofLink: first, now: .now) == nil)
    #expect(try accounts.account(ofLink: second, now: .now) != nil)
    try accounts.setPassword("x", of: "ann", keeping: "", now: .now)
    #expect(try accounts.account(ofLink: second, now: .now) == nil)
  }

  @Test("Requests without a sign-in leave no line in the audit log, and no kind displaces another")
  func audit() throws {
    let provider = IdentityProvider(
      ProviderSettings(issuer: "http://127.0.0.1:1", client: "mayday"))
    let visit = try PageVisit(
      home: folder.path("home"),
      signIn: SignInSettings(
        provider: .init(
          provider: provider, label: "Tern", name: .userName, role: nil, domain: nil, group: nil)))
    #expect(visit.get("/sign-in/provider/callback?code=x&state=y").status == 403)
    #expect(try visit.context.audit.count() == 0)
    let audit = visit.context.audit
    try audit.noteRefused("wrong password", of: "ann", peer: "", now: .now)
    for _ in 0..<1_001 { try audit.noteRefused("wrong state", of: "", peer: "", now: .now) }
    #expect(try audit.count() == 1_001)
    #expect(try audit.latest(2_000).map(\.entry.action).contains("wrong password"))
  }
}
