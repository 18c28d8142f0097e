internal import Bytes
internal import CrashService
package import Pipeline
internal import TriageModel

/// A triage for GitHub Actions: annotations as workflow commands, and a summary in Markdown.
///
/// Source: "Workflow commands for GitHub Actions"; `packages/core/src/command.ts` of actions/toolkit.
package struct GitHubAnnotations {
  /// Rows of the summary beyond these are only counted: GitHub refuses summaries above 1 MiB.
  private static let mostRows = 100

  private let triage: TriageResult
  private let findings: [TriageFinding]

  package init(_ triage: TriageResult, root: SourceRoot) {
    self.triage = triage
    findings = triage.groups.map { TriageFinding($0, root: root) }
  }

  /// One workflow command per line: an error for each group, a notice for a known one, warnings for files
  /// that cannot be read and for missing symbols.
  package var commands: [String] {
    var lines = findings.map { finding in
      Self.command(
        finding.isKnown ? "notice" : "error",
        [
          ("file", finding.file), ("line", finding.line.map(String.init)),
          ("col", finding.column.map(String.init)),
          ("title", "\(finding.heading): \(finding.name)"),
        ], finding.details.joined(separator: "\n"))
    }
    for file in triage.unreadable {
      lines.append(
        Self.command(
          "warning", [("title", "Unreadable crash file")],
          "\(file.source.printable): \(file.reason.printable)"))
    }
    if let names = triage.missingNames {
      lines.append(Self.command("warning", [("title", "Symbols missing")], names))
    }
    return lines
  }

  private static func command(
    _ name: String, _ properties: [(name: String, value: String?)], _ message: String
  ) -> String {
    let given = properties.compactMap { property in
      property.value.map { "\(property.name)=\(escaped($0, "%\r\n:,"))" }
    }
    return "::\(name) \(given.joined(separator: ","))::\(escaped(message, "%\r\n"))"
  }

  private static func escaped(_ text: String, _ signs: String) -> String {
    var escaped = ""
    // A line break of two characters would be one `Character`.
    for scalar in text.unicodeScalars {
      if signs.unicodeScalars.contains(scalar) {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        escaped += "%" + (digits.count < 2 ? "0" : "") + digits
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// The summary of the job.
  package var summary: String {
    var text = "### Crashes\n\n\(Markdown.text(TriageText.closing(triage)))\n"
    let hasBaseline = triage.groups.contains { $0.isNew != nil }
    if hasBaseline {
      let new = triage.newGroups.count
      text += "\n**\(GroupText.count(new, "new group", "new groups"))**\n"
    }
    if !findings.isEmpty {
      text += "\n" + Markdown.row(["Reports", "Group", "Location", "Versions"])
      text += Markdown.row(["---:", "---", "---", "---"])
      for finding in findings.prefix(Self.mostRows) { text += Self.row(of: finding) }
      if findings.count > Self.mostRows { text += "\n… \(findings.count - Self.mostRows) more\n" }
    }
    let unreadable = triage.unreadable
    if !unreadable.isEmpty {
      text += "\nUnreadable crash files:\n\n"
      for file in unreadable.prefix(20) {
        text += "- \(Markdown.code(file.source)): \(Markdown.text(file.reason))\n"
      }
      if unreadable.count > 20 { text += "- … \(unreadable.count - 20) more\n" }
    }
    if let names = triage.missingNames { text += "\nSymbols missing: \(Markdown.code(names))\n" }
    return text
  }

  private static func row(of finding: TriageFinding) -> String {
    let mark = finding.group.isNew == true ? "**new** " : ""
    let reason = finding.group.summary.reason.map { "<br>" + Markdown.cell($0.shortened) } ?? ""
    let location = finding.file.map { file in
      Markdown.codeCell(([file] + (finding.line.map { ["\($0)"] } ?? [])).joined(separator: ":"))
    }
    return Markdown.row([
      "\(finding.group.summary.reports)",
      mark + Markdown.codeCell(finding.name.shortened) + reason, location ?? "",
      Markdown.cell(GroupText.versions(finding.group.summary.versions, atMost: 4)),
    ])
  }
}

extension String {
  /// The text, cut after 500 characters.
  fileprivate var shortened: String { count > 500 ? String(prefix(500)) + "…" : self }
}
