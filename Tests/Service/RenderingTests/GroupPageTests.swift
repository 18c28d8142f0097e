import CrashModel
import Identifiers
import JSON
import ReportDocument
import TestSupport
import Testing
import TriageModel

@testable import CrashStore
@testable import MaydayCommands
@testable import ProgramSupport
@testable import Rendering

@Suite("The page of a group")
struct GroupPageTests {
  private static let id = "5a2c9be20f6b3d0e9b0b7a1fd6e1c001"
  private static let now = Timestamp(seconds: 1_772_500_000)

  private static func day(_ back: Int) -> Timestamp {
    Timestamp(seconds: (now.seconds / 86_400 - Int64(back)) * 86_400)
  }

  /// A group that has been seen in eight versions.
  private static func page(
    width: Int, styles: Styles = .plain, isFull: Bool = false
  ) -> GroupPage {
    let versions = (0..<8).map { number in
      GroupBreakdown.Version(
        name: "1.\(number).0 (\(100 + number * 7))",
        reports: [3, 40, 12, 88, 1, 400, 260, 31][number],
        firstDay: day(90 - number * 11), lastDay: day(max(0, 60 - number * 10)))
    }
    func ranking(_ shares: [(String, Int)], _ others: Int = 0, _ rest: Int = 0)
      -> GroupBreakdown.Ranking
    {
      GroupBreakdown.Ranking(
        top: shares.map { GroupBreakdown.Share(name: $0.0, reports: $0.1) }, others: others,
        reportsOfOthers: rest)
    }
    let total = versions.reduce(0) { $0 + $1.reports }
    let breakdown = GroupBreakdown(
      reportsOfApp: 12_000, versions: versions,
      systems: ranking([("iOS 17.4", 500), ("iOS 17.5.1", 200), ("iOS 16.7.8", 35)], 9, 100),
      devices: ranking([("iPhone15,2", 400), ("iPhone14,5", 35), ("", 8)], 31, 392),
      days: (0..<30).map { number in
        GroupBreakdown.Day(start: day(29 - number), reports: number % 7 == 0 ? 0 : number * number)
      })
    var group = GroupSummary(
      id: "TERN-12", app: "Tern",
      signature: Signature(
        text: "tern::Renderer::draw | tern::App::frame | main", key: "00", category: .signal,
        rules: "v1"),
      kind: .crash, state: .open, reports: total, installs: 611, firstSeen: day(90),
      lastSeen: now, exemplar: "5a2c9be20f6b3d0e9b0b7a1fd6e1c001")
    group.versions = versions.map { VersionCount(version: $0.name, reports: $0.reports) }
    let recent = (0..<5).map { number in
      ReportSummary(
        id: "5a2c9be20f6b3d0e9b0b7a1fd6e1c00\(number)", group: "TERN-12", app: "Tern",
        format: .appleIPS, kind: .crash,
        time: Timestamp(seconds: now.seconds - Int64(number) * 5000),
        received: now, version: "1.7.0", build: "149", os: "iOS 17.4", device: "iPhone15,2",
        signature: "tern::Renderer::draw", symbols: .full, source: "a.ips")
    }
    return GroupPage(
      group: group, breakdown: breakdown, recent: recent,
      history: [
        GroupEvent(
          number: 1, group: "TERN-12", time: day(90), author: "mayday", event: "opened",
          detail: "tern::Renderer::draw", isAction: false)
      ],
      exemplar: StoredReport(id: recent[0].id, report: SampleReports.badAccess), now: now,
      width: width, styles: styles, isFull: isFull)
  }

  @Test("With everything, in two widths", arguments: [60, 80])
  func full(width: Int) {
    let lines = Self.page(width: width, isFull: true).lines()
    Golden.expect(lines.joined(separator: "\n") + "\n", is: "group-full-\(width).txt")
    #expect(lines.allSatisfy { $0.columns <= width })
    #expect(lines.count > Self.page(width: width).lines().count)
  }

  @Test("On a terminal, in three widths", arguments: [60, 80, 110])
  func golden(width: Int) {
    let lines = Self.page(width: width).lines()
    Golden.expect(lines.joined(separator: "\n") + "\n", is: "group-\(width).txt")
    #expect(lines.allSatisfy { $0.columns <= width })
  }

  @Test("Colours add nothing but colours")
  func colours() {
    let coloured = Self.page(width: 80, styles: Styles(isOn: true)).lines().joined(separator: "\n")
    Golden.expect(coloured + "\n", is: "group.ansi")
    let plain = coloured.replacing(/\u{1b}\[[0-9;]*m/, with: "")
    #expect(plain == Self.page(width: 80).lines().joined(separator: "\n"))
  }

  @Test("In Markdown")
  func markdown() { Golden.expect(Self.page(width: 80).markdown(), is: "group.md") }

  @Test("No line is wider than the terminal, whatever a report contains", arguments: UInt64(0)..<50)
  func widths(seed: UInt64) {
    var random = RandomReport(seed: seed, longest: seed % 2 == 0 ? 12 : 90)
    let report = random.next()
    let count = Int(seed % 9) + 1
    func ranking() -> GroupBreakdown.Ranking {
      GroupBreakdown.Ranking(
        top: (0..<count).map { GroupBreakdown.Share(name: random.text(), reports: $0 * 99_991) },
        others: Int(seed), reportsOfOthers: Int(seed) * 1_000_003)
    }
    let breakdown = GroupBreakdown(
      reportsOfApp: 1 << 40,
      versions: (0..<count).map { number in
        GroupBreakdown.Version(
          name: random.text(), reports: 1 << (number * 4), firstDay: Self.day(number),
          lastDay: Self.day(0))
      }, systems: ranking(), devices: ranking(),
      days: (0..<30).map { GroupBreakdown.Day(start: Self.day(29 - $0), reports: $0 * 1_000_003) })
    let group = GroupSummary(
      id: "TERN-12345", app: random.text(),
      signature: Signature(text: random.text(), key: "", category: .signal, rules: ""),
      kind: .crash, state: .regressed, reports: 1 << 41, installs: 1 << 39,
      firstSeen: Self.day(2), lastSeen: Self.now, exemplar: Self.id)
    let recent = [
      ReportSummary(
        id: Self.id, group: "TERN-12345", app: random.text(), format: .appleIPS,
        kind: .crash, time: Self.now, received: Self.now, version: random.text(),
        build: random.text(), os: random.text(), device: random.text(), signature: random.text(),
        symbols: .full, source: random.text())
    ]
    for width in [60, 80, 110] {
      let page = GroupPage(
        group: group, breakdown: breakdown, recent: recent,
        history: [
          GroupEvent(
            number: 1, group: random.text(), time: Self.now, author: random.text(),
            event: random.text(), detail: random.text(), isAction: seed % 2 == 0)
        ], exemplar: StoredReport(id: Self.id, report: report), now: Self.now, width: width,
        isFull: seed % 3 == 0)
      let lines = page.lines() + ReportText(width: width).lines(for: report, id: "1", group: "A-1")
      for line in lines {
        #expect(line.columns <= width, "\(width): \(line.debugDescription)")
        #expect(
          !line.unicodeScalars.contains { $0.value < 0x20 || (0x7f..<0xa0).contains($0.value) })
      }
    }
  }

  @Test(
    "Bars are as long as their share, and the least still shows",
    arguments: zip([0, 1, 50, 99, 100], [0, 1, 10, 20, 20]))
  func bars(count: Int, columns: Int) {
    #expect(BarChart.bar(count, of: 100, width: 20).columns == columns)
  }

  @Test("Shares are rounded, but never to nothing or to all")
  func percents() {
    #expect(Percent.text(0, of: 7) == "0 %" && Percent.text(7, of: 7) == "100 %")
    #expect(Percent.text(1, of: 1_000_000) == "<0.1 %")
    #expect(Percent.text(999_999, of: 1_000_000) == "99 %")
    #expect(Percent.text(57, of: 1000) == "5.7 %" && Percent.text(581, of: 1000) == "58 %")
  }

  @Test("A day without reports differs from one with the fewest")
  func sparkline() {
    #expect(Sparkline.line([0, 1, 500, 1000], styles: .plain) == "▁▂▅█")
    #expect(Sparkline.line([0, 0], styles: .plain) == "▁▁")
  }
}
