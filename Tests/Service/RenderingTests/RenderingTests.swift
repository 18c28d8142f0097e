import Documents
import Identifiers
import JSON
import Testing
import TriageModel

@testable import MaydayCommands
@testable import Pipeline
@testable import ProgramSupport
@testable import Rendering

@Suite("Rendering")
struct RenderingTests {
  private func text(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }

  @Test("A report as text", arguments: SampleReports.all.map(\.name))
  func reportText(name: String) throws {
    let report = try #require(SampleReports.all.first { $0.name == name }).report
    let lines = ReportText().lines(for: report, id: "r-\(name)", group: "TERN-1")
    Golden.expect(text(lines), is: "report-\(name).txt")
    #expect(lines.allSatisfy { $0.columns <= 80 })
    let coloured = ReportText(styles: Styles(isOn: true)).lines(for: report)
    Golden.expect(text(coloured), is: "report-\(name).ansi")
  }

  @Test("A report with nothing folded")
  func fullReport() {
    let lines = ReportText(isFull: true).lines(for: SampleReports.badAccess)
    Golden.expect(text(lines), is: "report-bad-access-full.txt")
    #expect(ReportText(isFull: true).lines(for: SampleReports.recursion).count > 10_000)
  }

  @Test("A report as Markdown", arguments: SampleReports.all.map(\.name))
  func reportMarkdown(name: String) throws {
    let report = try #require(SampleReports.all.first { $0.name == name }).report
    Golden.expect(ReportMarkdown.text(for: report, id: "r-\(name)"), is: "report-\(name).md")
  }

  private static let time = Timestamp(seconds: 1_790_000_000)

  @Test("A triage as text, as JSON, and as a page")
  func triage() {
    let triage = SampleReports.triage
    let refused = SampleReports.refusedSymbols
    let lines =
      TriageText().lines(triage, refusedSymbols: refused)
      + TriageText.closing(triage).lines(of: 80)
    Golden.expect(text(lines), is: "triage.txt")
    #expect(lines.allSatisfy { $0.columns <= 80 })
    var writer = JSONWriter(pretty: true)
    writer.write(TriageDocument(triage, refusedSymbols: refused))
    Golden.expect(String(decoding: writer.bytes, as: UTF8.self) + "\n", is: "triage.json")
    let page = TriagePage(
      sources: ["crashes/<1>"], engine: "mayday 0", time: Self.time, refusedSymbols: refused
    ).markup(triage)
    Golden.expect(page, is: "triage.html")
  }

  @Test("The page begins with a table of all groups; with many of them all cards are closed")
  func overview() {
    var triage = SampleReports.triage
    triage.refused = (0..<12).map {
      RefusedFile(source: "cut-\($0).ips", reason: "ends early", kind: .unreadable)
    }
    triage.refused.append(RefusedFile(source: "boat.png", reason: "a picture", kind: .foreign))
    func page() -> String {
      TriagePage(sources: [], engine: "mayday 0", time: Self.time).markup(triage)
    }
    while triage.groups.count <= 3 { triage.groups += triage.groups }
    #expect(!page().contains("class=\"group\" open"))
    #expect(page().contains("<summary>12 unreadable files</summary>"))
    #expect(page().contains("<summary>1 file of another kind</summary>"))
    #expect(!page().contains("class=\"report\" open"))
    #expect(page().contains("mayday 0 at 2026-09-21 14:13:20 UTC"))
    triage.groups = Array(triage.groups.prefix(1))
    triage.refused = Array(triage.refused.prefix(1))
    #expect(page().contains("class=\"group\" open"))
    #expect(page().contains("class=\"report\" open><summary>1 unreadable file</summary>"))
    for group in triage.groups {
      #expect(page().contains("href=\"#\(group.summary.id)\""))
      #expect(page().contains("<div class=\"body\" id=\"\(group.summary.id)\""))
    }
  }

  @Test("An empty triage says so")
  func emptyTriage() {
    let triage = TriageResult()
    #expect(TriageText().lines(triage) == [])
    #expect(TriageText.closing(triage) == "0 reports in 0 groups, from 0 files")
    let page = TriagePage(sources: [], engine: "mayday 0", time: Self.time).markup(triage)
    #expect(page.contains("No report was found."))
  }

  private func table(_ groups: [GroupSummary], width: Int = 80) -> ColumnTable<GroupSummary> {
    ColumnTable(columns: GroupColumns.usual(for: groups, width: width), items: groups)
  }

  @Test("The list of groups fits, whatever it contains")
  func groups() {
    var groups = SampleReports.triage.groups.map(\.summary)
    Golden.expect(
      text(table(groups).lines(width: 80, styles: .plain)), is: "groups.txt")
    groups[1].state = .resolved
    groups[2].reports = 1_234_567
    let lines = table(groups).lines(width: 80, styles: .plain)
    Golden.expect(text(lines), is: "groups-states.txt")
    for width in [40, 60, 80, 120] {
      let lines = table(groups, width: width).lines(width: width, styles: .plain)
      #expect(width < 60 || lines.allSatisfy { $0.columns <= width })
    }
  }

  @Test("No control characters are printed, in any format")
  func safe() {
    let report = SampleReports.hostile
    var texts = ReportText(isFull: true).lines(for: report, id: "\u{1b}c", group: "\u{202e}")
    texts += TriageText().lines(SampleReports.triage)
    texts.append(
      TriagePage(sources: ["\u{1b}"], engine: "", time: Self.time).markup(SampleReports.triage))
    texts.append(ReportMarkdown.text(for: report))
    for text in texts {
      let acting = text.unicodeScalars.filter {
        ($0.value < 0x20 && $0 != "\n") || (0x7f..<0xa0).contains($0.value)
          || (0x202a...0x202e).contains($0.value)
      }
      #expect(acting.isEmpty, "\(text.debugDescription)")
    }
  }

  @Test("A page contains no markup from input, and loads nothing")
  func safePage() {
    let page = TriagePage(sources: ["<img src=x>"], engine: "", time: Self.time)
      .markup(SampleReports.triage)
    #expect(!page.contains("<script") && !page.contains("<img"))
    #expect(!page.contains("\"onload") && !page.contains("src=\""))
    let links = page.split(separator: "href=\"").dropFirst()
    #expect(!links.isEmpty && links.allSatisfy { $0.hasPrefix("#TERN-") })
    #expect(!page.contains("http://") && !page.contains("https://") && !page.contains("url("))
  }
}
