import Bytes
import CrashModel
import CrashStore
import HTTP
import Identifiers
import ServerStore
import TestSupport
import Testing
import TriageModel

@testable import CrashService
@testable import ServerCore
@testable import WebPages

/// The list of groups: since when, better or worse, pages, saved searches, charts.
@Suite("The list of groups") struct GroupListTests {
  private let folder = ScratchFolder()

  private func visit(_ role: Account.Role = .triage) throws -> PageVisit {
    let visit = try PageVisit(home: folder.path("home"))
    try visit.signIn("ann", role)
    return visit
  }

  /// Stores reports of a group, each on a day before now.
  private func add(
    _ key: String, _ days: [Int], version: String = "1.0", to visit: PageVisit,
    _ change: (inout CrashReport) -> Void = { _ in }
  ) throws {
    for (number, day) in days.enumerated() {
      var report = StoredReports.report(key)
      report.app.version = version
      report.time = Timestamp(seconds: Timestamp.now.seconds - Int64(day) * 86_400)
      report.install = "\(key) \(number)"
      change(&report)
      try StoredReports.add(
        report, named: "\(key) \(version) \(number)", received: .now, to: visit.context.store)
    }
  }

  /// The row of the group with a title.
  private func row(_ key: String, _ page: String) throws -> String {
    let rows = page.components("<tr role=\"row\" class=\"row\">").dropFirst()
    return try #require(rows.first { $0.contains(">tern::total of \(key)</a>") })
  }

  @Test("A row says since when and since which release, and how it changed")
  func change() throws {
    let visit = try visit()
    try add("rises", Array(repeating: 3, count: 47) + Array(repeating: 40, count: 10), to: visit)
    try add("steady", [2, 2, 2, 40, 40], to: visit)
    try add("young", Array(repeating: 2, count: 12), version: "2.0", to: visit)
    try add("back", Array(repeating: 2, count: 12) + [90], version: "1.0", to: visit)
    try add("falls", [2] + Array(repeating: 40, count: 30), to: visit)
    let page = visit.get("/").text
    let rises = try row("rises", page)
    #expect(
      rises.contains("<span class=\"rise\" title=\"47 in the last 30 days, 10 in those before "))
    #expect(rises.contains(">+370 %</span>"))
    #expect(rises.contains("data-before=\"first\"><time") && rises.contains(">40 d ago</time>"))
    #expect(rises.contains("<div class=\"small\">1.0 (7)</div>"))
    #expect(!rises.contains("class=\"tag new\""))
    let steady = try row("steady", page)
    #expect(steady.contains("class=\"chance\"") && steady.contains("; may be chance (p = 0."))
    let young = try row("young", page)
    #expect(young.contains("class=\"rise\"") && young.contains(">new</span>"))
    #expect(young.contains("class=\"tag new\"") && young.contains("2.0 (7)"))
    #expect(try row("back", page).contains(">again</span>"))
    let falls = try row("falls", page)
    #expect(falls.contains("class=\"fall\"") && falls.contains(">-97 %</span>"))
    // In the order of the change, sure rises come first.
    let sorted = visit.get("/?sort=change").text
    let places = try ["rises", "back", "young", "steady", "falls"].map { key in
      try #require(sorted.firstRange(of: ">tern::total of \(key)</a>")).lowerBound
    }
    #expect(places[0] < places[3] && places[1] < places[3] && places[2] < places[3])
    #expect(places[3] < places[4])
    // A condition on the time does not hide what was before.
    let week = try row("rises", visit.get("/?q=" + "time:<7d".inAddress).text)
    #expect(week.contains("47 in the last 7 days, 0 in those before") && week.contains(">again<"))
    #expect(!week.contains("class=\"tag new\"") && week.contains(">3 d ago</time>"))
  }

  @Test("The tab of a status has no column for it; other statuses are marks")
  func status() throws {
    let visit = try visit()
    try add("open", [2], to: visit)
    try add("fixed", [3], to: visit)
    let fixed = try #require(
      visit.context.service(ofApp: nil).groups(.init()).first {
        $0.signature.text.hasSuffix("fixed")
      })
    _ = try visit.send("/groups/\(fixed.id)/resolve", from: "/groups/\(fixed.id)")
    #expect(!visit.get("/").text.contains("class=\"state"))
    #expect(!visit.get("/?status=resolved").text.contains("class=\"state"))
    let all = visit.get("/?status=all").text
    #expect(try row("fixed", all).contains("<span class=\"state resolved\">resolved</span>"))
    #expect(!(try row("open", all).contains("class=\"state")))
    try add("fixed", [0], version: "3.0", to: visit)
    #expect(try row("fixed", visit.get("/").text).contains("class=\"state regressed\""))
  }

  @Test("is:new lists what the mark marks")
  func new() throws {
    let visit = try visit()
    try add("young", [6], to: visit)
    try add("old", [2, 8], to: visit)
    let page = visit.get("/?q=is%3Anew").text
    #expect(page.contains("of young</a>") && !page.contains("of old</a>"))
    #expect(try row("young", visit.get("/").text).contains("class=\"tag new\""))
    #expect(!(try row("old", visit.get("/").text).contains("class=\"tag new\"")))
  }

  @Test("The first bad build stands in the row, with its confidence")
  func firstBad() throws {
    let visit = try visit()
    // Two groups with as many reports in each build, and one that begins with the third.
    for (number, version) in ["1.0", "1.1", "1.2"].enumerated() {
      for key in ["a", "b"] {
        try add(key, Array(repeating: 20 - number * 5, count: 40), version: version, to: visit)
      }
    }
    try add("bad", Array(repeating: 10, count: 30), version: "1.2", to: visit)
    // They are found in the background, for which a page waits a little.
    var row = ""
    for _ in 0..<200 where !row.contains("new in") {
      row = try self.row("bad", visit.get("/").text)
    }
    #expect(row.contains("new in <b>1.2 (7)</b> &gt;99.9 %"))
    #expect(row.contains("title=\"First bad build 1.2 (7), &gt;99.9 % sure"))
    #expect(!(try self.row("a", visit.get("/").text).contains("first bad")))
  }

  @Test("The title has the first own frames, which are its description")
  func frames() throws {
    let visit = try visit()
    try add("k", [1], to: visit) { report in
      report.threads[0].frames[0].function = "tern::<script>"
    }
    let row = try row("k", visit.get("/").text)
    #expect(row.contains("aria-describedby=\"stack-TERN-1\""))
    #expect(row.contains("role=\"tooltip\" id=\"stack-TERN-1\""))
    #expect(row.contains("tern::&lt;script&gt;") && row.contains("main src/main.cpp:3"))
    #expect(!row.contains("UIKit.0") && !row.contains("<script>"))
  }

  @Test("Pages lead forward and back")
  func pages() throws {
    let visit = try visit()
    for number in 0..<120 { try add("\(number)", [number % 20], to: visit) }
    func titles(_ page: String) -> [String] {
      page.components("class=\"signature mono\"").dropFirst().map {
        // The attributes before it depend on whether the stack was read in time.
        String($0.prefix { $0 != "<" }.drop { $0 != ">" })
      }
    }
    func link(_ page: String, _ relation: String) -> String? {
      page.components("rel=\"\(relation)\" href=\"").dropFirst().first.map {
        String($0.prefix { $0 != "\"" }).replacing("&amp;", with: "&")
      }
    }
    let first = visit.get("/?sort=reports").text
    #expect(link(first, "prev") == nil)
    let second = visit.get(try #require(link(first, "next"))).text
    let third = visit.get(try #require(link(second, "next"))).text
    #expect(link(third, "next") == nil && third.contains("20 of 120 groups"))
    let back = visit.get(try #require(link(third, "prev"))).text
    #expect(titles(back) == titles(second) && titles(second).count == 50)
    let start = visit.get(try #require(link(back, "prev"))).text
    #expect(titles(start) == titles(first) && link(start, "prev") == nil)
    #expect(Set(titles(first) + titles(second) + titles(third)).count == 120)
  }

  @Test("A search is saved for its account, opened and removed")
  func saved() throws {
    let visit = try visit(.viewer)
    try add("k", [1], to: visit)
    let list = "/?q=is%3Anew&sort=first-seen"
    let saved = try visit.send(
      "/searches", from: list, [("back", list), ("save", "New <ones>")])
    #expect(saved.location == list + "&searches=saved")
    let page = visit.get(try #require(saved.location)).text
    #expect(page.contains("Search saved."))
    #expect(
      page.contains(
        "<a href=\"/?q=is%3Anew&amp;sort=first-seen\" aria-current=\"true\">New &lt;ones&gt;</a>"))
    let other = visit.another()
    try other.signIn("bob", .viewer)
    #expect(!other.get("/").text.contains("New &lt;ones&gt;"))
    let refused = try visit.send("/searches", from: list, [("back", list), ("save", " ")])
    #expect(refused.status == 400 && refused.text.contains("enter a name"))
    let removed = try visit.send(
      "/searches", from: list, [("back", list), ("remove", "New <ones>")])
    #expect(removed.location == list + "&searches=removed")
    #expect(!visit.get("/").text.contains("New &lt;ones&gt;"))
    let again = try visit.send("/searches", from: "/", [("remove", "New <ones>")])
    #expect(again.status == 404)
  }

  @Test(
    "Only lists are saved, whatever the form says", arguments: ["//evil.example/?q=x", "/server"])
  func foreign(back: String) throws {
    let visit = try visit()
    try add("k", [1], to: visit)
    let saved = try visit.send("/searches", from: "/", [("back", back), ("save", "a")])
    #expect(saved.status == 303 && saved.location?.hasPrefix("/?") == true)
    #expect(
      saved.location?.contains("evil") == false && saved.location?.contains("server") == false)
  }

  @Test("Other pages lead back to the list as it was; the list itself to all groups")
  func remembered() throws {
    let visit = try visit()
    try add("k", [1], to: visit)
    let answer = visit.get("/?q=is%3Anew&after=bad")
    let set = try #require(
      visit.get("/?q=is%3Anew&sort=reports").headers.values(of: "Set-Cookie").first)
    #expect(
      set.hasPrefix("mayday-list=q=is%3Anew&sort=reports; Path=/;") && set.contains("HttpOnly"))
    #expect(answer.status == 400)
    let session = try #require(visit.cookie)
    visit.cookie = session + "; mayday-list=q=is%3Anew&sort=reports"
    let link = "<li><a href=\"/?q=is%3Anew&amp;sort=reports\""
    #expect(visit.get("/groups/TERN-1").text.contains(link))
    #expect(visit.get("/releases").text.contains(link))
    let list = visit.get("/?q=is%3Anew&sort=reports")
    // The tabs have the same address; the bar does not.
    #expect(list.text.contains("<li><a href=\"/\" aria-current=\"page\">Groups"))
    #expect(list.headers.values(of: "Set-Cookie").isEmpty)
    // Without a search, nothing is remembered any more.
    #expect(
      visit.get("/").headers["Set-Cookie"]?.hasPrefix("mayday-list=; Path=/; Max-Age=0") == true)
    // A cookie is only ever the address of a list.
    visit.cookie = session + "; mayday-list=//evil.example"
    #expect(visit.get("/releases").text.contains("<li><a href=\"/\""))
  }

  @Test("The chart has a scale, the change, and the releases that began in it")
  func chart() throws {
    let visit = try visit()
    try add("a", Array(repeating: 3, count: 17) + Array(repeating: 40, count: 10), to: visit)
    try add("b", Array(repeating: 5, count: 20), version: "2.0", to: visit)
    let page = visit.get("/").text
    #expect(
      page.contains(
        "<div class=\"scale quiet\" aria-hidden=\"true\"><span>20</span><span>0</span></div>"))
    #expect(page.contains("up 270 % against the 30 days before</span>"))
    #expect(
      page.contains("<li><a href=\"/releases/Tern/2.0%20%287%29\">2.0 (7)</a>")
        || page.contains("<li><a href=\"/releases/Tern/2.0%20(7)\">2.0 (7)</a>"))
    #expect(page.contains("class=\"mark\"") && !page.contains(">1.0 (7)</a> <time>"))
    // Half of the page does not stay empty for an app without sessions.
    #expect(page.components("<figure class=\"chart\">").count == 2)
    #expect(page.contains("Crash-free <b>–</b>"))
    let group = visit.get("/groups/TERN-1").text
    #expect(group.contains("<span>17</span><span>0</span></div>"))
    // Other conditions on the time have no days before to compare with.
    let day = visit.get("/?q=" + "time:2026-05".inAddress).text
    #expect(!day.contains("against the 30 days before"))
  }
}

extension String {
  fileprivate func components(_ separator: String) -> [String] {
    split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }
}
