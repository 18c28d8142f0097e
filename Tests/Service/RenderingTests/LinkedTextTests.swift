import CrashModel
import CrashService
import CrashStore
import Identifiers
import Testing

@testable import Rendering

@Suite("Links in texts, and addresses in what is copied")
struct LinkedTextTests {
  private func links(_ text: String) -> [String] {
    HTML.linked(text).markup.split(separator: "<a href=\"", omittingEmptySubsequences: false)
      .dropFirst().map { String($0.prefix { $0 != "\"" }) }
  }

  @Test(
    "Addresses of the web become links, without what ends the sentence",
    arguments: [
      ("see https://example.org/a?b=c#d.", ["https://example.org/a?b=c#d"]),
      ("(http://example.org/x_(y)), https://a.b!", ["http://example.org/x_(y)", "https://a.b"]),
      ("https://one https://two", ["https://one", "https://two"]),
      ("<https://example.org/a>", ["https://example.org/a"]),
      ("xhttps://example.org", []), ("javascript://alert", []), ("https://", []), ("://", []),
      ("ftp://example.org https:// none", []),
    ] as [(String, [String])])
  func addresses(text: String, found: [String]) {
    #expect(links(text) == found)
  }

  @Test("What is around and in a link stays text")
  func escaped() {
    let markup = HTML.linked("<b> https://example.org/?a=1&b='2 \u{202e}").markup
    #expect(markup.hasPrefix("&lt;b&gt; <a href=\"https://example.org/?a=1&amp;b=&#39;2\""))
    #expect(markup.contains(" rel=\"noopener noreferrer nofollow\">"))
    #expect(markup.contains("\\u{202e}") && !markup.contains("<b>"))
    let address = "https://example.org/" + String(repeating: "x", count: 5_000)
    let long = HTML.linked(address).markup
    #expect(!long.contains("<a ") && long.utf8.count < 3_000)
  }

  @Test("Text and Markdown of a report begin with its address, where there is one")
  func address() {
    let link = "https://crashes.example.org/reports/5a2c"
    var markdown = ReportMarkdown(report: SampleReports.badAccess, id: "5a2c", group: nil)
    #expect(!markdown.text().contains(link))
    markdown.address = link
    #expect(markdown.text().split(separator: "\n")[1] == "<\(link)>")
    let lines = ReportText().lines(for: SampleReports.badAccess, id: "5a2c", address: link)
    #expect(lines.contains("  " + link))
    #expect(!ReportText().lines(for: SampleReports.badAccess, id: "5a2c").contains("  " + link))
  }

  @Test("The stack alone begins with its heading and has every shown frame")
  func stack() {
    let lines = ReportText().stackLines(of: SampleReports.badAccess)
    #expect(lines.first?.isEmpty == false && lines.first?.hasSuffix(":") == true)
    #expect(lines.count > 3 && !lines.contains { $0.contains("Images with frames") })
  }

  @Test("A note is shown by its first line in the history")
  func noteStart() {
    func start(_ text: String) -> String {
      GroupEvent(
        number: 1, group: "A-1", time: Timestamp(seconds: 0), author: "ann", event: "noted",
        detail: text,
        isAction: true
      ).noteStart
    }
    #expect(start("one") == "one" && start("one\ntwo") == "one …" && start("") == "")
  }
}
