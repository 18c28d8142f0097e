internal import CrashModel
internal import CrashService
internal import CrashStore
internal import Identifiers
internal import Rendering
internal import ReportDocument
internal import ServerCore

/// The facts of a report, grouped by subject, without repetition.
struct ReportFactsView {
  let stored: StoredReport
  let now: Timestamp

  private static let mostTags = 200
  /// The maximum number of characters shown of a value.
  private static let longestValue = 1_000
  /// Values of more lines than these are folded.
  private static let mostLines = 4

  private var report: CrashReport { stored.report }
  /// The app that its group belongs to.
  private var name: String? { stored.app ?? report.app.name }

  // MARK: Facts that every report may have

  var groups: HTML {
    let groups = [group("App", app), group("Device and system", system), group("Report", record)]
    return "<div class=\"columns\">\(groups)</div>"
  }

  private typealias Row = (label: String, value: HTML)

  private func group(_ title: String, _ rows: [Row]) -> HTML {
    guard !rows.isEmpty else { return .none }
    let items = rows.map { "<dt>\($0.label)</dt><dd>\($0.value)</dd>" as HTML }
    return "<div><h3>\(title)</h3><dl>\(items)</dl></div>"
  }

  /// A row for a value, with a link to the groups that have it if a query field is given.
  private func row(_ label: String, _ value: String?, field: String? = nil) -> Row? {
    guard let value, !value.isEmpty else { return nil }
    let shown = Self.cut(value)
    guard let link = field.flatMap({ TagLink.to(field: $0, value: value, app: name) }) else {
      return (label, shown)
    }
    return (label, "<a href=\"\(link)\">\(shown)</a>")
  }

  private var app: [Row] {
    let app = report.app
    let process = report.process
    let release: Row? = ReportFacts.version(of: app).map { version in
      guard let name else { return ("Release", "\(version)") }
      let link = "/releases/\(name.inAddress)/\(version.inAddress)"
      return ("Release", "<a href=\"\(link)\">\(version)</a>")
    }
    let number = process.pid.map { " [\($0)]" } ?? ""
    let text = (process.name ?? "") + number
    let user: Row? =
      stored.withheld.contains(ReportProtection.Part.user.rawValue)
      ? ("User", "<span class=\"quiet\">hidden from your role</span>")
      : row("User", report.user, field: "user")
    let install = row("Install", report.install, field: "install")
    let session =
      report.breadcrumbs.isEmpty ? row("Session", report.tags[.session], field: "tag.session") : nil
    return [
      row("App", name, field: "app"), release,
      app.identifier == app.name ? nil : row("Identifier", app.identifier),
      row("Process", text == app.name ? nil : text.trimmedOfBlanks), row("Path", process.path),
      row("Running for", uptime(process.uptime)), user, install, session,
    ].compactMap(\.self)
  }

  private func uptime(_ seconds: Double?) -> String? {
    guard let seconds, seconds.isFinite, seconds >= 0, seconds < 1e9 else { return nil }
    let start = Timestamp(seconds: 0)
    let end = Timestamp(
      seconds: Int64(seconds), nanoseconds: Int32((seconds - seconds.rounded(.down)) * 999_999_999))
    return ReportTimeline.length(from: start, to: end)
  }

  private var system: [Row] {
    let os = report.os
    let name = [os.name, os.version].compactMap(\.self).joined(separator: " ")
    return [
      row("System", name, field: "os"), row("Build", os.build, field: "os.build"),
      row("Device", report.device.model, field: "device"),
      row("Architecture", report.device.architecture?.description, field: "arch"),
    ].compactMap(\.self)
  }

  private var record: [Row] {
    let time: Row? = report.time.map { ("Crashed", "\(ReportFacts.time($0))") }
    let received: Row? = stored.received.map { ("Received", "\(ReportFacts.time($0))") }
    return [
      ("Id", "<span class=\"mono\">\(stored.id)</span>"), time, received,
      row("Incident", report.incident), row("Format", report.format.description, field: "format"),
      report.kind == .crash ? nil : row("Kind", report.kind.rawValue, field: "kind"),
      row("Symbols", ImageSummary(of: report).sentence),
      row("Made by", report.engine.map { "mayday \($0.version)" }),
    ].compactMap(\.self)
  }

  // MARK: What formats and apps add

  /// Tags that are shown elsewhere on the page.
  private static let elsewhere: Set<ReportTag> = [.comment, .session]

  var tags: HTML {
    let tags = report.tags.filter { !Self.elsewhere.contains($0.key) }
    return table(tags.map { ($0.key.description, $0.value) }, field: "tag.")
  }

  var properties: HTML {
    table(report.properties.map { ($0.key, $0.value) }, field: "property.")
  }

  private func table(_ values: [(String, String)], field: String) -> HTML {
    guard !values.isEmpty else { return .none }
    let sorted = values.sorted { $0.0 < $1.0 }
    let rows = sorted.prefix(Self.mostTags).map { name, value -> HTML in
      let shown = Self.value(value)
      let link = TagLink.to(field: field + name, value: value, app: self.name)
      return """
        <tr><th scope="row">\(HTML.name(String(name.prefix(Self.longestValue / 4)), from: 10))</th>\
        <td>\(link.map { "<a href=\"\($0)\" title=\"Groups with this value\">\(shown)</a>" } ?? shown)</td></tr>

        """
    }
    let left = sorted.count - rows.count
    let rest: HTML =
      left > 0
      ? """
      <p class="quiet">and \(left) more, all of them in the \
      <a href="/reports/\(stored.id.inAddress).json">JSON</a></p>
      """ : .none
    return "<table class=\"values\">\(rows)</table>\(rest)"
  }

  private static func cut(_ value: String) -> HTML {
    let shown = value.prefix(longestValue)
    return "\(HTML.name(String(shown)))\(shown.endIndex == value.endIndex ? "" : "…")"
  }

  /// A value, with its line breaks.
  private static func value(_ value: String) -> HTML {
    guard value.contains(where: \.isNewline) else { return cut(value) }
    let shown = value.prefix(longestValue * 4)
    let text = HTML.lines(String(shown)).shown
    let rest = shown.endIndex == value.endIndex ? "" : "…"
    let lines: HTML = "<div class=\"message mono\">\(text)\(rest)</div>"
    let count = shown.count(where: \.isNewline) + 1
    return count > mostLines
      ? "<details><summary>\(count) lines</summary>\(lines)</details>" : lines
  }
}

extension String {
  fileprivate var trimmedOfBlanks: String {
    var text = self[...]
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
