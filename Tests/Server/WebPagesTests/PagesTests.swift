import CrashStore
import HTTP
import Query
import Rendering
import ServerStore
import TestSupport
import Testing
import TriageModel

@testable import CrashService
@testable import MaydayCommands
@testable import ProgramSupport
@testable import ServerCore
@testable import WebPages

/// The pages of a home with reports, tested by requests to the routes.
@Suite("Pages") struct PagesTests {
  private let folder = ScratchFolder()

  private func visit(_ role: Account.Role = .triage, app: String? = nil) throws -> PageVisit {
    let home = folder.path("home")
    #expect(Run(["ingest", Samples.root + "/Samples/apple-ips", "--home", home]).status == 0)
    let visit = try PageVisit(home: home)
    try visit.signIn("ann", role, app: app)
    return visit
  }

  private func groups(_ visit: PageVisit) throws -> [GroupSummary] {
    var query = GroupQuery(.all)
    query.order = .lastSeen
    return try visit.context.service(ofApp: nil).groups(query).items
  }

  @Test("The list has each group with its title, its counts and its reason")
  func list() throws {
    let visit = try visit()
    let all = try groups(visit)
    #expect(!all.isEmpty)
    let page = visit.get("/")
    #expect(page.status == 200)
    for group in all.prefix(50) {
      #expect(page.text.contains("href=\"/groups/\(group.id)\""), "\(group.id)")
    }
    #expect(page.text.contains("of \(all.count) group"))
    let found = visit.get("/?q=" + "nothing-has-this-word".inAddress)
    #expect(found.status == 200 && found.text.contains("No group matches"))
    let wrong = visit.get("/?q=" + "nofield:1".inAddress)
    #expect(wrong.status == 400 && wrong.text.contains("aria-label=\"Status\""))
    let alert = try #require(wrong.text.firstRange(of: "role=\"alert\""))
    let message = wrong.text[alert.upperBound...].prefix { $0 != "/" }
    #expect(message.contains("nofield:1") && !message.contains("is:open"))
    let hostile = visit.get("/?q=" + "\"><script>alert(1)</script>".inAddress)
    #expect(!hostile.text.contains("<script>alert"))
  }

  @Test("A group is resolved and reopened by undo, without scripts")
  func decisions() throws {
    let visit = try visit()
    let id = try #require(try groups(visit).first?.id)
    let place = "/groups/" + id
    #expect(visit.get(place).text.contains("<span class=\"state open\">open</span>"))
    #expect(
      try visit.send(place + "/resolve", from: place, [("how", "in"), ("in", "9.9")]).location
        == place)
    let resolved = visit.get(place)
    #expect(resolved.text.contains("resolved by ann in 9.9"))
    let line = try #require(resolved.field("line"))
    #expect(try visit.send(place + "/undo", from: place, [("line", line)]).status == 303)
    #expect(visit.get(place).text.contains("<span class=\"state open\">open</span>"))
    #expect(try visit.send(place + "/note", from: place, [("text", "a <b> note")]).status == 303)
    #expect(visit.get(place).text.contains("a &lt;b&gt; note"))
    #expect(try visit.send(place + "/resolve", from: place, [("how", "in")]).status == 400)
    #expect(try visit.send(place + "/explode", from: place).status == 404)
    #expect(try visit.send("/groups/NO-9/resolve", from: place).status == 404)
    let both = try groups(visit).prefix(2).map { ("id", $0.id) }
    let several = try visit.send("/groups", from: "/", [("action", "ignore")] + both)
    let notice = try #require(several.location)
    #expect(notice.hasPrefix("/?done=ignore&count=2&changed="))
    let told = visit.get(notice).text
    #expect(told.contains("role=\"status\">2 groups ignored: <a href=\"/groups/"))
    #expect(told.split(separator: "done=").count == 1)
    for items in ["done=explode&count=2", "done=ignore&count=0", "done=ignore&count=x", "done="] {
      #expect(!visit.get("/?" + items).text.contains("role=\"status\""), "\(items)")
    }
    #expect(visit.get("/?status=ignored").text.contains("2 of 2 groups"))
    let none = try visit.send("/groups", from: "/", [("action", "ignore"), ("back", "/?q=a")])
    #expect(none.location == "/?q=a&done=none")
    #expect(visit.get("/?done=none").text.contains("role=\"alert\">Select at least one group."))
    let audit = try visit.context.audit.latest(20).map(\.entry.action)
    #expect(audit.contains("resolve") && audit.contains("undo") && audit.contains("sign in"))
  }

  @Test("A report has a page, and is available as text, Markdown and JSON")
  func report() throws {
    let visit = try visit()
    let id = try #require(try groups(visit).first?.exemplar)
    let page = visit.get("/reports/" + id)
    #expect(page.status == 200)
    #expect(page.text.contains("id=\"t0f0\"") || page.text.contains("f0\""))
    #expect(visit.get("/reports/" + id.prefix(12)).location == "/reports/" + id)
    let text = visit.get("/reports/\(id).txt")
    #expect(text.headers["Content-Type"]?.hasPrefix("text/plain") == true && !text.text.isEmpty)
    #expect(visit.get("/reports/\(id).md").text.hasPrefix("## "))
    #expect(visit.get("/reports/\(id).json").headers["Content-Type"] == "application/json")
    let raw = visit.get("/reports/\(id)/raw")
    #expect(raw.headers["Content-Disposition"]?.hasPrefix("attachment; ") == true)
    #expect(raw.headers["Content-Security-Policy"]?.contains("sandbox") == true)
    let absent = visit.get("/reports/ffffffffffff")
    #expect(absent.status == 404 && !absent.text.contains("mayday groups"))
    #expect(visit.get("/reports/%2e%2e%2f%2e%2e").status == 404)
  }

  @Test("An account of one app sees nothing of another")
  func otherApp() throws {
    let visit = try visit(.triage, app: "Nothing")
    let group = try #require(try groups(visit).first)
    #expect(visit.get("/groups/" + group.id).status == 404)
    #expect(visit.get("/reports/" + group.exemplar).status == 404)
    #expect(visit.get("/reports/\(group.exemplar)/raw").status == 404)
    #expect(!visit.get("/").text.contains(group.id))
    #expect(try visit.send("/groups/\(group.id)/resolve", from: "/account").status == 404)
    #expect(!visit.get("/symbols").text.contains("Tern"))
  }

  @Test("An empty server shows what to do next")
  func firstRun() throws {
    let visit = try PageVisit(home: folder.path("empty"))
    try visit.signIn()
    let page = visit.get("/")
    #expect(page.text.contains("No reports yet") && page.text.contains("curl -H"))
    #expect(page.text.contains("http-equiv=\"refresh\""))
    #expect(page.text.contains("http://127.0.0.1:8080/api/v1/reports"))
    #expect(!page.text.contains("action=\"/apps\"") && !page.text.contains("/server/tokens"))
    let admin = visit.another()
    try admin.signIn("root", .admin)
    let form = admin.get("/")
    #expect(form.text.contains("Name of your app") && form.text.contains("href=\"/server/tokens\""))
    #expect(!form.text.contains("http-equiv=\"refresh\""))
    #expect(admin.get("/apps").text.contains("No apps yet. Add your app"))
    #expect(try admin.send("/apps", from: "/", [("name", "Wren"), ("back", "/")]).location == "/")
    let app = try #require(try visit.context.store.apps.list().first)
    let next = admin.get("/").text
    #expect(next.contains("X-App-Key: \(app.intakeKey)") && !next.contains("Name of your app"))
    #expect(visit.get("/").text.contains("http-equiv=\"refresh\""))
    let viewer = visit.another()
    try viewer.signIn("vic", .viewer)
    #expect(!viewer.get("/").text.contains(app.intakeKey))
  }

  @Test("Missing symbols are shown with instructions, and apps with their keys")
  func otherPages() throws {
    let visit = try visit(.admin)
    #expect(visit.get("/symbols").text.contains("How to get it"))
    let app = try #require(try visit.context.service(ofApp: nil).apps().first)
    #expect(visit.get("/apps").text.contains(app.intakeKey))
  }

  @Test("Pages create and revoke tokens and accounts, and empty the quarantine")
  func server() throws {
    let visit = try visit(.admin)
    for path in [
      "/server", "/server/quarantine", "/server/tokens", "/server/accounts", "/server/audit",
    ] {
      #expect(visit.get(path).status == 200, "\(path)")
    }
    let made = try visit.send(
      "/server/tokens", from: "/server/tokens",
      [("label", "CI"), ("scope", "symbols"), ("scope", "ingest"), ("for", "30d")])
    #expect(made.status == 200)
    let start = try #require(made.text.firstRange(of: "mayday_"))
    let text = String(made.text[start.lowerBound...].prefix { $0 != "<" })
    let token = try #require(try visit.context.tokens.token(text, now: .now))
    #expect(token.scopes == [.symbols, .ingest] && token.expires != nil)
    #expect(!visit.get("/server/tokens").text.contains(text))
    _ = try visit.send("/server/tokens/\(token.id)/revoke", from: "/server/tokens")
    #expect(try visit.context.tokens.token(text, now: .now) == nil)
    let refused = try visit.send(
      "/server/tokens", from: "/server/tokens",
      [("label", "x <b>"), ("scope", "symbols"), ("for", "long")])
    #expect(refused.status == 400 && refused.text.contains("role=\"alert\">&#39;long&#39; is not"))
    #expect(refused.text.contains("name=\"label\" value=\"x &lt;b&gt;\""))
    #expect(refused.text.contains("value=\"symbols\" checked"))
    #expect(
      try visit.send("/server/tokens", from: "/server/tokens", [("label", "x")]).status == 400)
    let twice = try visit.send(
      "/server/accounts", from: "/server/accounts", [("name", "ann"), ("role", "admin")])
    #expect(twice.status == 409 && twice.text.contains("name=\"name\" value=\"ann\""))
    for (path, fields) in [
      ("/server/accounts", [("name", "eve"), ("role", "viewer"), ("app", "Ternn")]),
      ("/server/tokens", [("label", "eve"), ("scope", "read"), ("app", "Ternn")]),
    ] {
      let unknown = try visit.send(path, from: path, fields)
      #expect(unknown.status == 404 && unknown.text.contains("did you mean &#39;Tern&#39;?"))
      #expect(unknown.text.contains("value=\"eve\""))
      // The apps are a menu, and what may be chosen is explained.
      #expect(unknown.text.contains("<select name=\"app\"><option value=\"\">All apps</option>"))
      #expect(unknown.text.contains("<option>Tern</option>"))
    }
    #expect(visit.get("/server/tokens").text.contains(TokenScope.releases.meaning))
    #expect(visit.get("/server/accounts").text.contains(Account.Role.triage.meaning))
    let alert = try visit.send("/server/alerts/targets", from: "/server/alerts", [("name", "x")])
    #expect(
      alert.status == 400 && alert.text.contains("name=\"name\" value=\"x\" required"))
    let invited = try visit.send(
      "/server/accounts", from: "/server/accounts", [("name", "bob <b>"), ("role", "viewer")])
    let link = try #require(invited.text.firstRange(of: "/sign-in?code="))
    let code = String(invited.text[link.upperBound...].prefix { $0 != "<" })
    let bob = visit.another()
    #expect(bob.post("/sign-in", [("code", code)]).status == 303)
    #expect(bob.get("/account").text.contains("<h1>bob &lt;b&gt;</h1>"))
    for path in ["/server", "/server/tokens", "/server/accounts", "/server/audit"] {
      #expect(bob.get(path).status == 403, "\(path)")
    }
    #expect(
      try bob.send("/server/accounts", from: "/account", [("name", "c"), ("role", "admin")]).status
        == 403)
    let place = "/server/accounts/" + "bob <b>".inAddress
    _ = try visit.send(place + "/remove", from: "/server/accounts")
    #expect(bob.get("/account").status == 303)
    #expect(try visit.send("/server/accounts/ann/remove", from: "/server/accounts").status == 409)
    #expect(try visit.send("/server/quarantine/all/retry", from: "/server/accounts").status == 303)
    #expect(
      try visit.send("/server/quarantine/all/discard", from: "/server/accounts").status == 404)
  }

  @Test("A title is explained, and compared with that of another report")
  func explanation() throws {
    let visit = try visit()
    let all = try groups(visit)
    let (first, second) = (try #require(all.first), try #require(all.last))
    let page = visit.get("/reports/\(first.exemplar)/explain")
    #expect(page.status == 200 && page.text.contains("in the title"))
    let compared = visit.get("/reports/\(first.exemplar)/explain?against=\(second.id)")
    #expect(compared.text.contains("A is in \(first.id), B is in \(second.id)."))
    #expect(visit.get("/reports/\(first.exemplar)/explain?against=NO-1").status == 404)
  }

  @Test(
    "A title is explained in the sections of the command, with the rules and the nearest groups")
  func explanationSections() throws {
    let visit = try visit()
    let home = visit.context.store.home
    #expect(Run(["symbols", "add", Samples.root + "/Symbols/apple", "--home", home]).status == 0)
    var sections: Set<String> = []
    for group in try groups(visit).prefix(12) {
      let text = Run(["explain", group.id, "--full", "--home", home]).output
      let page = visit.get("/reports/\(group.exemplar)/explain?full").text
      let lines = text.split(separator: "\n").map(String.init)
      for line in lines where line.hasSuffix(":") && line.first?.isWhitespace == false {
        #expect(page.contains("<h2>\(line.dropLast())</h2>"), "\(group.id): \(line)")
        sections.insert(line)
      }
      // The page shows the first 400 frames of a part.
      for line in lines where lines.count < 400 && line.contains("left out: ") {
        let words: HTML = "\(String(line.drop { $0 == " " }))"
        #expect(page.contains(words.markup), "\(group.id): \(line)")
      }
      // Each rule that a frame links to is quoted.
      for link in page.split(separator: "href=\"#rule-").dropFirst() {
        let anchor = link.prefix { $0 != "\"" }
        #expect(page.contains("<tr id=\"rule-\(anchor)\"><th scope=\"row\">"), "\(anchor)")
      }
      let near = lines.filter { $0.hasPrefix("  Nearest") }
      #expect(page.contains("<h2>The nearest groups</h2>") == !near.isEmpty)
      for line in near {
        let id = line.dropFirst(12).prefix { $0 != ":" }
        #expect(page.contains("<li><a href=\"/groups/\(id)\">\(id)</a>"), "\(line)")
        sections.insert("Nearest")
      }
    }
    // The samples have all of them.
    #expect(sections.count >= 6, "\(sections)")
  }

  @Test("Releases are listed with their figures")
  func releases() throws {
    let visit = try visit()
    let page = visit.get("/releases")
    let start = try #require(page.text.firstRange(of: "href=\"/releases/"))
    let path = "/releases/" + page.text[start.upperBound...].prefix { $0 != "\"" }
    #expect(visit.get(path).text.contains("Crash-free rates need"))
    #expect(visit.get("/releases/Tern/none").status == 404)
  }

  @Test("Unknown addresses are reported to a browser as a page, to a program as JSON")
  func unknownAddress() throws {
    let visit = try visit()
    let page = visit.get("/nothing/here", accept: "text/html,*/*;q=0.8")
    #expect(page.status == 404 && page.text.contains("<h1>Not found</h1>"))
    #expect(page.headers["Content-Security-Policy"]?.contains("default-src 'none'") == true)
    #expect(page.text.contains("href=\"/account\"") && page.text.contains("href=\"/releases\""))
    #expect(
      !visit.another().get("/nothing/here", accept: "text/html").text.contains("href=\"/account\""))
    let problem = visit.get("/nothing/here", accept: "*/*")
    #expect(problem.status == 404 && problem.headers["Content-Type"] == "application/problem+json")
    let form = visit.get("/sign-out", accept: "text/html")
    #expect(form.status == 405 && form.headers["Allow"] == "POST")
  }

  @Test("The theme button returns to the page on which it was pressed")
  func theme() throws {
    let visit = try visit()
    let answer = try visit.send("/theme", from: "/symbols", [("to", "dark")])
    #expect(answer.status == 303 && answer.location == "/")
    #expect(answer.headers["Set-Cookie"]?.hasPrefix("mayday-theme=dark") == true)
    visit.cookie = (visit.cookie ?? "") + "; mayday-theme=dark"
    #expect(visit.get("/").text.contains("<html lang=\"en\" data-theme=\"dark\">"))
  }
}
