import Bytes
import Database
import Documents
import Glibc
import HTTP
import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport
@testable import ServerAPI

/// Whatever a token of one app asks, by the ids and names of another app, it learns and changes nothing of
/// it: not either where the two names differ in letter case only.
@Suite("A token of one app, asked about another") struct OtherAppTests {
  private let folder = ScratchFolder()
  private static let ours = "appa"
  private static let theirs = "AppA"

  /// A home with two apps whose names differ only in letter case, and a report of each.
  private func makeHome() throws -> String {
    let home = folder.path("home")
    let notes = folder.path("secretnotes.txt")
    let file = open(notes, O_WRONLY | O_CREAT, 0o600)
    #expect(write(file, "hello", 5) == 5)
    close(file)
    let theirs = Samples.path("apple-ips/null-read-1.1.0-macos-arm64.ips")
    let ours = Samples.path("apple-ips/abort-1.0.0-macos-x86_64.ips")
    let symbols = Samples.symbols + "/1.1.0/macos/Tern.app.dSYM"
    #expect(
      Run(["ingest", theirs, "--app", "AppA", "--attach", notes, "--home", home]).status == 0)
    #expect(Run(["ingest", ours, "--app", "Zeta", "--home", home]).status == 0)
    #expect(
      Run(["symbols", "add", symbols, "--app", "AppA", "--release", "1.1.0", "--home", home]).status
        == 0)
    // The commands refuse such a name.
    try Connection(opening: home + "/mayday.db").execute(
      "UPDATE apps SET name = 'appa', key_name = 'Zeta' WHERE name = 'Zeta'")
    return home
  }

  private func facts(
    _ app: String, _ home: String
  ) throws -> (group: String, report: String) {
    let groups = try #require(Run(["groups", "--json", "--home", home]).json.array)
    let group = try #require(groups.first { $0["app"]?["name"]?.string == app })
    return (group["id"]?.string ?? "", group["exemplar"]?.string ?? "")
  }

  @Test("Names that differ only in letter case are refused for new apps, whatever their source")
  func alike() throws {
    let home = folder.path("alike")
    let sample = Samples.path("apple-ips/abort-1.0.0-macos-x86_64.ips")
    #expect(Run(["ingest", sample, "--app", "Tern", "--home", home]).status == 0)
    for words in [
      ["ingest", sample, "--app", "tern"], ["apps", "add", "TERN"],
      ["releases", "add", "tern", "1.0"],
      ["symbols", "add", Samples.tern, "--app", "tern"],
    ] {
      let run = Run(words + ["--home", home])
      #expect(run.status == 2 && run.errors.contains("letter case"), "\(words): \(run.errors)")
    }
    // What is for an app that exists suggests it.
    for words in [
      ["tokens", "add", "t", "--scope", "read"], ["accounts", "add", "ann"], ["stats"],
    ] {
      let run = Run(words + ["--app", "tern", "--home", home])
      #expect(run.status == 3 && run.errors.contains("did you mean 'Tern'?"), "\(words)")
    }
    let server = try #require(RunningServer(home: home))
    let digest = String(repeating: "0", count: 64)
    let plan = #"{"size":3,"sha256":"\#(digest)","kind":"report","app":"tern"}"#
    for (method, path, body) in [
      ("POST", "/api/v1/reports", "x"), ("PUT", "/api/v1/symbols", "x"),
      ("POST", "/api/v1/symbols", "x"), ("POST", "/api/v1/uploads", plan),
    ] {
      let query = path.hasSuffix("uploads") ? "" : "?app=tern"
      let answer = server.ask(method, path + query, body: Array(body.utf8))
      #expect(answer?.status == 409 && answer?.text.contains("letter case") == true, "\(path)")
      let operation = APIRoute.all.first { $0.method == method && $0.pattern == path }
      #expect(operation?.refusals.contains { $0.code == 409 } == true, "\(method) \(path)")
    }
    #expect(server.stop() == 0)
    #expect(Run(["apps", "rename", "Tern", "TERN", "--home", home]).status == 0)
    #expect(Run(["apps", "list", "--json", "--home", home]).json.array?.count == 1)
  }

  @Test("A query for an app means exactly that one, in lists, counts and exports")
  func exactly() throws {
    let home = try makeHome()
    for (app, count) in [(Self.ours, 1), (Self.theirs, 1), ("APPA", 0), ("app*", 2)] {
      for query in [["app:\(app)"], ["app:\"\(app)\""]]
      where app != "app*" || query[0] == "app:app*" {
        let reports = Run(["reports"] + query + ["--json", "--home", home]).json.array
        #expect(reports?.count == count, "\(query)")
        #expect(app == "app*" || reports?.allSatisfy { $0["app"]?["name"]?.string == app } == true)
        let groups = Run(["groups"] + query + ["--json", "--home", home]).json.array
        #expect(groups?.count == count, "\(query)")
      }
    }
    let archive = folder.path("export.tar.zst")
    #expect(Run(["export", "app:appa", "-o", archive, "--home", home]).status == 0)
    let other = folder.path("other")
    #expect(Run(["import", archive, "--home", other]).status == 0)
    let apps = Run(["apps", "list", "--json", "--home", other]).json.array
    #expect(apps?.compactMap { $0["name"]?.string } == [Self.ours])
  }

  /// One request, and the allowed responses.
  private struct Question {
    let method: String
    let path: String
    var body: String?
    /// Refused, or not found.
    var isRefused = true

    init(_ method: String, _ path: String, _ body: String? = nil, isRefused: Bool = true) {
      (self.method, self.path, self.body, self.isRefused) = (method, path, body, isRefused)
    }
  }

  private static func questions(
    group: String, report: String, debugID: String, upload: String
  ) -> [Question] {
    let v1 = "/api/v1"
    let center = "/v0.1/apps/o/AppA"
    let own = "/v0.1/apps/o/appa"
    var questions: [Question] = []
    func refused(_ method: String, _ path: String, _ body: String? = nil) {
      questions.append(Question(method, path, body))
    }
    func narrowed(_ path: String) { questions.append(Question("GET", path, isRefused: false)) }
    for part in ["", "/keys"] { refused("GET", "\(v1)/groups/\(group)\(part)") }
    for part in [
      "", "/place", "/versions", "/versions/1", "/archive", "/raw", "/attachments/secretnotes.txt",
    ] {
      refused("GET", "\(v1)/reports/\(report)\(part)")
      refused("GET", "\(v1)/reports/\(report.prefix(6))\(part)")
    }
    for action in ["resolve", "reopen", "ignore", "unmerge", "undo"] {
      refused("POST", "\(v1)/groups/\(group)/\(action)", "{}")
      refused("POST", "\(v1)/actions/\(action)", "{\"groups\":[\"\(group)\"]}")
    }
    refused("POST", "\(v1)/groups/\(group)/assign", "{\"assignee\":\"ann\"}")
    refused("POST", "\(v1)/groups/\(group)/note", "{\"text\":\"x\"}")
    for list in ["groups", "reports"] {
      narrowed("\(v1)/\(list)")
      narrowed("\(v1)/\(list)?query=app:AppA")
      narrowed("\(v1)/\(list)/counts?by=app")
      narrowed("\(v1)/\(list)/counts?by=version")
    }
    narrowed("\(v1)/reports/trend")
    narrowed("\(v1)/apps")
    narrowed("\(v1)/stats")
    narrowed("\(v1)/ledger")
    narrowed("\(v1)/sessions")
    narrowed("\(v1)/releases")
    narrowed("\(v1)/symbols/missing")
    for list in ["stats", "ledger", "sessions", "releases", "symbols/missing"] {
      refused("GET", "\(v1)/\(list)?app=AppA")
    }
    refused("GET", "\(v1)/groups/trend?ids=\(group)")
    refused("POST", "\(v1)/releases", "{\"app\":\"AppA\",\"releases\":[{\"version\":\"9\"}]}")
    refused("GET", "\(v1)/symbols")
    refused("GET", "\(v1)/symbols/\(debugID)")
    for path in ["tokens", "audit", "intake", "intake/1/raw"] { refused("GET", "\(v1)/\(path)") }
    for path in ["apps", "apps/rename", "apps/adopt", "tokens", "erase", "intake/retry"] {
      refused("POST", "\(v1)/\(path)", "{}")
    }
    refused("DELETE", "\(v1)/intake/1")
    refused("PUT", "\(v1)/uploads/\(upload)/0?sha256=\(String(repeating: "0", count: 64))", "x")
    refused("POST", "\(v1)/uploads/\(upload)/finish", "{}")
    refused("POST", "\(v1)/reports?app=AppA", "x")
    refused("PUT", "\(v1)/symbols?app=AppA&version=1", "x")
    refused("PUT", "\(v1)/symbols?app=AppA", "x")
    refused(
      "POST", "\(v1)/symbols/known", "{\"digests\":[],\"app\":\"AppA\",\"version\":\"1.1.0\"}")
    refused("POST", "\(v1)/reports/known", "{\"digests\":[],\"app\":\"AppA\"}")
    narrowed("/v0.1/apps")
    for part in [
      "", "/errors/errorGroups", "/errors/errorGroups/\(group)",
      "/errors/errorGroups/\(group)/errors", "/errors/errorGroups/\(group)/errors/\(report)",
      "/errors/\(report)/attachments", "/errors/\(report)/sessionLogs", "/crash_groups",
      "/crash_groups/\(group)", "/crash_groups/\(group)/crashes/\(report)/raw/location",
      "/symbols", "/symbol_uploads", "/diagnostics/symbol_groups", "/errors/available_versions",
      "/crashes_info", "/analytics/crash_counts",
    ] { refused("GET", center + part) }
    for part in [
      "/errors/errorGroups/\(group)", "/errors/errorGroups/\(group)/errors/\(report)",
      "/errors/errorGroups/\(group)/errors/\(report)/download", "/errors/\(report)/attachments",
      "/errors/\(report)/sessionLogs", "/crash_groups/\(group)", "/crash_groups/\(group)/crashes",
      "/crash_groups/\(group)/crashes/\(report)/native",
    ] { refused("GET", own + part) }
    for part in [
      "/errors/errorGroups?start=2020-01-01T00:00:00Z", "/crash_groups", "/symbols",
      "/symbol_uploads",
    ] {
      narrowed(own + part)
    }
    refused("DELETE", own + "/errors/errorGroups/\(group)/errors/\(report)")
    refused("PATCH", own + "/errors/errorGroups/\(group)", "{\"state\":\"closed\"}")
    return questions
  }

  @Test("Every route, with ids and names of the other app, refuses or returns its own app's data")
  func routes() throws {
    let home = try makeHome()
    let their = try facts(Self.theirs, home)
    let our = try facts(Self.ours, home)
    let files = try #require(Run(["symbols", "list", "--json", "--home", home]).json.array)
    let debugID = try #require(files.first?["debug_id"]?.string)
    let digest = try #require(files.first?["digest"]?.string)
    let server = try #require(RunningServer(home: home))
    func token(_ app: String, _ scopes: [String]) -> String {
      let words = ["tokens", "add", "t", "--app", app, "--home", home]
      return String(Run(words + scopes.flatMap { ["--scope", $0] }).output.dropLast())
    }
    let all = ["read", "triage", "symbols", "ingest"]
    let (reader, other) = (token(Self.ours, all), token(Self.theirs, all))
    let begin =
      "{\"size\":1,\"sha256\":\"\(String(repeating: "a", count: 64))\",\"kind\":\"report\",\"name\":\"n\"}"
    let begun = try #require(
      server.ask("POST", "/api/v1/uploads", token: other, body: Array(begin.utf8)))
    let upload = try #require(
      try JSONDocument.parse(ByteView(begun.body)).value["id"]?.string, "\(begun.text)")
    let questions = Self.questions(
      group: their.group, report: their.report, debugID: debugID, upload: upload)
    var refusals: [String] = []
    for question in questions {
      let name = "\(question.method) \(question.path)"
      let answer = try #require(
        server.ask(
          question.method, question.path, token: reader, body: question.body.map { Array($0.utf8) }),
        "\(name)")
      if question.isRefused {
        #expect([400, 403, 404, 409].contains(answer.status), "\(name): \(answer.status)")
        refusals.append("\(answer.status) \(name)")
      } else {
        #expect(answer.status == 200, "\(name): \(answer.status) \(answer.text)")
        #expect(!answer.text.contains(their.report), "\(name): \(answer.text)")
        #expect(!answer.text.contains("\"\(their.group)\""), "\(name): \(answer.text)")
        #expect(!answer.text.contains("\"AppA\""), "\(name): \(answer.text)")
      }
    }
    var list = refusals.joined(separator: "\n") + "\n"
    for (value, name) in [
      (their.report, "REPORT"), (String(their.report.prefix(6)), "REPO"), (their.group, "GROUP"),
      (debugID, "DEBUG-ID"), (upload, "UPLOAD"),
    ] { list = list.replacing(value, with: name) }
    Golden.expect(list, is: "other-app-refusals.txt")
    // Nothing was changed, and the other token still has its own data.
    for (path, status) in [
      ("/api/v1/groups/\(their.group)", 200), ("/api/v1/reports/\(their.report)", 200),
      ("/api/v1/groups/\(our.group)", 404),
    ] {
      #expect(server.ask("GET", path, token: other)?.status == status, "\(path)")
    }
    let group = Run(["show", their.group, "--json", "--home", home]).json
    #expect(group["state"]?.string == "open" && group["assignee"]?.string == nil)
    // A debug file uploaded for the other app need not be known here.
    let known = "{\"digests\":[\"\(digest)\"]}"
    for (text, isKnown) in [(reader, false), (other, true), (server.token, true)] {
      let answer = server.ask(
        "POST", "/api/v1/symbols/known", token: text, body: Array(known.utf8))
      #expect(answer?.text.contains(digest) == isKnown, "\(answer?.text ?? "")")
    }
    #expect(server.stop() == 0)
  }

  @Test("If each app has its own debug files, those of another explain nothing")
  func perApp() throws {
    let home = folder.path("own")
    let sample = Samples.path("apple-ips/null-read-1.1.0-macos-arm64.ips")
    let symbols = Samples.symbols + "/1.1.0/macos/Tern.app.dSYM"
    #expect(Run(["apps", "add", "One", "--home", home]).status == 0)
    #expect(Run(["symbols", "add", symbols, "--app", "One", "--home", home]).status == 0)
    func verdict(_ app: String) -> String? {
      #expect(Run(["ingest", sample, "--app", app, "--home", home]).status == 0)
      let reports = Run(["reports", "app:\(app)", "--json", "--home", home]).json.array
      return reports?.first?["symbols"]?.string
    }
    #expect(Run(["symbols", "sharing", "--home", home]).output == "shared\n")
    #expect(verdict("Two") == "partial")
    #expect(Run(["symbols", "sharing", "per-app", "--home", home]).output == "per-app\n")
    #expect(verdict("Three") == "missing")
    #expect(verdict("One") == "partial")
    // Uploaded for that app, too, it explains the waiting reports.
    #expect(Run(["symbols", "add", symbols, "--app", "Three", "--home", home]).status == 0)
    #expect(verdict("Three") == "partial")
    #expect(verdict("Four") == "missing")
    #expect(Run(["symbols", "add", symbols, "--home", home]).status == 0)
    #expect(verdict("Four") == "partial")
  }
}
