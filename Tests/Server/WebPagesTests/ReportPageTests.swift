import Bytes
import CrashModel
import CrashStore
import HTTP
import Identifiers
import ReportDocument
import ServerStore
import TestSupport
import Testing

@testable import CrashService
@testable import MaydayCommands
@testable import ProgramSupport
@testable import Rendering
@testable import ServerCore
@testable import WebPages

/// The page of a report, tested by requests to the routes.
@Suite("The page of a report") struct ReportPageTests {
  private let folder = ScratchFolder()

  private func visit(app: String? = nil) throws -> PageVisit {
    let visit = try PageVisit(home: folder.path("home"))
    try visit.signIn("ann", .triage, app: app)
    return visit
  }

  /// The links in the part of a page after a heading.
  private func links(in page: String, from heading: String) throws -> [String] {
    let start = try #require(page.firstRange(of: heading)).upperBound
    return page[start...].split(separator: "href=\"").dropFirst().map {
      String($0.prefix { $0 != "\"" }).replacing("&amp;", with: "&")
    }
  }

  @Test("Facts are grouped, and a tag leads to the groups that have its value")
  func facts() throws {
    let visit = try visit()
    var report = StoredReports.report()
    report.tags = [.locale: "de_DE", .comment: "It <died>\nagain", .lastWords: "one\ntwo"]
    report.properties = ["Plan": "Pro \"max\""]
    let id = try StoredReports.add(report, to: visit.context.store)
    let page = visit.get("/reports/" + id)
    #expect(page.status == 200)
    for text in [
      "<dt>Device</dt>", "iPhone15,2", "<dt>Release</dt>", "/releases/Tern/1.2%20%287%29",
      "<blockquote class=\"message\">It &lt;died&gt;\nagain\n</blockquote>", "de_DE",
      "src/tern::total.cpp:8", "2026-05-28 20:26:40 UTC",
    ] { #expect(page.text.contains(text), "\(text)") }
    let group = try #require(
      try visit.context.service(ofApp: nil).report(id, sourceLines: nil).group)
    let found = try links(in: page.text, from: "<h2>Tags</h2>").filter { $0.hasPrefix("/?") }
    #expect(found.count == 2)
    for link in found {
      #expect(link.contains("q=" + "app:Tern ".inAddress), "\(link)")
      #expect(visit.get(link).text.contains("href=\"/groups/\(group)\""), "\(link)")
    }
    // Nothing is repeated, and empty sections are left out.
    #expect(page.text.split(separator: "<h2>About this report</h2>").count == 2)
    #expect(page.text.split(separator: "It &lt;died&gt;").count == 2)
    for section in ["Attachments", "Before the crash", "Registers", "Notes", "Reprocessed"] {
      #expect(!page.text.contains("<h2>\(section)</h2>"), "\(section)")
    }
  }

  @Test("System frames are folded, and each frame and thread has an address of its own")
  func frames() throws {
    let visit = try visit()
    var report = StoredReports.report()
    report.threads[0].frames[7].inlined = true
    report.threads[0].frames[7].trust = .scan
    report.threads[0].frames[0].symbol = "_ZN4tern5totalEv"
    report.threads[0].frames[0].trust = .callFrameInformation
    let id = try StoredReports.add(report, to: visit.context.store)
    let page = visit.get("/reports/" + id).text
    for anchor in (0..<8).map({ "t0f\($0)" }) + ["t1f0", "t0", "t1"] {
      #expect(page.split(separator: " id=\"\(anchor)\"").count == 2, "\(anchor)")
    }
    for text in [
      "… 6 frames in UIKitCore", "found by scanning", ">inlined<", "_ZN4tern5totalEv",
      "found by unwind rules", "0x1000", "Tern + 0x10", "Thread 4 “loader”", "tern::load",
      "href=\"#t0f3\"",
    ] { #expect(page.contains(text), "\(text)") }
  }

  @Test("A report without a stack says so, and why, as does its group")
  func noStack() throws {
    let visit = try visit()
    var report = StoredReports.report()
    report.threads = []
    report.crashedThread = nil
    report.notes = ["\(CrashReport.waiting) <of> the crash"]
    let id = try StoredReports.add(report, to: visit.context.store)
    let group = try #require(
      try visit.context.service(ofApp: nil).report(id, sourceLines: nil).group)
    for path in ["/reports/" + id, "/groups/" + group] {
      let page = visit.get(path).text
      #expect(page.contains("This report has no stack."), "\(path)")
      #expect(page.contains("waiting for minidump.dmp &lt;of&gt; the crash"), "\(path)")
    }
    let whole = try StoredReports.add(StoredReports.report(), named: "b", to: visit.context.store)
    let page = visit.get("/reports/" + whole).text
    #expect(!page.contains("has no stack"))
    #expect(page.contains("<title>\(whole.prefix(8)) tern::total of k · Mayday</title>"))
  }

  @Test("Events before the crash are shown by the time left until it")
  func timeline() throws {
    let visit = try visit()
    func crumb(_ before: Int64, _ name: String, _ values: [String: String] = [:]) -> Breadcrumb {
      Breadcrumb(
        time: Timestamp(seconds: StoredReports.start.seconds - before), name: name,
        properties: values)
    }
    let id = try StoredReports.add(
      StoredReports.report(),
      after: [
        crumb(7_500, "started"), crumb(250, "opened <cart>", ["items": "3"]), crumb(2, "paid"),
      ],
      to: visit.context.store)
    let page = visit.get("/reports/" + id).text
    for text in [
      "title=\"2026-05-28 18:21:40 UTC\">2 h 5 min</time>", ">4 min 10 s</time>", ">2.0 s</time>",
      "opened &lt;cart&gt;", "<span class=\"quiet\">items</span> 3",
    ] { #expect(page.contains(text), "\(text)") }
  }

  @Test(
    "Durations are shown in suitable units",
    arguments: [
      (0, 0, "0.0 s"), (12, 300_000_000, "12.3 s"), (119, 999_000_000, "119.9 s"),
      (250, 0, "4 min 10 s"), (7_500, 0, "2 h 5 min"), (200_000, 0, "2 d"), (-3, 0, "+3.0 s"),
      (Int64.max, 0, "long"),
    ])
  func lengths(seconds: Int64, nanoseconds: Int32, words: String) {
    let end = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
    #expect(ReportTimeline.length(from: Timestamp(seconds: 0), to: end) == words)
  }

  @Test("The reports of a group link to each other, even with equal times")
  func neighbours() throws {
    let visit = try visit()
    let store = visit.context.store
    let times: [Int64] = [0, 5, 5, 5, 9]
    let ids = try times.enumerated().map {
      try StoredReports.add(StoredReports.report(seconds: $1), named: "n\($0)", to: store)
    }
    try StoredReports.add(StoredReports.report("other", seconds: 7), to: store)
    func neighbour(_ id: String, _ relation: String) throws -> String? {
      let parts = visit.get("/reports/" + id).text.split(separator: "rel=\"\(relation)\" href=\"")
      return parts.count > 1 ? String(parts[1].prefix { $0 != "\"" }.dropFirst(9)) : nil
    }
    var seen: [String] = []
    var next: String? = ids[0]
    while let id = next, seen.count < 9 {
      if let last = seen.last { #expect(try neighbour(id, "prev") == last) }
      seen.append(id)
      next = try neighbour(id, "next")
    }
    #expect(seen.count == 5 && Set(seen) == Set(ids))
    #expect(try neighbour(ids[0], "prev") == nil)
    // An account of one app gets the same links.
    let own = try PageVisit(home: folder.path("home"))
    try own.signIn("bob", .viewer, app: "Tern")
    #expect(
      own.get("/reports/" + seen[1]).text.contains("rel=\"prev\" href=\"/reports/\(seen[0])\""))
  }

  @Test("All images are listed with the files that were tried; missing symbols come first")
  func images() throws {
    let visit = try visit()
    var report = StoredReports.report()
    report.images = [
      LoadedImage(name: "Found", debugID: DebugID("11111111-1111-1111-1111-111111111111")),
      LoadedImage(
        name: "UIKitCore", path: "/System/Library/UIKitCore",
        debugID: DebugID("22222222-2222-2222-2222-222222222222")),
      LoadedImage(
        name: "Tern", debugID: DebugID("33333333-3333-3333-3333-333333333333"), base: Address(4096),
        size: 4096),
      LoadedImage(name: "Unused"),
    ]
    report.images[0].symbols = SymbolStatus(.found, file: "Found.debug")
    report.images[1].symbols = SymbolStatus(.missing)
    report.images[2].symbols = SymbolStatus(
      .missing,
      tried: [
        SymbolCandidate(
          "Tern.dSYM", .wrongID, debugID: DebugID("44444444-4444-4444-4444-444444444444"))
      ])
    report.threads[0].frames[0].image = 2
    report.threads[1].frames[0].image = 0
    report.threads[0].frames[7].image = 0
    let id = try StoredReports.add(report, to: visit.context.store)
    let page = visit.get("/reports/" + id).text
    let start = try #require(page.firstRange(of: "<h2>Images</h2>")).upperBound
    let section = String(page[start...]).replacing("<wbr>", with: "")
    let order = ["<b>Tern</b>", "UIKitCore", "<b>Found</b>", "1 image without frames", "Unused"]
      .compactMap { section.firstRange(of: $0)?.lowerBound }
    #expect(order.count == 5 && order == order.sorted())
    for text in [
      "Tern.dSYM: wrong id, 44444444-4444-4444-4444-444444444444", "0x1000 … 0x2000",
      "absent: no debug file has its id",
      "mayday upload Tern.xcarchive --server http://127.0.0.1:8080",
      "href=\"/symbols\"",
      "Your code: symbols for 1 of 2 images.", "<span class=\"quiet\">missing</span>",
    ] { #expect(section.contains(text), "\(text)") }
  }

  @Test("Changes by reprocessing are shown, before and after")
  func changes() throws {
    let home = folder.path("home")
    let sample = Samples.path("apple-ips/abort-1.0.0-macos-x86_64.ips")
    #expect(Run(["ingest", sample, "--home", home]).status == 0)
    #expect(Run(["symbols", "add", Samples.symbols, "--home", home]).status == 0)
    let visit = try visit()
    let id = try #require(
      try visit.context.service(ofApp: nil).reports(ReportQuery()).items.first?.id)
    let page = visit.get("/reports/" + id).text
    let start = try #require(page.firstRange(of: "<h2>Reprocessed</h2>")).upperBound
    for text in ["new debug files: Tern ", "<td>missing</td><td>found</td>", "tern::invariant"] {
      #expect(page[start...].contains(text), "\(text)")
    }
    #expect(visit.get("/reports/\(id)?change=1").text.contains("<td>missing</td><td>found</td>"))
    #expect(visit.get("/reports/\(id)?change=x").status == 200)
  }

  @Test("Two reports are shown side by side, with each difference in words")
  func comparison() throws {
    let visit = try visit()
    let store = visit.context.store
    let one = try StoredReports.add(StoredReports.report("one"), to: store)
    var report = StoredReports.report("two")
    report.os.version = "18.0"
    report.tags = [.locale: "<b>"]
    report.threads[0].frames[0].line = 9
    report.threads[0].frames.insert(StoredReports.frame("tern::added", line: 1), at: 1)
    let two = try StoredReports.add(report, to: store)
    let page = visit.get("/reports/\(one)?against=\(two.prefix(10))")
    #expect(page.status == 200)
    for text in [
      "iOS 17.2 (21C62), iPhone15,2, arm64", "iOS 18.0 (21C62), iPhone15,2, arm64",
      "different line",
      "only in B", "&lt;b&gt;", "1 tern::added", "/explain?against=\(two)",
    ] { #expect(page.text.contains(text), "\(text)") }
    #expect(!page.text.contains("only in A"))
    let group = try #require(
      try visit.context.service(ofApp: nil).report(two, sourceLines: nil).group)
    #expect(visit.get("/reports/\(one)?against=\(group)").text.contains("1 tern::added"))
    #expect(visit.get("/reports/\(one)?against=%20").text.contains("<h2>Compare</h2>"))
    #expect(visit.get("/reports/\(one)?against=ffffffff").status == 404)
    #expect(visit.get("/reports/\(one)?against=NO-1").status == 404)
    let short = visit.get("/reports/\(one.prefix(12))?against=\(two)")
    #expect(short.location == "/reports/\(one)?against=\(two)")
  }

  @Test("An account of another app gets no part of a report")
  func otherApp() throws {
    let visit = try visit(app: "Nothing")
    let id = try StoredReports.add(
      StoredReports.report(), files: [("log.txt", Array("secret".utf8))], to: visit.context.store)
    for path in [
      "", ".txt", "/raw", "/archive", "/explain", "/attachments/log.txt", "?against=\(id)",
    ] {
      let answer = visit.get("/reports/\(id)\(path)")
      #expect(answer.status == 404 && !answer.text.contains("secret"), "\(path)")
    }
  }
}
