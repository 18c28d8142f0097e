internal import CrashModel
internal import Identifiers
internal import Rendering

/// The events before the crash, each with its time before it.
struct ReportTimeline {
  let report: CrashReport
  /// The report's address.
  let address: String
  let app: String?

  private static let mostCrumbs = 200
  private static let mostProperties = 12
  /// The maximum number of characters shown of a value.
  private static let longestValue = 200

  /// - Parameter app: The app that its group belongs to.
  init(_ report: CrashReport, _ address: String, app: String? = nil) {
    self.report = report
    self.address = address
    self.app = app
  }

  /// The list; empty if there are no events.
  var list: HTML {
    let shown = report.breadcrumbs.suffix(Self.mostCrumbs)
    guard let last = shown.last else { return .none }
    let end = report.time ?? last.time
    let left = report.breadcrumbs.count - shown.count
    let earlier: HTML =
      left > 0
      ? """
      <p class="quiet">and \(GroupText.count(left, "earlier event", "earlier events")), all of them in the \
      <a href="\(address).json">JSON</a></p>
      """ : .none
    let rows = shown.map { row($0, end) }
    return """
      \(session)\(earlier)
      <table class="timeline"><thead><tr><th class="number">Before</th><th>Event</th><th>Values</th></tr></thead>
      <tbody>\(Array(rows))\(final(end))</tbody></table>
      """
  }

  private func row(_ crumb: Breadcrumb, _ end: Timestamp) -> HTML {
    let values = crumb.properties.sorted { $0.key < $1.key }
    let shown = values.prefix(Self.mostProperties).map { key, value -> HTML in
      """
      <span class="value"><span class="quiet">\(String(key.prefix(Self.longestValue)))</span> \
      \(String(value.prefix(Self.longestValue)))</span>
      """
    }
    let left: HTML =
      values.count > shown.count
      ? "<span class=\"quiet\">… \(values.count - shown.count) more</span>" : .none
    return """
      <tr><td class="number">\(Self.time(crumb.time, before: end))</td>\
      <td>\(HTML.name(String(crumb.name.prefix(HTML.longestText / 4))))</td><td>\(shown)\(left)</td></tr>

      """
  }

  private func final(_ end: Timestamp) -> HTML {
    guard report.time != nil else { return .none }
    return """
      <tr class="here"><td class="number">\(Self.time(end, before: end))</td>\
      <td><a href="#stack">\(report.headline)</a></td><td></td></tr>
      """
  }

  private var session: HTML {
    guard let session = report.tags[.session], !session.isEmpty else { return .none }
    let link = TagLink.to(field: "tag.session", value: session, app: app)
    let name: HTML = "<span class=\"mono\">\(String(session.prefix(Self.longestValue)))</span>"
    return "<p class=\"quiet\">Session \(link.map { "<a href=\"\($0)\">\(name)</a>" } ?? name)</p>"
  }

  /// `12.3 s`, with the time in UTC on hover.
  private static func time(_ time: Timestamp, before end: Timestamp) -> HTML {
    """
    <time datetime="\(time.description)" title="\(ReportFacts.time(time))">\(length(from: time, to: end))</time>
    """
  }

  /// `12.3 s`, `4 min 10 s`, `2 h 5 min`, `3 d`; with a plus if it is after the crash, because clocks differ.
  static func length(from start: Timestamp, to end: Timestamp) -> String {
    let (whole, overflow) = end.seconds.subtractingReportingOverflow(start.seconds)
    guard !overflow, whole.magnitude < 1 << 40 else { return "long" }
    let tenths = whole * 10 + Int64(end.nanoseconds - start.nanoseconds) / 100_000_000
    let sign = tenths < 0 ? "+" : ""
    let size = tenths.magnitude
    switch size {
    case ..<1200: return "\(sign)\(size / 10).\(size % 10) s"
    case ..<72_000: return "\(sign)\(size / 600) min \(size / 10 % 60) s"
    case ..<1_728_000: return "\(sign)\(size / 36_000) h \(size / 600 % 60) min"
    default: return "\(sign)\(size / 864_000) d"
    }
  }
}
