internal import CrashModel
internal import CrashService
internal import Glibc
package import Identifiers
package import Pipeline
internal import TriageModel

/// The result of a triage as one page: nothing is loaded, nothing runs, so it can be mailed.
package struct TriagePage {
  /// The input, as the user named it.
  package let sources: [String]
  /// The program that made the page.
  package let engine: String
  /// When it was made.
  package let time: Timestamp
  /// Debug files that could not be used.
  package var refusedSymbols: [RefusedFile] = []

  /// When a page is made: now, or the seconds since 1970 in `$SOURCE_DATE_EPOCH`, so that the same reports give
  /// the same bytes (reproducible-builds.org/docs/source-date-epoch).
  package static var now: Timestamp {
    let text = getenv("SOURCE_DATE_EPOCH").map { String(cString: $0) }
    return text.flatMap { Int64($0) }.map { Timestamp(seconds: $0) } ?? .now
  }

  /// Anything beyond these is only counted; the page must stay small enough to mail.
  private static let mostReports = 100
  private static let mostSources = 10
  private static let mostGroups = 500
  /// With more groups than these, none is open at first, because the table comes before them.
  private static let mostOpenGroups = 3
  /// With more refused files than these, only their kinds and counts show at first.
  private static let mostOpenRefusals = 10

  package func markup(_ triage: TriageResult) -> String {
    let title =
      "\(GroupText.count(triage.reports, "report", "reports")) in "
      + GroupText.count(triage.groups.count, "group", "groups")
    let page: HTML = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="referrer" content="no-referrer">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <title>\(title)</title>
      <style>\(HTML(stringLiteral: PageStyle.css))</style>
      </head>
      <body>
      <main>
      <h1>\(title)</h1>
      <p class="quiet">\(period(of: triage))\(origin)</p>
      \(tiles(triage))
      \(overview(triage))
      \(groups(triage))
      \(missing(triage.missing))
      \(refusals("Files that are not reports", triage.refused))
      \(refusals("Debug files that could not be used", refusedSymbols))
      <p class="quiet made">Made by \(engine) at \(ReportFacts.time(time)).</p>
      </main>
      </body>
      </html>

      """
    return page.markup
  }

  private func period(of triage: TriageResult) -> String {
    let first = triage.groups.compactMap(\.summary.firstSeen).min()
    let last = triage.groups.compactMap(\.summary.lastSeen).max()
    let days = GroupText.days(first, last)
    return days.isEmpty ? "" : days + ", "
  }

  /// `from crashes/, more/`
  private var origin: String {
    guard !sources.isEmpty else { return "from a list of files" }
    let named = sources.prefix(Self.mostSources).joined(separator: ", ")
    let left = sources.count - Self.mostSources
    return "from \(named)" + (left > 0 ? " and \(left) more" : "")
  }

  private func tiles(_ triage: TriageResult) -> HTML {
    let tiles = [
      (triage.reports, "reports"), (triage.groups.count, "groups"),
      (triage.files.total, "files looked at"), (triage.refused.count, "not reports"),
      (triage.missing.filter(\.isOwn).count, "images without symbols"),
    ]
    return "<ul class=\"tiles\">\(tiles.map { "<li><b>\($0.0)</b>\($0.1)</li>" as HTML })</ul>"
  }

  /// All groups at a glance, each a link to its card.
  private func overview(_ triage: TriageResult) -> HTML {
    guard !triage.groups.isEmpty else { return "<p>No report was found.</p>" }
    let rows = triage.groups.prefix(Self.mostGroups).map { group -> HTML in
      let summary = group.summary
      let location: HTML = group.location.map { "<div class=\"where mono\">\($0)</div>" } ?? .none
      let reason: HTML = summary.reason.map { "<div class=\"quiet\">\($0)</div>" } ?? .none
      return """
        <tr><td class="number"><b>\(summary.reports)</b>\(bar(summary.reports, of: triage.reports))</td>\
        <td><a class="signature mono" href="#\(summary.id)">\(summary.signature.text)</a>\
        \(provisional(summary))\(location)\(reason)</td>\
        <td class="side">\(versions(in: summary))</td>\
        <td class="side">\(GroupText.days(summary.lastSeen, summary.lastSeen))</td></tr>

        """
    }
    let left = triage.groups.count - rows.count
    let rest: HTML =
      left > 0
      ? "<p class=\"quiet\">and \(GroupText.count(left, "smaller group", "smaller groups"))</p>"
      : .none
    return """
      <h2>Groups</h2>
      <p class="quiet">Each bar shows the group's share of all \
      \(GroupText.count(triage.reports, "report", "reports")).</p>
      <table class="overview"><tr><th class="number">Reports</th><th>Group</th>\
      <th class="side">Versions</th><th class="side">Last seen</th></tr>
      \(rows)</table>
      \(rest)
      """
  }

  private func bar(_ reports: Int, of total: Int) -> HTML {
    let share = total > 0 ? max(1, reports * 100 / total) : 0
    return "<div class=\"share\"><i style=\"width:\(share)%\"></i></div>"
  }

  private func provisional(_ summary: GroupSummary) -> HTML {
    summary.signature.isProvisional ? " <span class=\"tag\">symbols missing</span>" : .none
  }

  /// The first and the last version: since when it crashes, and whether it still does.
  private func versions(in summary: GroupSummary) -> String {
    let names = summary.versions.map(\.version).filter { !$0.isEmpty }
    guard let first = names.first, let last = names.last else { return "" }
    return first == last ? first : "\(first) to \(last)"
  }

  private func groups(_ triage: TriageResult) -> HTML {
    guard !triage.groups.isEmpty else { return .none }
    let groups = triage.groups.prefix(Self.mostGroups).enumerated().map { index, group in
      self.group(
        group, of: triage.reports,
        isOpen: index == 0 && triage.groups.count <= Self.mostOpenGroups)
    }
    return "<h2>Details</h2>\n\(groups)"
  }

  private func group(_ group: TriageGroup, of total: Int, isOpen: Bool) -> HTML {
    let summary = group.summary
    let days = GroupText.days(summary.firstSeen, summary.lastSeen)
    let reason: HTML = summary.reason.map { "<div class=\"reason\">\($0)</div>" } ?? .none
    let location: HTML = group.location.map { "<div class=\"where mono\">\($0)</div>" } ?? .none
    return """
      <details class="group"\(isOpen ? " open" : .none as HTML)>
      <summary><div class="count">\(summary.reports)</div><div>
      <div class="signature mono">\(summary.signature.text)\(provisional(summary))</div>
      \(reason)\(location)
      <div class="quiet">\(summary.id) \(days.isEmpty ? "" : "· " + days)</div>
      </div>\(bar(summary.reports, of: total))</summary>
      <div class="body" id="\(summary.id)">
      \(versions(summary.versions))
      \(ReportFragment(report: group.exemplar).stacks())
      \(exemplar(of: group))
      \(reports(of: group))
      </div>
      </details>

      """
  }

  private func versions(_ counts: [VersionCount]) -> HTML {
    guard !counts.isEmpty else { return .none }
    let rows = counts.reversed().map { count -> HTML in
      let name = count.version.isEmpty ? "no version" : count.version
      return "<tr><td>\(name)</td><td class=\"number\">\(count.reports)</td></tr>"
    }
    return """
      <h3>Versions</h3>
      <table style="max-width:20rem"><tr><th>Version</th><th class="number">Reports</th></tr>\
      \(rows)</table>
      """
  }

  /// Further facts about the group's exemplar.
  private func exemplar(of group: TriageGroup) -> HTML {
    let part = ReportFragment(report: group.exemplar)
    return """
      <details class="report"><summary>About this report</summary>
      \(part.facts(id: group.summary.exemplar))
      \(part.images())\(part.notes())
      </details>
      \(part.otherThreads())
      """
  }

  private func reports(of group: TriageGroup) -> HTML {
    let shown = Array(group.reports.prefix(Self.mostReports))
    let left = group.summary.reports - shown.count
    let rest: HTML =
      left > 0
      ? "<p class=\"quiet\">and \(GroupText.count(left, "more report", "more reports"))</p>" : .none
    let rows = shown.map { report -> HTML in
      let os = [report.os.name, report.os.version].compactMap { $0 }.joined(separator: " ")
      return """
        <tr><td>\(report.time.map(ReportFacts.time) ?? "")</td><td>\(report.version)</td>\
        <td>\(os)</td><td class="mono">\(report.source)</td></tr>
        """
    }
    return """
      <details class="report reports"><summary>\
      \(GroupText.count(group.summary.reports, "report", "reports"))</summary>
      <table><tr><th>Time</th><th>Version</th><th>System</th><th>File</th></tr>\(rows)</table>
      \(rest)</details>
      """
  }

  private func missing(_ images: [MissingSymbols]) -> HTML {
    guard !images.isEmpty else { return .none }
    let rows = images.map { entry -> HTML in
      let id = entry.debugID?.description ?? entry.codeID?.description
      return """
        <tr\(entry.isOwn ? .none : " class=\"quiet\"" as HTML)><td>\(entry.name)</td><td>\(entry.architecture?.description ?? "")</td>\
        <td class="number">\(entry.reports)</td>\
        <td class="mono">\(id ?? "none in the reports")</td></tr>
        """
    }
    return """
      <h2>Symbols missing</h2>
      <table><tr><th>Image</th><th>Architecture</th><th class="number">Reports</th>\
      <th>Debug id</th></tr>\(rows)</table>
      """
  }

  /// Unreadable files come first; files of other kinds are folded.
  private func refusals(_ title: String, _ refusals: [RefusedFile]) -> HTML {
    guard !refusals.isEmpty else { return .none }
    let kinds: [(RefusedFile.Kind, one: String, many: String)] = [
      (.unreadable, "unreadable file", "unreadable files"),
      (.debugFile, "program or debug file", "programs and debug files"),
      (.foreign, "file of another kind", "files of other kinds"),
    ]
    let parts = kinds.map { kind, one, many -> HTML in
      let refused = refusals.filter { $0.kind == kind }
      guard !refused.isEmpty else { return .none }
      let rows = refused.map { refusal -> HTML in
        "<tr><td class=\"mono\">\(refusal.source)</td><td>\(refusal.reason)</td></tr>"
      }
      let isOpen = kind == .unreadable && refused.count <= Self.mostOpenRefusals
      return """
        <details class="report"\(isOpen ? " open" : .none as HTML)>\
        <summary>\(GroupText.count(refused.count, one, many))</summary>
        <table><tr><th>File</th><th>Reason</th></tr>\(rows)</table></details>

        """
    }
    return "<h2>\(title)</h2>\n\(parts)"
  }

  package init(
    sources: [String], engine: String, time: Timestamp, refusedSymbols: [RefusedFile] = []
  ) {
    self.sources = sources
    self.engine = engine
    self.time = time
    self.refusedSymbols = refusedSymbols
  }
}
