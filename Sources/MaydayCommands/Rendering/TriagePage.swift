import CrashModel

/// The result of a triage as one page: nothing is loaded, nothing runs, so it can be mailed.
struct TriagePage {
  /// What was looked at, as the user named it.
  let sources: [String]
  /// What made the page.
  let engine: String

  /// Reports of one group beyond these are only counted; the page must stay small enough to mail.
  private static let mostReports = 25

  func markup(_ triage: TriageSummary) -> String {
    let title =
      "\(GroupText.count(triage.reports, "crash report", "crash reports")) in "
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
      <p class="quiet">\(period(of: triage))from \(sources.joined(separator: ", "))</p>
      \(tiles(triage))
      \(groups(triage))
      \(unexplained(triage.unexplained))
      \(refusals("Files that are no reports", triage.refusals))
      \(refusals("Debug files that could not be used", triage.refusedSymbols))
      <p class="quiet">Made by \(engine).</p>
      </main>
      </body>
      </html>

      """
    return page.markup
  }

  private func period(of triage: TriageSummary) -> String {
    let first = triage.groups.compactMap(\.summary.firstSeen).min()
    let last = triage.groups.compactMap(\.summary.lastSeen).max()
    let days = GroupText.days(first, last)
    return days.isEmpty ? "" : days + ", "
  }

  private func tiles(_ triage: TriageSummary) -> HTML {
    let tiles = [
      (triage.reports, "reports"), (triage.groups.count, "groups"),
      (triage.files, "files looked at"), (triage.refusals.count, "not reports"),
      (triage.unexplained.count, "images without symbols"),
    ]
    return "<ul class=\"tiles\">\(tiles.map { "<li><b>\($0.0)</b>\($0.1)</li>" as HTML })</ul>"
  }

  private func groups(_ triage: TriageSummary) -> HTML {
    guard !triage.groups.isEmpty else { return "<p>No crash report was found.</p>" }
    let groups = triage.groups.enumerated().map { index, group in
      self.group(group, of: triage.reports, isOpen: index == 0)
    }
    return "<h2>Groups</h2>\n\(groups)"
  }

  private func group(_ group: TriageSummary.Group, of total: Int, isOpen: Bool) -> HTML {
    let summary = group.summary
    let share = total > 0 ? max(1, summary.reports * 100 / total) : 0
    let days = GroupText.days(summary.firstSeen, summary.lastSeen)
    let reason: HTML = summary.reason.map { "<div class=\"reason\">\($0)</div>" } ?? .none
    let place: HTML = group.place.map { "<div class=\"where mono\">\($0)</div>" } ?? .none
    let provisional: HTML =
      summary.signature.isProvisional ? " <span class=\"tag\">symbols missing</span>" : .none
    return """
      <details class="group" id="\(summary.id)"\(isOpen ? " open" : .none as HTML)>
      <summary><div class="count">\(summary.reports)</div><div>
      <div class="signature mono">\(summary.signature.text)\(provisional)</div>
      \(reason)\(place)
      <div class="quiet">\(summary.id) \(days.isEmpty ? "" : "· " + days)</div>
      </div><div class="share"><i style="width:\(share)%"></i></div></summary>
      <div class="body">
      \(versions(summary.versions))
      \(group.exemplar.map { stacks(of: $0.report) } ?? .none)
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

  private func reports(of group: TriageSummary.Group) -> HTML {
    let shown = group.reports.prefix(Self.mostReports)
    let left = group.summary.reports - shown.count
    let rest: HTML =
      left > 0
      ? "<p class=\"quiet\">and \(GroupText.count(left, "more report", "more reports"))</p>" : .none
    return """
      <section class="reports"><h3>Reports</h3>
      \(shown.map(self.report))\(rest)</section>
      """
  }

  private func report(_ entry: TriageSummary.Report) -> HTML {
    let report = entry.report
    let facts = ReportFacts(of: report, id: entry.id).rows.map { row -> HTML in
      "<dt>\(row.label)</dt><dd>\(row.value)</dd>"
    }
    let heading = [
      report.time.map(ReportFacts.time), ReportFacts.version(of: report.app), report.device.model,
    ].compactMap { $0 }.joined(separator: " · ")
    let notes = report.notes.map { "<li>\($0)</li>" as HTML }
    let noted: HTML = notes.isEmpty ? .none : "<h3>Notes</h3><ul>\(notes)</ul>"
    return """
      <details class="report"><summary>\(heading.isEmpty ? entry.id : heading) \
      <span class="quiet mono">\(entry.file)</span></summary>
      <p class="reason">\(report.headline)</p>
      <dl>\(facts)</dl>
      \(stacks(of: report))
      \(images(of: report))\(noted)
      </details>

      """
  }

  private func stacks(of report: CrashReport) -> HTML {
    var parts = report.reason.details.map { text -> HTML in
      let lines = text.printableLines.prefix(40).map { "\($0)\n" as HTML }
      return "<div class=\"message mono\">\(lines)</div>"
    }
    func add(_ title: String, _ frames: [Frame]) {
      let stack = StackPart(report: report).list(frames)
      parts.append("<h3>\(title)</h3>\n\(stack)")
    }
    if let exception = report.reason.exception {
      if !exception.frames.isEmpty { add("Thrown at", exception.frames) }
      for cause in exception.inner.prefix(10) {
        add(
          "Caused by " + [cause.type, cause.message].compactMap { $0 }.joined(separator: ": "),
          cause.frames)
      }
    }
    if let index = report.crashedThread, report.threads.indices.contains(index) {
      let thread = report.threads[index]
      let name = thread.name.map { " “\($0)”" } ?? ""
      add("Thread \(thread.index)\(name) crashed", thread.frames)
    }
    for stack in report.otherStacks.prefix(10) { add(stack.title, stack.frames) }
    return HTML(parts)
  }

  private func images(of report: CrashReport) -> HTML {
    let used = ImageSummary(of: report).used
    guard !used.isEmpty else { return .none }
    let rows = used.map { entry -> HTML in
      let verdict = entry.image.symbols?.verdict.rawValue ?? ""
      return """
        <tr><td>\(entry.image.name)</td><td class="number">\(entry.frames)</td>\
        <td class="\(verdict)">\(verdict)</td>\
        <td class="mono">\(entry.image.debugID?.description ?? "")</td></tr>
        """
    }
    return """
      <h3>Images with frames</h3>
      <table><tr><th>Image</th><th class="number">Frames</th><th>Symbols</th><th>Debug id</th></tr>\
      \(rows)</table>
      """
  }

  private func unexplained(_ images: [TriageSummary.Unexplained]) -> HTML {
    guard !images.isEmpty else { return .none }
    let rows = images.map { entry -> HTML in
      let id = entry.image.debugID?.description ?? entry.image.codeID?.description
      let verdict = entry.image.symbols?.verdict.rawValue ?? "missing"
      return """
        <tr><td>\(entry.image.name)</td><td>\(entry.image.architecture?.description ?? "")</td>\
        <td class="number">\(entry.reports)</td><td class="\(verdict)">\(verdict)</td>\
        <td class="mono">\(id ?? "none in the report")</td></tr>
        """
    }
    return """
      <h2>Symbols missing</h2>
      <table><tr><th>Image</th><th>Architecture</th><th class="number">Reports</th><th>Symbols</th>\
      <th>Debug id</th></tr>\(rows)</table>
      """
  }

  private func refusals(_ title: String, _ refusals: [TriageSummary.Refusal]) -> HTML {
    guard !refusals.isEmpty else { return .none }
    let rows = refusals.map { refusal -> HTML in
      "<tr><td class=\"mono\">\(refusal.file)</td><td>\(refusal.reason)</td></tr>"
    }
    return """
      <h2>\(title)</h2>
      <table><tr><th>File</th><th>Reason</th></tr>\(rows)</table>
      """
  }
}
