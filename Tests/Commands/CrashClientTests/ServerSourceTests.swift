import Bytes
import Glibc
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

/// Output of commands from a server, compared with their output from the same home.
@Suite("Commands that use a server", .serialized)
struct ServerSourceTests {
  private let folder = ScratchFolder()

  /// A home with reports of three apps: with attachments, with debug files that arrived late, and
  /// with files that are not reports.
  private func makeHome(_ name: String) throws -> String {
    let home = folder.path(name)
    let log = folder.write("log.txt", Array("what went before\n".utf8))
    let crash = Samples.path("apple-ips/abort-1.0.0-macos-x86_64.ips")
    #expect(Run(["ingest", crash, "--attach", log, "--home", home]).status == 0)
    #expect(Run(["symbols", "add", Samples.symbols + "/1.0.0", "--home", home]).status == 0)
    let other = folder.write("notes.ips", Array("no crash".utf8))
    let paths = ["apple-ips", "swift-backtrace", "appcenter"].map { Samples.path($0) }
    #expect([0, 6].contains(Run(["ingest", "--home", home, other] + paths).status))
    return home
  }

  private func ask(_ words: [String], _ server: RunningServer) -> Run {
    Run(
      words,
      environment: [
        "MAYDAY_SERVER": "http://127.0.0.1:\(server.port)", "MAYDAY_TOKEN": server.token,
      ])
  }

  @Test("Every reading command prints the same as from the home")
  func reading() throws {
    let home = try makeHome("home")
    let server = try #require(RunningServer(home: home))
    let groups = try #require(Run(["groups", "--json", "--home", home]).json.array)
    let group = try #require(groups.first?["id"]?.string)
    let other = try #require(groups.last?["id"]?.string)
    let attached = Run(["reports", "attachment:log.txt", "--json", "--home", home]).json[0]
    let report = try #require(attached?["id"]?.string)
    let prefix = String(report.prefix(8))
    let app = try #require(groups.first?["app"]?["name"]?.string)
    #expect(Run(["note", group, "One note", "--home", home]).status == 0)
    let commands: [[String]] = [
      ["groups"], ["groups", "--json"], ["groups", "--ndjson"], ["groups", "--csv"],
      ["groups", "--limit", "2"], ["groups", "--limit", "0", "--sort", "last-seen", "--json"],
      ["groups", "--reverse", "--sort", "-versions"],
      ["groups", "--sort", "change", "--days", "9", "--limit", "3", "--json"],
      ["groups", "-is:new"], ["groups", "is:open", "app:\(app)"],
      ["groups", "--trend"], ["groups", "--trend", "--json", "version:>=1.0"],
      ["groups", "--by", "os.version"], ["groups", "--by", "version", "--json", "--limit", "2"],
      ["groups", "nothing-like-that"], ["groups", "colour:red"], ["groups", "--after", "wrong"],
      ["reports"], ["reports", "--json", "--limit", "0"], ["reports", "--sort", "received"],
      ["reports", "group:\(group)"], ["reports", "--trend"], ["reports", "--trend", "--json"],
      ["reports", "--by", "device"], ["reports", "--limit", "3", "--csv"],
      ["show", group], ["show", group, "--json"], ["show", group, "--full"],
      ["show", group, "--format", "md"], ["show", group, "--format", "apple"],
      ["show", report], ["show", prefix, "--json"], ["show", report, "--full"],
      ["show", report, "--format", "md"], ["show", report, "--format", "apple"],
      ["show", report, "--source", "--json"], ["show", report, "--raw"], ["show", group, "--raw"],
      ["show", report, "--attachment", "log.txt"], ["show", report, "--attachment", "other"],
      ["show", report, "--diff"], ["show", report, "--diff", "--json"],
      ["show", report, "--diff", "--change", "9"],
      ["show", "TERN-99999"], ["show", "0000000000"], ["show", ".."],
      ["explain", group], ["explain", report, "--json"], ["explain", report, "--full"],
      ["explain", group, "--against", other], ["explain", "nothing-there"],
      ["split", group], ["split", group, "--json"],
      ["symbols", "list"], ["symbols", "list", "--json"], ["symbols", "missing"],
      ["symbols", "missing", "--json", "--limit", "0"], ["symbols", "missing", "--app", app],
      ["symbols", "missing", "--app", "none"], ["symbols", "missing", "version:1.0.0"],
      ["apps", "list"], ["apps", "list", "--json"], ["releases", "list"],
      ["testers", "list", "--app", app], ["testers", "mails", "--app", app, "--json"],
      ["releases", "list", "--app", app, "--json"], ["stats", "--ledger"],
      ["stats", "--ledger", "--json"], ["stats", "--crash-free"],
      ["stats", "--crash-free", "--json", "--from", "2026-01-01"], ["stats", "--app", app],
      ["stats", "--app", app, "--json"], ["stats", "--app", "none"], ["tokens", "list"],
      ["tokens", "list", "--json"],
    ]
    for words in commands {
      let (there, here) = (ask(words, server), Run(words + ["--home", home]))
      #expect(there.output == here.output, "\(words)")
      #expect(there.errors == here.errors, "\(words)")
      #expect(there.status == here.status, "\(words)")
    }
    // Disk usage changes while the server works.
    func figures(_ run: Run) -> Substring {
      run.output.prefix(
        upTo: run.output.firstRange(of: "ON THE DISK")?.lowerBound ?? run.output.endIndex)
    }
    let (there, here) = (ask(["stats"], server), Run(["stats", "--home", home]))
    #expect(figures(there) == figures(here) && there.output.contains("In all"))
    // An archive has the same bytes from either.
    let (mine, theirs) = (folder.path("mine.zip"), folder.path("theirs.zip"))
    #expect(Run(["show", report, "--archive", mine, "--home", home]).status == 0)
    #expect(ask(["show", report, "--archive", theirs], server).status == 0)
    #expect(try ByteView(mapping: mine).array == ByteView(mapping: theirs).array)
    let again = ask(["show", report, "--archive", theirs], server)
    #expect(again.status == 1 && again.errors.contains("--force"))
    #expect(server.stop() == 0)
  }

  /// Without times, durations, and random keys.
  private static func timeless(_ text: String) -> String {
    text.replacing(/\d{4}-\d\d-\d\dT[0-9:.]+Z/, with: "TIME")
      .replacing(/\d{4}-\d\d-\d\d \d\d:\d\d/, with: "TIME")
      .replacing(/\b[0-9a-f]{32}\b/, with: "KEY")
      .replacing(/made in \d+ ms|"milliseconds": \d+/, with: "SOME TIME")
  }

  @Test("A server describes a debug file and its contents as the home does")
  func debugFiles() throws {
    let home = try makeHome("home")
    let server = try #require(RunningServer(home: home))
    let files = try #require(Run(["symbols", "list", "--json", "--home", home]).json.array)
    let ids = files.compactMap { $0["debug_id"]?.string }
    let first = try #require(ids.first)
    for words in Set(ids).sorted().prefix(6).map({ ["symbols", "show", $0] }) + [
      ["symbols", "show", first, "--json"], ["symbols", "show", first, "--arch", "sparc"],
      ["symbols", "show", first.uppercased().replacing("-", with: "")],
      ["symbols", "show", "00000000-5555-3144-a142-79c47c75be14"],
      ["symbols", "show", "no/path"], ["symbols", "show", Samples.path("none")],
    ] {
      let (there, here) = (ask(words, server), Run(words + ["--home", home]))
      #expect(Self.timeless(there.output) == Self.timeless(here.output), "\(words)")
      #expect(there.errors == here.errors, "\(words)")
      #expect(there.status == here.status, "\(words)")
    }
    #expect(server.ask("GET", "/api/v1/symbols/..%2f..%2fetc")?.status == 404)
    #expect(server.ask("GET", "/api/v1/symbols/--home")?.status == 404)
    #expect(server.stop() == 0)
  }

  @Test("An unknown app is adopted through a server")
  func adopting() throws {
    let server = try #require(RunningServer(home: folder.path("home")))
    let secret = "5b1e6c1c-3c51-4e0b-9f4e-2e3c7e0b7a10"
    let log = """
      {"logs":[{"type":"startSession","sid":"B3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0A11",
      "timestamp":"2026-03-02T10:12:00Z","device":{"appVersion":"1.2.0"}}]}
      """
    let headers = ["App-Secret: \(secret)", "Install-ID: 0D1E2F3A-0000-4000-8000-000000000001"]
    #expect(server.ask("POST", "/logs", headers: headers, body: Array(log.utf8))?.status == 200)
    #expect(server.waitForQueue())
    let adopted = ask(["apps", "adopt", "5b1e6c1c", "Tern"], server)
    #expect(adopted.status == 0, "\(adopted.errors)")
    let apps = ask(["apps", "list", "--json"], server).json.array ?? []
    #expect(apps.map { $0["name"]?.string } == ["Tern"])
    let audit = server.json("/api/v1/audit")["items"]?.array ?? []
    #expect(audit.contains { $0["action"]?.string == "adopt app" })
    let body = Array(#"{"label":"t","scopes":["read","triage"]}"#.utf8)
    let made = try #require(server.ask("POST", "/api/v1/tokens", body: body))
    let token = try JSONDocument.parse(ByteView(made.body)).value["token"]?.string ?? ""
    for path in ["", "/adopt", "/rename"] {
      #expect(server.ask("POST", "/api/v1/apps" + path, token: token, body: [])?.status == 403)
    }
    #expect(server.stop() == 0)
  }

  @Test("Every command for decisions has the same effect as on the home")
  func deciding() throws {
    let (home, served) = (try makeHome("home"), try makeHome("served"))
    let server = try #require(RunningServer(home: served))
    // The admin token of a first start.
    let label = "first"
    let tern = try #require(
      Run(["groups", "app:Tern", "--json", "--home", home]).json.array
    ).compactMap {
      $0["id"]?.string
    }
    let (one, two, three) = (tern[0], tern[1], tern[2])
    let keys = try #require(Run(["split", one, "--json", "--home", home]).json.array)
    let key = try #require(keys.first?["signature"]?["hash"]?.string)
    let commands: [[String]] = [
      ["resolve", one], ["resolve", one, two, "--in", "1.0.0", "--json"],
      ["resolve", two, "--next"],
      ["reopen", one, "--json"], ["ignore", one, "--until", "100"],
      ["ignore", one, two, "--users", "10", "--json"], ["ignore", three],
      ["assign", one, "ann", "--anyone"], ["assign", one, two, "ben", "--anyone", "--json"],
      ["assign", one, "--none"],
      ["assign", one, two], ["note", one, "Only with the new renderer."], ["note", one, " "],
      ["merge", one, two, three], ["unmerge", three, "--json"], ["merge", one, one],
      ["merge", one, three, "--json"], ["undo", one], ["undo", one, "999"],
      ["undo", one, "--json"],
      ["split", one, "--key", "zz"], ["split", one, "--where", "colour:red"],
      ["split", one, "--key", key, "--json"], ["undo", one],
      ["resolve", "TERN-99999"], ["resolve", one, "TERN-99999"],
      ["releases", "add", "Tern", "9.9 (1)", "9.8"], ["releases", "order", "Tern", "9.9", "9.8"],
      ["releases", "order", "Tern", "--by-number", "--json"],
      ["releases", "remove", "Tern", "9.8"],
      ["releases", "remove", "Tern", "7.7"], ["releases", "add", "Tern", ""],
      ["tokens", "revoke", "nothing"], ["tokens", "add", "t", "--scope", "read", "--app", "Ternn"],
      ["accounts", "add", "eve", "--app", "tern"], ["accounts", "add", " eve"],
      ["accounts", "link", "nobody"], ["accounts", "role", "nobody", "admin"],
      ["accounts", "remove", "nobody"], ["stats", "--app", "Ternn"],
      ["stats", "--crash-free", "--app", "Ternn"], ["releases", "add", "Ternn", "1.0"],
      ["erase", "--user", "nobody", "--dry-run"], ["erase", "--install", "x", "--json"],
      ["apps", "add", "Nova"],
      ["apps", "add", "Nova", "--secret", "5B1E6C1C-3C51-4E0B-9F4E-2E3C7E0B7A10"],
      ["apps", "add", "Vega", "--secret", "5B1E6C1C-3C51-4E0B-9F4E-2E3C7E0B7A10"],
      ["apps", "add", ""], ["apps", "adopt", "ffff", "Known"], ["apps", "adopt", "5b1e", "Known"],
      ["apps", "rename", "Nova", "Tern"], ["apps", "rename", "None", "Other"],
      ["apps", "rename", "Nova", "Supernova"],
      ["apps", "set", "Supernova", "--keep-days", "90", "--keep-bytes", "10GB"],
      ["apps", "set", "Supernova", "--keep-days", "none", "--keep-per-group", "7", "--json"],
      ["apps", "set", "None", "--keep-days", "90"],
      ["apps", "set", "Supernova", "--prefix", "sn"], ["apps", "set", "Vega", "--prefix", "SN"],
      ["apps", "set", "Vega", "--prefix", "no-prefix"],
      ["apps", "set", "None", "--prefix", "NONE"],
    ]
    for words in commands {
      let isAction = !["releases", "tokens", "apps", "accounts", "stats", "erase"]
        .contains(words[0])
      let here = Run(words + ["--home", home] + (isAction ? ["--as", label] : []))
      let there = ask(words, server)
      #expect(Self.timeless(there.output) == Self.timeless(here.output), "\(words)")
      #expect(Self.timeless(there.errors) == Self.timeless(here.errors), "\(words)")
      #expect(there.status == here.status, "\(words)")
    }
    // Both homes are equal in the end.
    for words in [
      ["groups", "--json"], ["show", one], ["show", two], ["releases", "list"], ["apps", "list"],
    ] {
      // Only one of them has pages, whose address is shown.
      let (there, here) = (
        Run(words + ["--home", served]).output.split(separator: "\n").filter {
          !$0.contains("http://127.0.0.1:")
        }.joined(separator: "\n"),
        Run(words + ["--home", home]).output.split(separator: "\n").joined(separator: "\n")
      )
      #expect(Self.timeless(there) == Self.timeless(here), "\(words)")
    }
    let made = ask(["tokens", "add", "CI", "--scope", "read", "--for", "90d", "--json"], server)
    let id = try #require(made.json["id"]?.string)
    #expect(made.json["token"]?.string?.contains(id) == true && made.json["expires"] != nil)
    #expect(ask(["tokens", "revoke", id], server).errors.contains("\(id) is revoked"))
    #expect(ask(["note", one, "x", "--as", "ann"], server).status == 2)
    #expect(server.stop() == 0)
  }

  @Test("Accounts of a server are added, changed and removed, without its home")
  func accounts() throws {
    let home = try makeHome("home")
    let server = try #require(RunningServer(home: home))
    let added = ask(["accounts", "add", "ann", "--role", "triage", "--app", "Tern"], server)
    #expect(added.status == 0, "\(added.errors)")
    let start = "http://127.0.0.1:\(server.port)/sign-in?code="
    #expect(added.output.hasPrefix(start), "\(added.output)")
    let code = added.output.dropFirst(start.count).prefix { $0 != "\n" }
    let named = ask(
      ["accounts", "link", "ann", "--server-url", "https://crashes.example.com/"], server)
    #expect(named.output.hasPrefix("https://crashes.example.com/sign-in?code="))
    // The new link has ended the first.
    let signIn = server.ask(
      "POST", "/sign-in", headers: ["Content-Type: application/x-www-form-urlencoded"],
      body: Array("code=\(code)".utf8))
    #expect(signIn?.status != 303)
    let role = ask(["accounts", "role", "ANN", "viewer"], server)
    #expect(role.status == 0 && role.errors.contains("ann is viewer now"), "\(role.errors)")
    let list = ask(["accounts", "--json"], server)
    let ann = try #require(list.json.array?.first { $0["name"]?.string == "ann" })
    #expect(ann["role"]?.string == "viewer" && ann["app"]?.string == "Tern")
    #expect(list.output == Run(["accounts", "--json", "--home", home]).output)
    #expect(
      ask(["accounts"], server).output == Run(["accounts", "list", "--home", home]).output)
    let removed = ask(["accounts", "remove", "ann"], server)
    #expect(removed.errors.contains("ann is removed"))
    let actions = (server.json("/api/v1/audit")["items"]?.array ?? []).compactMap {
      $0["action"]?.string
    }
    for action in ["add account", "make sign-in link", "set role to viewer", "remove account"] {
      #expect(actions.contains(action), "\(action)")
    }
    // Whoever may only read learns no names.
    let made = try #require(
      server.ask(
        "POST", "/api/v1/tokens", body: Array(#"{"label":"r","scopes":["read","triage"]}"#.utf8)))
    let token = try JSONDocument.parse(ByteView(made.body)).value["token"]?.string ?? ""
    for (method, path) in [
      ("GET", ""), ("POST", ""), ("DELETE", "/ann"), ("POST", "/ann/link"), ("PUT", "/ann/role"),
    ] {
      let refused = server.ask(method, "/api/v1/accounts" + path, token: token, body: [])
      #expect(refused?.status == 403, "\(method) \(path)")
    }
    #expect(server.stop() == 0)
  }

  @Test("A person is erased from a server, which notes it without the name")
  func erasing() throws {
    let (home, served) = (try makeHome("home"), try makeHome("served"))
    let server = try #require(RunningServer(home: served))
    let reports = try #require(
      Run(["reports", "format:apple-ips", "--json", "--home", home]).json.array)
    let installs = reports.prefix(5).compactMap { report in
      Run(["show", report["id"]?.string ?? "", "--json", "--home", home]).json["install"]?.string
    }
    let install = try #require(installs.first)
    for words in [
      ["erase", "--install", install, "--dry-run"],
      ["erase", "--install", install, "--dry-run", "--json"],
      ["erase", "--install", install], ["reports", "--trend"],
      ["erase", "--install", install, "--json"],
    ] {
      let (here, there) = (Run(words + ["--home", home]), ask(words, server))
      #expect(Self.timeless(there.output) == Self.timeless(here.output), "\(words)")
      #expect(there.errors == here.errors && there.status == 0, "\(words) \(there.errors)")
    }
    let audit = server.json("/api/v1/audit")["items"]?.array ?? []
    let entries = audit.filter { $0["action"]?.string == "erase" }
    #expect(entries.count == 2)
    #expect(entries.allSatisfy { $0["subject"]?.string?.contains(install) == false })
    #expect(server.stop() == 0)
  }

  @Test("A token for one app shows this app, and no other")
  func oneApp() throws {
    let home = try makeHome("home")
    let server = try #require(RunningServer(home: home))
    func token(_ scopes: String...) -> String {
      let words = ["tokens", "add", "t", "--app", "Tern", "--home", home]
      return String(Run(words + scopes.flatMap { ["--scope", $0] }).output.dropLast())
    }
    let reader = token("read", "triage", "symbols")
    let groups = try #require(Run(["groups", "--limit", "0", "--json", "--home", home]).json.array)
    func facts(_ app: (String?) -> Bool) throws -> (group: String, report: String) {
      let group = try #require(groups.first { app($0["app"]?["name"]?.string) })
      return (group["id"]?.string ?? "", group["exemplar"]?.string ?? "")
    }
    let (own, other) = (try facts { $0 == "Tern" }, try facts { $0 != "Tern" })
    func status(_ method: String, _ path: String, _ token: String, body: String? = nil) -> Int? {
      server.ask(method, "/api/v1" + path, token: token, body: body.map { Array($0.utf8) })?.status
    }
    for (facts, wanted) in [(own, 200), (other, 404)] {
      for path in [
        "/groups/\(facts.group)", "/groups/\(facts.group)/keys", "/reports/\(facts.report)",
        "/reports/\(facts.report)/raw", "/reports/\(facts.report)/place",
        "/reports/\(facts.report)/versions", "/reports/\(facts.report)/archive",
        "/groups/trend?groups=\(facts.group)&from=2026-01-01&to=2026-01-02",
      ] {
        #expect(status("GET", path, reader) == wanted, "\(path)")
      }
      let note = #"{"text":"one"}"#
      #expect(status("POST", "/groups/\(facts.group)/note", reader, body: note) == wanted)
      let merge = #"{"into":"\#(facts.group)"}"#
      #expect(
        status("POST", "/groups/\(own.group)/merge", reader, body: merge)
          == (wanted == 200 ? 400 : 404))
    }
    for path in ["/stats?app=Tern", "/ledger?app=Tern", "/sessions?app=Tern", "/releases?app=Tern"]
    {
      #expect(status("GET", path, reader) == 200)
      let foreign = path.replacing("Tern", with: "Other")
      #expect(status("GET", foreign, reader) == 404, "\(foreign)")
    }
    let url = "http://127.0.0.1:\(server.port)"
    for list in [["groups"], ["reports"], ["releases", "list"], ["groups", "--by", "app"]] {
      let apps = Run(list + ["--json", "--server", url, "--token", reader]).json.array ?? []
      let names = Set(apps.compactMap { ($0["app"]?["name"] ?? $0["app"] ?? $0["value"])?.string })
      #expect(names == ["Tern"], "\(list)")
    }
    #expect(
      Run(["apps", "list", "--json", "--server", url, "--token", reader]).json.array?.count == 1)
    #expect(status("GET", "/symbols", reader) == 403 && status("GET", "/audit", reader) == 403)
    #expect(server.ask("GET", "/metrics", token: reader)?.status == 403)
    // A token that manages tokens could create one for all apps.
    let manager = token("admin")
    let wish = #"{"label":"x","scopes":["read"]}"#
    #expect(status("POST", "/tokens", manager, body: wish) == 403)
    #expect(status("GET", "/groups", manager) == 200)
    #expect(server.stop() == 0)
  }

  @Test("Failures between the two have their exit status")
  func failures() throws {
    let home = folder.path("empty")
    let server = try #require(RunningServer(home: home))
    let url = "http://127.0.0.1:\(server.port)/"
    #expect(Run(["groups", "--server", url]).status == 4)
    #expect(Run(["groups", "--server", url, "--token", "mayday_x"]).status == 4)
    let file = folder.write("token", Array((server.token + "\n").utf8))
    #expect(Run(["groups", "--server", url, "--token-file", file]).errors == "No groups.\n")
    let made = Run(
      ["tokens", "add", "r", "--scope", "read", "--server", url, "--token-file", file])
    let token = String(made.output.dropLast())
    #expect(Run(["groups", "--server", url, "--token", token]).status == 0)
    #expect(Run(["resolve", "A-1", "--server", url, "--token", token]).status == 4)
    #expect(Run(["show", "A-1", "--server", url, "--token", token]).status == 3)
    #expect(Run(["groups", "--server", "crashes.example.org"]).status == 2)
    #expect(Run(["groups", "--server", url, "--token-file", folder.path("none")]).status == 3)
    let empty = folder.write("nothing", [])
    #expect(Run(["groups", "--server", url, "--token-file", empty]).status == 2)
    #expect(server.stop() == 0)
    let gone = Run(["groups", "--server", url, "--token", token])
    #expect(gone.status == 5 && gone.errors.contains("127.0.0.1"))
  }
}
