import CrashModel
import HTTP
import ServerStore
import TestSupport
import Testing

@testable import CrashService
@testable import CrashStore
@testable import ServerCore
@testable import WebPages

/// The search that every page has.
@Suite("Search of the pages") struct SearchPagesTests {
  private let folder = ScratchFolder()
  private let visit: PageVisit
  /// The ids of three reports; the first two are of one install and user, the third of another group.
  private let ids: [String]

  init() throws {
    visit = try PageVisit(home: folder.path("home"))
    var ids: [String] = []
    for (index, key) in ["a", "a", "b"].enumerated() {
      var report = StoredReports.report(key, seconds: Int64(index))
      report.user = index < 2 ? "ann@example.org" : "42"
      report.install = index < 2 ? "8D1F2A60-11AA-4BBB-8CCC-0123456789AB" : "phone"
      report.incident = "5B1E6C1C-3C51-4444-9999-00000000000\(index)"
      ids.append(try StoredReports.add(report, named: "r\(index)", to: visit.context.store))
    }
    self.ids = ids
    try visit.signIn("ann", .triage)
  }

  private func search(_ text: String) -> PageVisit.Answer { visit.get("/?q=" + text.inAddress) }

  @Test("Every page has it, and none has it twice")
  func everywhere() throws {
    let group = "/groups/TERN-1"
    for path in [
      "/", "/reports", group, group + "/reports", group + "/split", "/reports/" + ids[0],
      "/releases", "/symbols", "/apps", "/account", "/groups/NO-7",
    ] {
      let page = visit.get(path)
      #expect(page.text.split(separator: "action=\"/\" role=\"search\"").count <= 2, "\(path)")
      #expect(page.text.contains("name=\"q\""), "\(path)")
    }
    #expect(!visit.another().get("/sign-in").text.contains("role=\"search\""))
  }

  @Test("The id of a group opens it, in either letter case and with the menus' conditions")
  func group() {
    for text in ["TERN-1", "tern-1", "tern-1 app:Tern", "  TERN-1 "] {
      #expect(search(text).location == "/groups/TERN-1", "\(text)")
    }
    #expect(search("TERN-999").status == 200)
    #expect(search("\"TERN-1\"").status == 200)
    #expect(visit.get("/reports?q=tern-1").location == "/groups/TERN-1")
  }

  @Test("The id of a report or its start opens it")
  func report() {
    for id in ids {
      #expect(search(id).location == "/reports/" + id)
      #expect(search(String(id.prefix(16)).uppercased()).location == "/reports/" + id)
      #expect(search(String(id.prefix(6))).location == "/reports/" + id)
    }
    #expect(search(String(ids[0].prefix(3))).status == 200)
    #expect(search("ffffffffffffffff").status == 200)
  }

  @Test("The id of a crash in its SDK opens its report")
  func incident() {
    #expect(
      search("5b1e6c1c-3c51-4444-9999-000000000001").location == "/reports/" + ids[1])
    #expect(search("5B1E6C1C3C514444999900000000" + "0002").location == "/reports/" + ids[2])
  }

  @Test("The id of an install or a user lists its reports, which link to their groups")
  func installs() throws {
    let install = search("8D1F2A60-11AA-4BBB-8CCC-0123456789AB")
    let place = try #require(install.location)
    #expect(place.hasPrefix("/reports?q=install"))
    let list = visit.get(place)
    #expect(list.status == 200)
    for (index, id) in ids.enumerated() {
      #expect(list.text.contains("/reports/" + id) == (index < 2))
    }
    #expect(list.text.contains("href=\"/groups/TERN-1\""))
    let user = try #require(search("ann@example.org").location)
    #expect(user.hasPrefix("/reports?q=user") && visit.get(user).text.contains(ids[1]))
    #expect(search("42").location?.hasPrefix("/reports?q=user") == true)
    #expect(search("phone").location?.hasPrefix("/reports?q=install") == true)
  }

  @Test("A word that occurs in groups is searched for, whatever else it is the id of")
  func text() throws {
    var report = StoredReports.report("c", seconds: 9)
    report.user = "tern::total"
    try StoredReports.add(report, named: "word", to: visit.context.store)
    let page = search("tern::total")
    #expect(page.status == 200 && page.text.contains("href=\"/groups/TERN-1\""))
    _ = try visit.context.service(ofApp: nil).decide(
      .resolve(.afterNewestSeen), about: ["TERN-1", "TERN-2", "TERN-3"], by: "ann")
    #expect(search("tern::total").status == 200)
  }

  @Test("An account of one app finds nothing of another")
  func otherApp() throws {
    try visit.context.service(ofApp: nil).addApp("Atlas", secret: nil)
    let other = visit.another()
    try other.signIn("bob", .viewer, app: "Atlas")
    for text in ["TERN-1", ids[0], "8D1F2A60-11AA-4BBB-8CCC-0123456789AB", "42"] {
      let page = other.get("/?q=" + text.inAddress)
      #expect(page.status == 200 && page.location == nil, "\(text)")
    }
    #expect(!other.get("/reports").text.contains(ids[0]))
  }

  @Test("What is no condition gets the right syntax as an answer")
  func lookalikes() {
    for (text, hint) in [
      ("version>=1.1", "Did you mean version:&gt;=1.1?"), ("(is:open", "Leave them out"),
      ("is:unresolved", "is:open|regressed"),
    ] {
      let page = search(text)
      #expect(page.status == 400 && page.text.contains(hint), "\(text)")
      let reports = visit.get("/reports?q=" + text.inAddress)
      #expect(reports.status == 400 && reports.text.contains(hint), "\(text)")
    }
    #expect(search("version:9 os:iOS").text.contains("No report has version:9"))
    #expect(search("os:iOS app:Tern app:Atlas").text.contains("app:Tern|Atlas"))
  }

  @Test("Me is the account, and unassigned are the groups of nobody")
  func me() throws {
    _ = try visit.context.service(ofApp: nil).decide(
      .assign("ann", isKnown: false), about: ["TERN-1"], by: "bob")
    let mine = search("assignee:me").text
    #expect(mine.contains("href=\"/groups/TERN-1\"") && !mine.contains("href=\"/groups/TERN-2\""))
    let free = search("is:unassigned").text
    #expect(!free.contains("href=\"/groups/TERN-1\"") && free.contains("href=\"/groups/TERN-2\""))
  }
}
