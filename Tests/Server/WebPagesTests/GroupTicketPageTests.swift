import CrashModel
import CrashStore
import HTTP
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

@Suite("Notes, tickets and copies on the page of a group") struct GroupTicketPageTests {
  private let folder = ScratchFolder()
  private var home: String { folder.path("home") }

  private func visit(_ role: Account.Role = .triage) throws -> (visit: PageVisit, id: String) {
    let run = Run([
      "ingest", Samples.root + "/Samples/apple-ips", "--symbols", Samples.root + "/Symbols/apple",
      "--home", home,
    ])
    #expect(run.status == 0)
    let visit = try PageVisit(home: home)
    try visit.signIn("ann", role)
    let id = try #require(try visit.context.service(ofApp: nil).groups(GroupQuery(.all)).first?.id)
    return (visit, id)
  }

  private func act(
    _ visit: PageVisit, _ id: String, _ action: String, _ fields: [(String, String)]
  ) throws -> String {
    let answer = try visit.send("/groups/\(id)/\(action)", from: "/groups/" + id, fields)
    #expect(answer.status == 303, "\(answer.text.suffix(400))")
    return visit.get("/groups/" + id).text
  }

  private func position(_ text: String, in page: String) throws -> String.Index {
    try #require(page.firstRange(of: text), "\(text)").lowerBound
  }

  @Test("The last note is in the head, all are above the recent reports, and links in them work")
  func notes() throws {
    let (visit, id) = try visit()
    _ = try act(visit, id, "note", [("text", "first")])
    let page = try act(
      visit, id, "note",
      [("text", "Repro:\r\n- zoom\r\nSee https://example.org/a?b=1&c=<2>.")])
    let link = "<a href=\"https://example.org/a?b=1&amp;c=\" rel=\"noopener noreferrer nofollow\">"
    #expect(try position("Note of ann", in: page) < position("id=\"stack\"", in: page))
    #expect(try position("id=\"notes\"", in: page) < position("<h2>Recent reports", in: page))
    #expect(page.contains("Repro:\n- zoom\nSee " + link))
    #expect(page.contains("<a href=\"#notes\">All 2 notes</a>"))
    #expect(page.contains("<b>noted</b> Repro: …"))
    #expect(!page.contains("\\r"))
    let text = visit.get("/groups/\(id).txt").text
    #expect(text.contains("    - zoom\n") && !text.contains("\\r"))
  }

  @Test("A ticket is entered, closed and removed; it is a link")
  func ticket() throws {
    let (visit, id) = try visit()
    let url = "https://github.com/acme/tern/issues/7"
    var page = try act(visit, id, "ticket", [("url", " \(url) ")])
    #expect(page.contains("Ticket: <a href=\"\(url)\" rel=\"noopener noreferrer nofollow\">"))
    #expect(!page.contains(">closed</span>"))
    page = try act(visit, id, "ticket", [("url", url), ("closed", "1")])
    #expect(page.contains("</a> <span class=\"tag\">closed</span>"))
    page = try act(visit, id, "ticket", [])
    #expect(!page.contains("Ticket: "))
    let refused = try visit.send(
      "/groups/\(id)/ticket", from: "/groups/" + id, [("url", "javascript:alert(1)")])
    #expect(refused.status == 400 && refused.text.contains("is not the address of a ticket"))
  }

  @Test("With a tracker, a new issue is offered with title, stack and link; from a number on")
  func suggestion() throws {
    let (visit, id) = try visit(.admin)
    let service = visit.context.service(ofApp: nil)
    let app = try #require(try service.groups(GroupQuery(.all)).first?.app)
    let path = "/apps/" + app.inAddress
    let before = visit.get("/groups/" + id).text
    #expect(!before.contains("New issue at") && before.contains("Address of the issue"))
    func set(_ fields: [(String, String)]) throws -> Int {
      try visit.send(path + "/tracker", from: path, fields).status
    }
    #expect(try set([("kind", "github"), ("url", "https://github.com/acme/tern")]) == 303)
    let page = visit.get("/groups/" + id).text
    #expect(page.contains("No ticket yet."))
    let start = "<a href=\"https://github.com/acme/tern/issues/new?title=\(id)%3A%20"
    #expect(page.contains(start))
    let address = String(page[try position(start, in: page)...].dropFirst(9).prefix { $0 != "\"" })
    #expect(address.contains("http%3A%2F%2F127.0.0.1%3A8080%2Fgroups%2F\(id)"))
    #expect(address.contains("%60%60%60%0A") && address.utf8.count < 8_000)
    let project = ("url", "https://github.com/acme/tern")
    #expect(try set([("kind", "github"), project, ("reports", "9999")]) == 303)
    let quiet = visit.get("/groups/" + id).text
    #expect(!quiet.contains("No ticket yet.") && quiet.contains("New issue at GitHub"))
    #expect(visit.get(path).text.contains("value=\"9999\""))
    #expect(try set([("kind", "github"), ("url", "nonsense")]) == 400)
    #expect(try set([("kind", "github"), ("url", "")]) == 303)
    #expect(!visit.get("/groups/" + id).text.contains("New issue at"))
  }

  @Test("Text, Markdown and report have the address of their page; the stack is a text of its own")
  func copies() throws {
    let (visit, id) = try visit()
    let link = "http://127.0.0.1:8080/groups/" + id
    #expect(visit.get("/groups/\(id).txt").text.contains(link + "\n"))
    #expect(visit.get("/groups/\(id).md").text.contains("<\(link)>\n"))
    let page = visit.get("/groups/" + id).text
    for kind in ["text", "Markdown", "stack"] { #expect(page.contains("data-copy=\"\(kind)\"")) }
    let stack = visit.get("/groups/\(id).txt?part=stack").text
    #expect(!stack.hasPrefix("\n") && stack.contains("  0  ") && !stack.contains("History"))
    let report = try #require(
      try visit.context.service(ofApp: nil).group(id, sourceLines: nil).exemplar?.id)
    let address = "http://127.0.0.1:8080/reports/" + report
    #expect(visit.get("/reports/\(report).txt").text.contains(address + "\n"))
    #expect(visit.get("/reports/\(report).md").text.contains("<\(address)>\n"))
    #expect(visit.get("/reports/\(report).txt?part=stack").text == stack)
  }

  @Test("Headings go down by one level, and print has the id and the address")
  func headings() throws {
    let (visit, id) = try visit()
    let report = try #require(
      try visit.context.service(ofApp: nil).group(id, sourceLines: nil).exemplar?.id)
    for path in ["/groups/" + id, "/reports/" + report] {
      let page = visit.get(path).text
      let levels = page.split(separator: "<h").dropFirst().compactMap { $0.first?.wholeNumberValue }
      #expect(levels.first == 1)
      for (one, next) in zip(levels, levels.dropFirst()) {
        #expect(next <= one + 1, "\(path): \(levels)")
      }
      #expect(page.contains("<span class=\"printed\"> · http://127.0.0.1:8080\(path)</span>"))
    }
  }
}
