internal import Bytes
internal import CrashModel
internal import CrashService
internal import CrashStore
internal import ReportDocument
internal import TriageModel

/// A group in Markdown, for an issue or a chat.
extension GroupPage {
  package func markdown() -> String {
    let report = ReportMarkdown(
      report: exemplar.report, id: exemplar.id, group: group.id, isFull: isFull)
    let title = group.signature.text.isEmpty ? "no signature" : group.signature.text
    var text = "## \(Markdown.text(group.id)): \(Markdown.code(title))\n"
    if let address { text += "\n<\(address)>\n" }
    text += "\n**\(Markdown.text(exemplar.report.headline))**\n" + report.messages() + "\n"
    text += ReportMarkdown.facts(facts()) + versionTable() + report.stacks()
    let rows = ReportFacts(of: exemplar.report, id: exemplar.id, hasTags: false).rows
      .filter { $0.label != "Signature" }
    text += "\n### Exemplar\n\n" + ReportMarkdown.facts(rows)
    return text + report.rest()
  }

  private func facts() -> [(label: String, value: String)] {
    var rows = [("State", group.state.rawValue), ("Reports", String(group.reports))]
    if breakdown.reportsOfApp > 0 {
      let share = Percent.text(group.reports, of: breakdown.reportsOfApp)
      rows[1].1 += ", \(share) of the reports of \(group.app)"
    }
    if let installs = group.installs { rows.append(("Users", String(installs))) }
    if let first = group.firstSeen { rows.append(("First seen", GroupText.day(first))) }
    if let last = group.lastSeen { rows.append(("Last seen", GroupText.day(last))) }
    rows.append(("Systems", words(breakdown.systems)))
    rows.append(("Devices", words(breakdown.devices)))
    return rows.filter { !$0.1.isEmpty }.map { (label: $0.0, value: $0.1) }
  }

  /// `iOS 17.5.1 (58 %), macOS 14.5 (25 %), 3 others (17 %)`.
  private func words(_ ranking: GroupBreakdown.Ranking) -> String {
    guard ranking.top.contains(where: { !$0.name.isEmpty }) else { return "" }
    var words = ranking.top.map { share in
      let name = share.name.isEmpty ? "not named" : share.name.printable
      return "\(name) (\(Percent.text(share.reports, of: group.reports)))"
    }
    if ranking.others > 0 {
      let share = Percent.text(ranking.reportsOfOthers, of: group.reports)
      words.append("\(GroupText.count(ranking.others, "other", "others")) (\(share))")
    }
    return words.joined(separator: ", ")
  }

  private func versionTable() -> String {
    guard breakdown.versions.contains(where: { !$0.name.isEmpty }) else { return "" }
    var table = "\n| version | reports | seen |\n|---|--:|---|\n"
    let shown = isFull ? breakdown.versions.count : Self.mostVersions
    for version in breakdown.versions.reversed().prefix(shown) {
      table += Markdown.row([
        version.name.isEmpty ? "no version" : Markdown.cell(version.name),
        String(version.reports), GroupText.days(version.firstDay, version.lastDay),
      ])
    }
    let older = breakdown.versions.count - shown
    if older > 0 {
      let reports = breakdown.versions.prefix(older).reduce(0) { $0 + $1.reports }
      table += Markdown.row(["\(older) older", String(reports), ""])
    }
    return table
  }
}
