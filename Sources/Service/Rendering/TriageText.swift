internal import Bytes
internal import CrashModel
internal import CrashService
internal import Identifiers
package import Pipeline
internal import TriageModel

/// The result of a triage for a terminal: the groups, then files that are not reports, then missing symbols.
package struct TriageText {
  package var width = 80
  package var styles = Styles.plain

  package init(width: Int = 80, styles: Styles = .plain) {
    self.width = width
    self.styles = styles
  }

  /// Files without a report beyond these are only counted.
  private static let mostRows = 20
  /// Images without symbols beyond these are only counted.
  private static let mostImages = 10

  /// - Parameter refusedSymbols: Debug files that could not be used.
  package func lines(_ triage: TriageResult, refusedSymbols: [RefusedFile] = []) -> [String] {
    var lines: [String] = []
    for group in triage.groups { lines += (lines.isEmpty ? [] : [""]) + card(group, in: triage) }
    lines += refusals("Not reports:", triage.refused, after: lines)
    lines += refusals("Debug files that could not be used:", refusedSymbols, after: lines)
    lines += symbolsMissing(triage.missing, after: lines)
    return lines
  }

  /// The last line, in one sentence.
  package static func closing(_ triage: TriageResult) -> String {
    let count = GroupText.count
    var text =
      "\(count(triage.reports, "report", "reports")) in "
      + "\(count(triage.groups.count, "group", "groups")), "
      + triage.files.text(reports: triage.reports)
    if triage.groups.contains(where: { $0.isNew != nil }) {
      text += "; \(count(triage.newGroups.count, "new group", "new groups"))"
    }
    return text + symbolsMissing(triage.missing)
  }

  /// `; symbols missing for 7 images`; empty if none are.
  package static func symbolsMissing(_ images: [MissingSymbols]) -> String {
    let missing = images.count(where: \.isOwn)
    return missing == 0
      ? "" : "; symbols missing for \(GroupText.count(missing, "image", "images"))"
  }

  private func card(_ group: TriageGroup, in triage: TriageResult) -> [String] {
    let summary = group.summary
    let digits = max(3, String(triage.groups.map(\.summary.reports).max() ?? 0).count)
    let idWidth = min(16, triage.groups.map(\.summary.id.printable.columns).max() ?? 0)
    let indent = digits + 2 + idWidth + 2
    let margin = String(repeating: " ", count: indent)
    let room = width - indent
    var lines = summary.signature.text.printable.lines(of: room, atMost: 3).map(styles.strong)
    if lines.isEmpty { lines = [styles.dim("no signature")] }
    lines += (summary.reason?.printable.lines(of: room, atMost: 2) ?? []).map(styles.warning)
    if let location = group.location {
      lines.append(styles.location(location.truncatedAtStart(to: room)))
    }
    let versions = GroupText.versions(summary.versions, atMost: 4)
    let days = GroupText.days(summary.firstSeen, summary.lastSeen)
    let news = group.isNew == true ? "new" : ""
    let when = [news, versions, days].filter { !$0.isEmpty }.joined(separator: "; ")
    lines += when.lines(of: room, atMost: 2).map(styles.dim)
    let head =
      styles.strong(String(summary.reports).padded(to: digits, right: true)) + "  "
      + summary.id.printable.truncated(to: idWidth).padded(to: idWidth) + "  "
    return lines.enumerated().map { ($0 == 0 ? head : margin) + $1 }
  }

  package func refusals(
    _ title: String, _ refusals: [RefusedFile], after lines: [String]
  ) -> [String] {
    guard !refusals.isEmpty else { return [] }
    let rows = refusals.prefix(Self.mostRows).flatMap { refusal -> [String] in
      let file = refusal.source.printable
      let reason = refusal.reason.printable
      if 2 + file.columns + 2 + reason.columns <= width {
        return ["  \(file)  \(styles.dim(reason))"]
      }
      return ["  " + file.truncatedAtStart(to: width - 2)]
        + reason.lines(of: width - 6, atMost: 3).map { "      " + styles.dim($0) }
    }
    return section(title, rows, left: refusals.count - Self.mostRows, after: lines)
  }

  package func symbolsMissing(
    _ images: [MissingSymbols], after lines: [String]
  ) -> [String] {
    // The debug files of most systems are unavailable: they are counted, not listed.
    let own = images.filter(\.isOwn)
    let others = images.count - own.count
    let rest = "  … \(GroupText.count(others, "image", "images")) of the system"
    guard !own.isEmpty else { return [] }
    var table = TextTable([
      .text("IMAGE", .atEnd), .text("ARCH"), .number("REPORTS"), .text("DEBUG ID"),
    ])
    for entry in own.prefix(Self.mostImages) {
      table.add([
        entry.name.printable, entry.architecture?.description.printable ?? "",
        String(entry.reports),
        entry.debugID?.description ?? entry.codeID?.description ?? "none in the reports",
      ])
    }
    let rows = table.lines(width: width, styles: styles, indent: 2)
    return section("Symbols missing:", rows, left: own.count - Self.mostImages, after: lines)
      + (others > 0 ? [styles.dim(rest)] : [])
  }

  private func section(
    _ title: String, _ rows: [String], left: Int, after lines: [String]
  ) -> [String] {
    (lines.isEmpty ? [] : [""]) + [styles.strong(title)] + rows
      + (left > 0 ? [styles.dim("  … \(left) more")] : [])
  }
}
