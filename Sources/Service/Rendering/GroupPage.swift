internal import Bytes
internal import CrashModel
package import CrashService
package import CrashStore
package import Identifiers
package import ReportDocument
package import TriageModel

/// All facts about a group for a terminal: its impact, the crash, where it occurs, and its exemplar.
package struct GroupPage {
  package let group: GroupSummary
  package let breakdown: GroupBreakdown
  /// The newest reports, newest first.
  package let recent: [ReportSummary]
  /// The history of the group, oldest first.
  package let history: [GroupEvent]
  /// The group's exemplar.
  package let exemplar: StoredReport
  /// The build since which it is more frequent, as text.
  package var firstBad: String?
  /// The number of different stacks of its reports; `nil` if they were not counted.
  package var variantCount: Int?
  /// Variants that may be another bug.
  package var splits: [ProposedSplit] = []
  /// The address of the group's page, where a server has one.
  package var address: String?
  package let now: Timestamp
  package var width = 80
  package var styles = Styles.plain
  package var isFull = false

  /// The minimum width for systems and devices side by side.
  private static let twoColumns = 72
  /// The maximum number of versions shown; older ones are counted together.
  package static let mostVersions = 6

  package func lines() -> [String] {
    let report = ReportText(width: width, styles: styles, isFull: isFull)
    let parts = report.parts(of: exemplar.report)
    let details = GroupDetails(width: width, styles: styles)
    var lines =
      title() + parts.reason + [""] + impact() + details.status(of: group) + parts.stacks
    lines += section("Versions", versions())
    guard isFull else {
      return lines + details.lines(for: group, history: history) + [""] + whereMoreIs()
    }
    lines += systemsAndDevices()
    lines += section(trendTitle, trend())
    lines += section("Recent reports", recentReports())
    lines += details.lines(for: group, history: history)
    let id = String(exemplar.id.prefix(ReportColumns.shownDigits)).printable
    lines += ["", styles.strong("Report \(id), the group's exemplar")]
    lines += report.facts(of: exemplar.report, id: exemplar.id, isBelowGroup: true)
    return lines + parts.rest
  }

  /// Returns how to see what the short form leaves out.
  private func whereMoreIs() -> [String] {
    let id = String(exemplar.id.prefix(ReportColumns.shownDigits)).printable
    let name = group.id.printable
    let lines = [
      "Everything: mayday show \(name) --full",
      "This report: mayday show \(id)",
      "All reports: mayday reports group:\(name)",
    ]
    return lines.map { styles.dim("  " + $0.truncated(to: width - 2)) }
  }

  // MARK: The head

  private func title() -> [String] {
    let id = group.id.printable
    let state = group.state.rawValue
    let indent = id.columns + 2
    let room = width - indent - state.columns - 2
    let text = group.signature.text.printable
    let signature = (text.isEmpty ? "no signature" : text).lines(of: max(20, room), atMost: 3)
    return signature.enumerated().map { number, line in
      guard number == 0 else { return String(repeating: " ", count: indent) + styles.strong(line) }
      let gap = max(2, width - indent - line.columns - state.columns)
      return styles.dim(id) + "  " + styles.strong(line) + String(repeating: " ", count: gap)
        + group.state.styled(state, styles)
    }
  }

  /// `12 reports · 5 users · 5.7 % of Tern · 2 versions`, and when.
  private func impact() -> [String] {
    var facts = [GroupText.count(group.reports, "report", "reports")]
    if let installs = group.installs {
      facts.append(GroupText.count(installs, "user", "users"))
    }
    if breakdown.reportsOfApp > 0 {
      let share = Percent.text(group.reports, of: breakdown.reportsOfApp)
      facts.append("\(share) of the reports of \(group.app.printable)")
    }
    let named = breakdown.versions.filter { !$0.name.isEmpty }
    if !named.isEmpty { facts.append(GroupText.count(named.count, "version", "versions")) }
    if let variantCount, variantCount > 1 { facts.append("\(variantCount) variants") }
    var lines = Self.joined(facts, width: width - 2).map { "  " + styles.strong($0) }
    var times: [String] = []
    if let first = group.firstSeen { times.append("first seen \(day(first))") }
    if let last = group.lastSeen { times.append("last seen \(day(last))") }
    if group.signature.isProvisional { times.append("provisional: debug files are missing") }
    lines += Self.joined(times, width: width - 2).map { "  " + $0 }
    // In one piece, to be copied.
    if let address { lines.append("  " + styles.dim(address.printable)) }
    if let firstBad { lines += firstBad.printable.lines(of: max(20, width - 2)).map { "  " + $0 } }
    return lines
      + ProposedSplitText(splits: splits).lines(width: width - 2, styles: styles).map { "  " + $0 }
  }

  /// `2026-03-04 (today)`.
  private func day(_ time: Timestamp) -> String {
    let days = now.wholeDays - time.wholeDays
    let words =
      switch days {
      case ..<0: ""
      case 0: " (today)"
      case 1: " (yesterday)"
      default: " (\(days) days ago)"
      }
    return GroupText.day(time) + words
  }

  /// Returns facts separated by dots, on as many lines as needed.
  private static func joined(_ facts: [String], width: Int) -> [String] {
    var lines: [String] = []
    for fact in facts {
      if let last = lines.last, last.columns + 3 + fact.columns <= width {
        lines[lines.count - 1] = last + " · " + fact
      } else {
        lines += fact.lines(of: width, atMost: 2)
      }
    }
    return lines
  }

  // MARK: Where it occurs

  private func versions() -> [String] {
    // Without any version, there is nothing to distinguish.
    guard breakdown.versions.contains(where: { !$0.name.isEmpty }) else { return [] }
    let newest = breakdown.versions.reversed()
    let shown = isFull ? newest.count : Self.mostVersions
    var rows = newest.prefix(shown).map { version in
      BarChart.Row(
        label: version.name.isEmpty ? "no version" : version.name.printable,
        count: version.reports,
        figures: [String(version.reports), GroupText.days(version.firstDay, version.lastDay)])
    }
    let older = newest.dropFirst(shown)
    if let first = older.map(\.firstDay).min(), let last = older.map(\.lastDay).max() {
      let reports = older.reduce(0) { $0 + $1.reports }
      rows.append(
        BarChart.Row(
          label: "\(older.count) older", count: reports,
          figures: [String(reports), GroupText.days(first, last)], isRest: true))
    }
    return BarChart(rows: rows, styles: styles).lines(width: width - 2).map { "  " + $0 }
  }

  private func systemsAndDevices() -> [String] {
    let total = group.reports
    let charts = [("Systems", breakdown.systems), ("Devices", breakdown.devices)].filter {
      $0.1.top.contains { !$0.name.isEmpty }
    }
    guard width >= Self.twoColumns, charts.count == 2 else {
      return charts.flatMap { title, ranking in
        section(title, self.ranking(ranking, of: total, width: width - 2).map { "  " + $0 })
      }
    }
    // Side by side.
    let column = (width - 6) / 2
    let left = ranking(breakdown.systems, of: total, width: column)
    let right = ranking(breakdown.devices, of: total, width: column)
    let heading = styles.strong("Systems") + String(repeating: " ", count: column - 3)
    return ["", heading + styles.strong("Devices")]
      + (0..<max(left.count, right.count)).map { row in
        let first = row < left.count ? left[row] : String(repeating: " ", count: column)
        return "  " + first + (row < right.count ? "    " + right[row] : "")
      }
  }

  private func ranking(
    _ ranking: GroupBreakdown.Ranking, of total: Int, width: Int
  ) -> [String] {
    var rows = ranking.top.map { share in
      BarChart.Row(
        label: share.name.isEmpty ? "not named" : share.name.printable, count: share.reports,
        figures: [Percent.text(share.reports, of: total)])
    }
    if ranking.others > 0 {
      rows.append(
        BarChart.Row(
          label: GroupText.count(ranking.others, "other", "others"),
          count: ranking.reportsOfOthers,
          figures: [Percent.text(ranking.reportsOfOthers, of: total)], isRest: true))
    }
    return BarChart(rows: rows, styles: styles).lines(width: width)
  }

  private var trendTitle: String {
    guard let last = breakdown.days.last else { return "Trend" }
    let count = breakdown.days.count
    return last.start.wholeDays >= now.wholeDays
      ? "Last \(count) days" : "\(count) days up to \(GroupText.day(last.start))"
  }

  private func trend() -> [String] {
    let counts = breakdown.days.map(\.reports)
    guard let most = counts.max(), most > 0 else { return [] }
    let sum = counts.reduce(0, +)
    let words = "\(GroupText.count(sum, "report", "reports")), at most \(most) a day"
    let line = "  " + Sparkline.line(counts, styles: styles)
    guard counts.count + 4 + words.columns <= width else {
      return [line] + words.lines(of: width - 2).map { "  " + styles.dim($0) }
    }
    return [line + "  " + styles.dim(words)]
  }

  private func recentReports() -> [String] {
    var table = TextTable([
      .text("REPORT"), .text("TIME"), .text("VERSION", .atEnd), .text("SYSTEM", .atEnd),
      .text("DEVICE", .atEnd),
    ])
    for report in recent {
      table.add([
        String(report.id.prefix(ReportColumns.shownDigits)).printable,
        String(ReportFacts.time(report.time).prefix(16)),
        AppIdentity(version: report.version, build: report.build).versionText.printable,
        (report.os ?? "").printable, (report.device ?? "").printable,
      ])
    }
    let lines = recent.isEmpty ? [] : table.lines(width: width, styles: styles, indent: 2)
    let left = group.reports - recent.count
    guard left > 0, !recent.isEmpty else { return lines }
    let words = "\(left) more: mayday reports group:\(group.id.printable)"
    return lines + ["  " + styles.dim(words.truncated(to: width - 2))]
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["", styles.strong(title)] + lines
  }
}

extension GroupPage {
  /// Creates a page; `nil` for a group all of whose reports were removed.
  package init?(_ answer: GroupOverview, now: Timestamp, width: Int, styles: Styles, isFull: Bool) {
    guard let breakdown = answer.breakdown, let exemplar = answer.exemplar else { return nil }
    self.init(
      group: answer.group, breakdown: breakdown, recent: answer.recent, history: answer.history,
      exemplar: exemplar, now: now, width: width, styles: styles, isFull: isFull)
    variantCount = answer.variantCount
    splits = answer.splits
  }
}

extension GroupState {
  /// Returns text in the style of the state.
  package func styled(_ text: String, _ styles: Styles) -> String {
    switch self {
    case .open: styles.warning(text)
    case .regressed: styles.danger(text)
    case .resolved: styles.good(text)
    case .ignored: styles.dim(text)
    }
  }
}

extension Timestamp {
  /// Days since 1970 in UTC, rounded down.
  fileprivate var wholeDays: Int {
    Int(seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400)
  }
}
