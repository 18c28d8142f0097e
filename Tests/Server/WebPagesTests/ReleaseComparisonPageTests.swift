import Bytes
import CrashModel
import CrashStore
import Identifiers
import JSON
import ServerStore
import TestSupport
import Testing
import Updates

@testable import CrashService
@testable import MaydayCommands
@testable import ProgramSupport
@testable import ServerCore
@testable import WebPages

/// A release beside the one before it, on its page and in the list.
@Suite("Releases compared on pages") struct ReleaseComparisonPageTests {
  private let folder = ScratchFolder()
  private let now = Timestamp.now
  /// The first instant of the day, which has passed at any time of it.
  private var today: Timestamp { Timestamp(seconds: now.seconds / 86_400 * 86_400) }

  private func visit(_ role: Account.Role = .triage) throws -> PageVisit {
    let visit = try PageVisit(home: folder.path("home"))
    try visit.signIn("ann", role)
    return visit
  }

  /// Adds reports of distinct installations.
  private func add(
    _ count: Int, of key: String, in release: String, to visit: PageVisit
  ) throws {
    let release = Release(release)
    for number in 0..<count {
      var report = StoredReports.report(key)
      report.app.version = release.version
      report.app.build = release.build
      report.time = today
      report.install = "\(release.name) \(key) \(number)"
      try StoredReports.add(
        report, named: "\(key) \(release.name) \(number)", received: now,
        to: visit.context.store)
    }
  }

  private func sessions(
    _ count: Int, of release: String, daysAgo: Int = 0, _ visit: PageVisit
  ) throws {
    var batch = SessionBatch(app: "Tern", received: now)
    batch.sessions = (0..<count).map { number in
      SessionBatch.Session(
        id: "\(release) \(daysAgo) \(number)", person: "\(release) p\(number)",
        release: Release(release),
        started: Timestamp(seconds: today.seconds - Int64(daysAgo) * 86_400))
    }
    _ = try visit.context.store.sessions.add(batch)
  }

  private static let path = "/releases/Tern/1.1%20(2)"

  /// The part of a page from the section with an id to its end.
  private func section(_ id: String, of page: String) throws -> String {
    let start = try #require(page.firstRange(of: "<section id=\"\(id)\">"), "\(id)")
    let rest = page[start.upperBound...]
    return String(rest[..<(try #require(rest.firstRange(of: "</section>"))).lowerBound])
  }

  @Test("The page has the groups that the command finds more frequent since the release")
  func regressions() throws {
    let visit = try visit()
    try sessions(400, of: "1.0 (1)", visit)
    try sessions(300, of: "1.1 (2)", visit)
    try add(5, of: "steady", in: "1.0 (1)", to: visit)
    try add(4, of: "steady", in: "1.1 (2)", to: visit)
    try add(40, of: "worse <b>", in: "1.1 (2)", to: visit)
    let home = visit.context.store.home
    let run = Run(["regressions", "--app", "Tern", "--json", "--home", home])
    let found = try JSONDocument.parse(ByteView(run.output.utf8)).value
    #expect(found["total"]?.integer == 1 && run.output.contains("TERN-2"), "\(run.output)")
    let page = visit.get(Self.path)
    #expect(page.status == 200)
    let part = try section("more-frequent", of: page.text)
    #expect(part.contains("href=\"/groups/TERN-2\"") && !part.contains("TERN-1\""))
    #expect(part.contains("worse &lt;b&gt;") && !part.contains("worse <b>"))
    #expect(part.contains("Shares of sessions"))
    #expect(part.contains("data-name=\"Before\">new<"))
    #expect(part.contains("data-name=\"Now\">13 % <span class=\"quiet small\">of 300</span>"))
    #expect(part.contains("data-name=\"Cases\">40<") && part.contains("data-name=\"Users\">40<"))
    #expect(part.contains("&gt;99.9 %"))
    #expect(part.contains("All crashes together"))
    let list = visit.get("/releases").text
    let link = ReleasesView.path("Tern", Release("1.1 (2)"))
    #expect(list.contains("<a href=\"\(link)#more-frequent\">1</a>"))
    #expect(list.contains("<a href=\"\(link)#new\">1</a>"))
    // The release before has nothing to be compared with.
    #expect(!visit.get("/releases/Tern/1.0%20(1)").text.contains("More frequent since"))
  }

  @Test("The figures of the former release stand beside, and the verdict is in words")
  func former() throws {
    let visit = try visit()
    try sessions(400, of: "1.0 (1)", visit)
    try sessions(300, of: "1.1 (2)", visit)
    try add(4, of: "steady", in: "1.0 (1)", to: visit)
    try add(3, of: "steady", in: "1.1 (2)", to: visit)
    let page = visit.get(Self.path).text
    #expect(page.contains("reports</a><div class=\"quiet small\">1.0 (1): 4</div>"))
    #expect(page.contains("group</a><div class=\"quiet small\">1.0 (1): 1</div>"))
    #expect(page.contains("users<div class=\"quiet small\">1.0 (1): 404</div>"))
    #expect(page.contains("<div class=\"quiet small\">1.0 (1): 99.00 %</div>"))
    #expect(page.contains("<b>43 %</b>of sessions in 7 days"))
    #expect(page.contains("<div class=\"quiet small\">1.0 (1): 57 %</div>"))
    #expect(page.contains("<b>No sign that it crashes more often than 1.0 (1).</b>"))
    #expect(page.contains("3 of 300 sessions crashed, of 1.0 (1) 4 of 400: p = "))
    #expect(page.contains("<p class=\"quiet\">No group. "))
    #expect(!page.contains("people") && !page.contains("person"))
    let first = visit.get("/releases/Tern/1.0%20(1)").text
    #expect(!first.contains("crashes more often than") && !first.contains("(2):"))
  }

  @Test("A release that crashes more often is said to, and too few sessions say nothing")
  func verdicts() throws {
    let visit = try visit()
    try sessions(400, of: "1.0 (1)", visit)
    try sessions(300, of: "1.1 (2)", visit)
    try sessions(20, of: "1.2 (3)", visit)
    try add(1, of: "steady", in: "1.0 (1)", to: visit)
    try add(30, of: "steady", in: "1.1 (2)", to: visit)
    try add(1, of: "steady", in: "1.2 (3)", to: visit)
    let worse = visit.get(Self.path).text
    #expect(worse.contains("<b>It crashes more often than 1.0 (1).</b>"))
    let few = visit.get("/releases/Tern/1.2%20(3)").text
    #expect(
      few.contains(
        "Too few sessions to say whether it crashes more often than 1.1 (2): each of the two needs 100."
      ))
  }

  @Test("Adoption begins with the first day that has a session of the release")
  func adoption() throws {
    let visit = try visit()
    for day in 0..<10 { try sessions(3, of: "1.0 (1)", daysAgo: day, visit) }
    try sessions(1, of: "1.1 (2)", daysAgo: 2, visit)
    try add(1, of: "k", in: "0.9 (9)", to: visit)
    let part = try section("adoption", of: visit.get(Self.path).text)
    #expect(part.split(separator: "<tr role=\"row\">").count == 3 + 2, "a head and three days")
    #expect(part.contains("<span>25 %</span>") && part.contains("<span>0 %</span>"))
    let unused = try section("adoption", of: visit.get("/releases/Tern/0.9%20(9)").text)
    #expect(unused.contains("No session of this release in the last 14 days."))
    #expect(!unused.contains("<meter"))
  }

  @Test("The page and the list say who a release was published to, and how far it is rolled out")
  func published() throws {
    let visit = try visit(.admin)
    let home = visit.context.store.home
    let file = Samples.root + "/Artefacts/Tern-1.1.0.ipa"
    #expect(Run(["releases", "add", file, "--app", "Tern", "--home", home]).status == 0)
    let path = "/releases/Tern/1.1.0%20(1100)"
    #expect(visit.get(path).text.contains("data-name=\"Status\">not published<"))
    #expect(visit.get("/releases").text.contains("data-name=\"File\">not published<"))
    let store = visit.context.store.distribution
    let beta = try store.addGroup("Beta <i>", isPublic: false, to: "Tern", by: "ann")
    let all = try store.addGroup("All", isPublic: true, to: "Tern", by: "ann")
    _ = try store.publish(
      1, of: "Tern",
      to: [
        Artefact.Destination(.group, id: beta.id, isMandatory: true),
        Artefact.Destination(.group, id: all.id, isMandatory: false),
      ], by: "ann")
    let page = visit.get(path).text
    #expect(page.contains("published to All and Beta &lt;i&gt; (mandatory)"))
    #expect(visit.get("/releases").text.contains("data-name=\"Roll-out\">all<"))
    _ = try visit.send(path + "/rollout", from: path, [("do", "share"), ("percent", "25")])
    _ = try visit.send(path + "/rollout", from: path, [("do", "pause")])
    let list = visit.get("/releases").text
    #expect(list.contains("data-name=\"Roll-out\">25 %, paused<"))
    #expect(list.contains("data-name=\"File\">published<"))
    let wrong = try visit.send(path + "/rollout", from: path, [("do", "share"), ("percent", "1%")])
    #expect(
      wrong.status == 400
        && wrong.text.contains("name=\"percent\" min=\"0\" max=\"100\" value=\"1%\""))
    _ = try visit.send(path + "/files/1", from: path, [("do", "disable")])
    #expect(visit.get(path).text.contains("disabled, published to All and"))
    #expect(visit.get("/releases").text.contains("data-name=\"File\">disabled<"))
  }
}
