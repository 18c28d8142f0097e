import Bytes
import Compression
import CrashModel
import CrashStore
import HTTP
import Identifiers
import JSON
import Query
import ReportDocument
import ServerStore
import TestSupport
import Testing
import TriageModel

@testable import CrashService
@testable import MaydayCommands
@testable import ProgramSupport
@testable import ServerCore
@testable import WebPages

/// The list of groups, one group and its decisions, tested by requests to the routes.
@Suite("Pages of groups") struct GroupPagesTests {
  private let folder = ScratchFolder()
  private var home: String { folder.path("home") }

  private func visit(_ role: Account.Role = .triage, app: String? = nil) throws -> PageVisit {
    // With symbols, so that reports of several releases share groups.
    let run = Run([
      "ingest", Samples.root + "/Samples/apple-ips", "--symbols", Samples.root + "/Symbols/apple",
      "--home", home,
    ])
    #expect(run.status == 0)
    let visit = try PageVisit(home: home)
    try visit.signIn("ann", role, app: app)
    return visit
  }

  private func groups(_ visit: PageVisit) throws -> [GroupSummary] {
    var query = GroupQuery(.all)
    query.order = .reports
    return try visit.context.service(ofApp: nil).groups(query).items
  }

  /// The output of `mayday` with `--json`.
  private func printed(_ arguments: [String]) throws -> JSONValue {
    let run = Run(arguments + ["--json", "--home", home])
    return try JSONDocument.parse(ByteView(run.output.utf8)).value
  }

  /// The text between two texts after the position of a third.
  private func part(
    of text: String, after place: String, from start: String, to end: String
  ) throws -> String {
    let found = try #require(text.firstRange(of: place))
    let rest = text[found.upperBound...]
    let from = try #require(rest.firstRange(of: start))
    let tail = rest[from.upperBound...]
    return String(tail[..<(try #require(tail.firstRange(of: end))).lowerBound])
  }

  // MARK: Figures

  @Test(
    "The list has the groups and counts that the command prints for the same query",
    arguments: ["", "version:1.0.0", "os:iOS", "signal:SIGSEGV", "reports:>1", "time:>2000"])
  func sameCounts(query: String) throws {
    let visit = try visit()
    let list = try printed(["groups", query].filter { !$0.isEmpty })
    let items = try #require(list["items"]?.array ?? list.array)
    #expect(!items.isEmpty)
    let page = visit.get("/?status=all&q=" + query.inAddress).text
    let words = items.count == 1 ? "group" : "groups"
    #expect(page.contains("<p class=\"quiet\">\(items.count) of \(items.count) \(words)</p>"))
    for item in items {
      let id = try #require(item["id"]?.string)
      let count = try #require(item["reports"]?.integer)
      let label = count == 1 ? "report" : "reports"
      let reports = try part(
        of: page, after: "href=\"/groups/\(id)\"", from: "data-label=\"\(label)\">", to: "<")
      #expect(reports == String(count), "\(id)")
      let installs = item["installs"]?.integer == 1 ? "user" : "users"
      let people = try part(
        of: page, after: "href=\"/groups/\(id)\"", from: "data-label=\"\(installs)\">", to: "<")
      #expect(people == item["installs"]?.integer.map(String.init) ?? "–", "\(id)")
    }
  }

  @Test("The group has what the command shows, and is at the same address as text, Markdown, JSON")
  func sameGroup() throws {
    let visit = try visit()
    for group in try groups(visit).prefix(4) {
      let shown = try printed(["show", group.id])
      let answer = visit.get("/groups/\(group.id).json")
      #expect(try JSONDocument.parse(ByteView(answer.text.utf8)).value == shown)
      let page = visit.get("/groups/" + group.id).text
      let reports = try #require(shown["reports"]?.integer)
      #expect(page.contains("<b>\(reports) report"), "\(group.id)")
      for version in try #require(
        shown["breakdown"]?["versions"]?.array ?? shown["versions"]?.array)
      {
        let name = try #require(version["version"]?.string ?? version["name"]?.string)
        let count = try #require(version["reports"]?.integer)
        let found = try part(
          of: page, after: ">\(name)</a>", from: "%</td><td class=\"number\">", to: "<")
        #expect(found == String(count), "\(group.id) \(name)")
      }
      let text = visit.get("/groups/\(group.id).txt")
      #expect(text.text.hasPrefix(group.id + "  ") && text.text.contains("History"))
      #expect(text.headers["Content-Type"]?.hasPrefix("text/plain") == true)
      #expect(visit.get("/groups/\(group.id).md").text.hasPrefix("## "))
    }
    #expect(visit.get("/groups/TERN-999.txt").status == 404)
  }

  @Test("Figures of a group show their date and the total that they are a share of")
  func figures() throws {
    let visit = try PageVisit(home: home)
    try visit.signIn()
    let year: Int64 = 365 * 86_400
    try StoredReports.add(StoredReports.report(seconds: -year), to: visit.context.store)
    let id = try #require(try groups(visit).first?.id)
    let page = visit.get("/groups/" + id).text
    #expect(page.contains("in the 30 days to 2025-05-28</span>"))
    #expect(page.contains("of the reports of Tern"))
    #expect(PageText.reports(of: AppName.unnamed) == "the reports without an app name")
    #expect(PageText.count(1, "group", "groups") == "1 group")
    #expect(PageText.count(1_200, "group", "groups") == "1,200 groups")
  }

  @Test("Tabs say how many groups the search leaves of each status")
  func tabs() throws {
    let visit = try visit()
    let all = try groups(visit).count
    let some = try printed(["groups", "os:iOS"])
    let count = try #require(some["items"]?.array ?? some.array).count
    #expect(
      visit.get("/?q=os:iOS").text.contains("<span class=\"quiet\">\(count) of \(all)</span>"))
    #expect(visit.get("/").text.contains(">Open <span class=\"quiet\">\(all)</span>"))
  }

  // MARK: The search

  @Test("Menus edit the query and keep the typed text")
  func menus() throws {
    let visit = try visit()
    func place(_ path: String) -> String? { visit.get(path).location }
    #expect(place("/?q=crash&version=1.0.0") == "/?q=" + "crash version:1.0.0".inAddress)
    #expect(
      place("/?q=version:1.0.0%20crash&version=1.1.0&was-version=1.0.0&sort=reports")
        == "/?q=" + "version:1.1.0 crash".inAddress + "&sort=reports")
    #expect(
      place("/?q=version:1.0.0&version=&was-version=1.0.0&os=iOS+17.2") == "/?q="
        + "os:\"iOS 17.2\"".inAddress)
    #expect(
      place("/?q=version:%3E%3D1.1&version=&was-version=") == "/?q=" + "version:>=1.1".inAddress)
    #expect(place("/?q=&time=%3C7d") == "/?q=" + "time:<7d".inAddress)
    // Another order begins with the most; the same one is unchanged.
    #expect(place("/?time=&was-time=&sort=reports&was-sort=last-seen&up=1") == "/?sort=reports")
    #expect(
      place("/?time=&was-time=&sort=reports&was-sort=reports&up=1") == "/?sort=reports&up=1")
    let page = visit.get("/?q=version:1.0.0").text
    #expect(page.contains("<option value=\"1.0.0\" selected>"))
    #expect(page.contains("name=\"was-version\" value=\"1.0.0\""))
  }

  @Test("A typed word is completed with fields and with stored values")
  func completion() throws {
    let visit = try visit()
    func texts(_ word: String, _ visit: PageVisit) throws -> [String] {
      let answer = visit.get("/complete?word=" + word.inAddress)
      #expect(answer.status == 200 && answer.headers["Content-Type"] == "application/json")
      let value = try JSONDocument.parse(ByteView(answer.text.utf8)).value
      return try #require(value["items"]?.array).compactMap { $0["text"]?.string }
    }
    #expect(try texts("sig", visit) == ["signal:", "signature:"])
    #expect(try texts("-os.", visit) == ["-os.version:", "-os.build:"])
    #expect(try texts("is:reg", visit) == ["is:regressed"])
    #expect(try texts("version:1.1", visit).contains("version:1.1.0"))
    #expect(try texts("version:>=1.1", visit).first?.hasPrefix("version:>=\"1.1.0 (") == true)
    #expect(try texts("signal:SIGABRT|sigse", visit) == ["signal:SIGABRT|SIGSEGV"])
    #expect(try texts("last:<7", visit) == ["last:<7d"])
    #expect(try texts("nofield:", visit).isEmpty)
    #expect(try !texts("function:main", visit).isEmpty)
    let other = visit.another()
    try other.signIn("bob", .viewer, app: "Nothing")
    #expect(other.get("/complete?word=signal:").status == 404)
    #expect(visit.another().get("/complete?word=a").status == 303)
  }

  // MARK: Decisions

  /// Sends a form of a group's page and returns the next page.
  private func act(
    _ visit: PageVisit, _ id: String, _ action: String, _ fields: [(String, String)] = []
  ) throws -> String {
    let answer = try visit.send("/groups/\(id)/\(action)", from: "/groups/" + id, fields)
    #expect(answer.status == 303, "\(action) \(fields): \(answer.text.suffix(400))")
    return visit.get("/groups/" + id).text
  }

  /// Undoes the last decision with the button at the top.
  private func undo(_ visit: PageVisit, _ id: String) throws -> String {
    let page = visit.get("/groups/" + id)
    return try act(visit, id, "undo", [("line", try #require(page.field("line")))])
  }

  @Test("Each way to resolve, ignore and assign works without scripts, and is undone")
  func states() throws {
    let visit = try visit()
    let id = try #require(try groups(visit).first?.id)
    _ = try visit.context.accounts.add("bob", role: .triage, now: .now)
    for (action, fields, words) in [
      ("resolve", [("how", "seen")], "resolved by ann after"),
      ("resolve", [("how", "next")], "resolved by ann in the next release"),
      ("resolve", [("how", "in"), ("in", "9.9")], "resolved by ann in 9.9"),
      ("ignore", [], "ignored by ann for good"),
      ("ignore", [("until", "5"), ("users", "")], "until 5 more reports"),
      ("ignore", [("users", "7")], "until 7 more users"),
      ("ignore", [("for", "30d")], "ignored by ann until"),
      ("assign", [("to", "bob")], "assigned to bob"),
    ] as [(String, [(String, String)], String)] {
      #expect(try act(visit, id, action, fields).contains(words), "\(action) \(fields)")
      let page = try undo(visit, id)
      #expect(page.contains("<span class=\"state open\">open</span>"), "\(action) \(fields)")
      #expect(!page.contains("assigned to bob</p>"))
    }
    let fixed = try act(visit, id, "resolve", [("how", "in"), ("in", "9.9")])
    #expect(fixed.contains("Fixed in") && fixed.contains("It is not published here"))
    _ = try act(visit, id, "note", [("text", "one\ntwo <b>")])
    let noted = visit.get("/groups/" + id)
    #expect(noted.text.contains("one\ntwo &lt;b&gt;"))
    #expect(try !undo(visit, id).contains("<h2>Notes</h2>"))
    #expect(
      try visit.send("/groups/\(id)/assign", from: "/groups/" + id, [("to", "")]).status == 303)
    let refused = try visit.send("/groups/\(id)/resolve", from: "/groups/" + id, [("how", "in")])
    #expect(refused.status == 400 && refused.text.contains("role=\"alert\""))
    let unknown = try visit.send(
      "/groups/\(id)/merge", from: "/groups/" + id, [("into", "NO-99")])
    #expect(unknown.status == 404 && unknown.text.contains("role=\"alert\""))
  }

  @Test("Groups are merged, marked as distinct and split, and each decision can be undone")
  func shapes() throws {
    let visit = try visit()
    let all = try groups(visit)
    let (whole, part) = (all[0].id, all[1].id)
    _ = try visit.send("/groups/\(part)/merge", from: "/groups/" + part, [("into", whole)])
    #expect(visit.get("/groups/" + part).location == "/groups/" + whole)
    #expect(visit.get("/groups/" + whole).text.contains("merged by ann"))
    let back = try visit.send(
      "/groups/\(part)/unmerge", from: "/groups/" + whole, [("back", "/groups/" + whole)])
    #expect(back.location == "/groups/" + whole)
    #expect(visit.get("/groups/" + part).status == 200)
    _ = try visit.send("/groups/\(part)/merge", from: "/groups/" + part, [("into", whole)])
    #expect(try !undo(visit, whole).contains("merged by ann,"))
    _ = try act(visit, whole, "distinct", [("from", part)])
    _ = try act(visit, whole, "distinct", [("from", part), ("undone", "1")])
    #expect(
      try visit.send("/groups/\(whole)/distinct", from: "/groups/" + whole, [("from", whole)])
        .status
        >= 400)

    let rule = "id:" + all[0].exemplar.prefix(12)
    let count = 1
    #expect(all[0].reports > count)
    let address = "/groups/\(whole)/split"
    let preview = visit.get(address + "?where=" + rule.inAddress)
    #expect(
      preview.text.contains(
        "\(count) report of \(all[0].reports) would move"))
    #expect(visit.get(address + "?where=version:77").text.contains("nothing would move"))
    #expect(visit.get(address + "?where=version:*").text.contains("nothing would stay"))
    #expect(visit.get(address + "?where=is:open").text.contains("condition on groups"))
    #expect(visit.get(address + "?where=nofield:1").status == 400)
    #expect(try visit.send(address, from: "/groups/" + whole, [("where", rule)]).status == 303)
    #expect(visit.get("/groups/" + whole).text.contains("<b>\(all[0].reports - count) report"))
    #expect(try undo(visit, whole).contains("<b>\(all[0].reports) report"))
    #expect(try visit.send(address, from: "/groups/" + whole).status == 400)
    let reports = visit.get("/groups/\(whole)/reports?q=" + rule.inAddress)
    #expect(reports.text.contains("\(count) of \(count) stored reports"))
    #expect(
      visit.get("/groups/\(whole)/reports?q=version:77").text.contains(
        "No report of this group matches"))
  }

  @Test("Viewers see no buttons, and accounts of one app see no groups of others")
  func roles() throws {
    let visit = try visit(.viewer)
    let id = try #require(try groups(visit).first?.id)
    let page = visit.get("/groups/" + id)
    #expect(page.status == 200 && !page.text.contains("/resolve\"") && !page.text.contains("Undo"))
    #expect(visit.get("/groups/\(id)/split").status == 403)
    let other = visit.another()
    try other.signIn("bob", .triage, app: "Nothing")
    for end in ["", ".txt", ".json", "/reports", "/split"] {
      #expect(other.get("/groups/" + id + end).status == 404, "\(end)")
    }
  }

  // MARK: Size

  @Test("A full page of the list has less than 60 kB when compressed")
  func size() throws {
    let visit = try PageVisit(home: home)
    try visit.signIn()
    var random = SplitMix(seed: 7)
    let now = Timestamp.now
    let reports = try (0..<300).map { number -> PreparedSubmission in
      var report = CrashReport(format: .appleIPS, kind: .crash)
      report.app = AppIdentity(name: "Tern", version: "1.\(random.below(9)).0", build: "\(number)")
      report.time = Timestamp(seconds: now.seconds - Int64(random.below(30)) * 86_400)
      report.install = "i\(random.below(200))"
      let words = (0..<6).map { _ in
        String((0..<9).map { _ in random.pick(Array("abcdefghijklmnopq")) })
      }
      report.reason = CrashReason(
        type: "EXC_BAD_ACCESS", signal: "SIGSEGV", message: words.joined(separator: " "))
      let key = "k\(number % 60)"
      report.signature = Signature(
        text: "\(key) | \(words.joined(separator: "::"))", key: key, category: .signal, rules: "v1")
      let submission = Submission(
        bytes: ByteView("\(number)".utf8), source: "-", received: now, app: "Tern")
      return try PreparedSubmission(
        submission, reports: [(report, ByteView(report.document(id: "", received: nil)))])
    }
    _ = try visit.context.store.reports.add(reports)
    let page = visit.get("/?sort=reports").text
    #expect(page.contains("50 of 60 groups") && page.contains("rel=\"next\""))
    let packed = try Gzip.compress(ByteView(page.utf8))
    #expect(packed.count < 60_000, "\(packed.count) of \(page.utf8.count) bytes")
    let last = visit.get("/?sort=reports&up=1").text
    #expect(last.contains("aria-sort=\"ascending\"") && !last.contains("aria-sort=\"descending\""))
  }
}
