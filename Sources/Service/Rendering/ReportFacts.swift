internal import Bytes
package import CrashModel
internal import CrashService
package import Identifiers
internal import Pipeline

/// The facts of a report besides its stacks, as labelled lines of printable text.
package struct ReportFacts {
  /// Labels and values of known facts, in display order.
  package let rows: [(label: String, value: String)]

  /// - Parameters:
  ///   - id: The id to show.
  ///   - group: The group it is in.
  ///   - hasTags: Whether to show further, format-specific facts.
  package init(of report: CrashReport, id: String?, group: String? = nil, hasTags: Bool = true) {
    var rows: [(String, String)] = []
    func add(_ label: String, _ value: String?) {
      guard let value, !value.isEmpty else { return }
      rows.append((label, value.printable))
    }
    add("Report", id)
    add("Group", group)
    if let signature = report.signature {
      add("Signature", signature.text + (signature.isProvisional ? " (provisional)" : ""))
    }
    add("App", Self.app(report.app))
    add("System", Self.system(report))
    add("Process", Self.process(report.process))
    add("Time", report.time.map(Self.time))
    add("User", report.user)
    add("Install", report.install)
    add("Incident", report.incident)
    add("Format", report.format.description)
    for attachment in report.attachments { add("Attachment", attachment.line) }
    let crumbs = report.breadcrumbs.suffix(Self.crumbs)
    let earlier = report.breadcrumbs.count - crumbs.count
    if earlier > 0 { add("Before", "\(earlier) earlier events") }
    for crumb in crumbs { add("Before", Self.line(crumb)) }
    add("Symbols", ImageSummary(of: report).sentence)
    if hasTags {
      for (key, value) in report.tags.sorted(by: { $0.key < $1.key }) {
        add(key.description, value)
      }
      for (key, value) in report.properties.sorted(by: { $0.key < $1.key }) {
        add("property." + key, value)
      }
    }
    self.rows = rows
  }

  /// The number of latest breadcrumbs shown.
  private static let crumbs = 20

  /// `2026-03-02 10:11:12 UTC  opened cart, items=3`
  private static func line(_ crumb: Breadcrumb) -> String {
    let properties = crumb.properties.sorted { $0.key < $1.key }.map { ", \($0.key)=\($0.value)" }
    return time(crumb.time) + "  " + crumb.name + properties.joined()
  }

  /// `Tern 1.4.0 (512), org.example.tern`
  package static func app(_ app: AppIdentity) -> String? {
    var text = app.name ?? ""
    if let version = version(of: app) { text += (text.isEmpty ? "" : " ") + version }
    if let identifier = app.identifier, identifier != app.name {
      text += (text.isEmpty ? "" : ", ") + identifier
    }
    return text
  }

  /// `1.4.0 (512)`
  package static func version(of app: AppIdentity) -> String? {
    let text = app.versionText
    return text.isEmpty ? nil : text
  }

  /// `2026-03-02 10:11:12 UTC`
  package static func time(_ time: Timestamp) -> String {
    let text = Timestamp(seconds: time.seconds).description
    return text.prefix(10) + " " + text.dropFirst(11).prefix(8) + " UTC"
  }

  private static func system(_ report: CrashReport) -> String? {
    var parts = [[report.os.name, report.os.version].compactMap { $0 }.joined(separator: " ")]
    if let build = report.os.build { parts[0] += (parts[0].isEmpty ? "" : " ") + "(\(build))" }
    if let model = report.device.model { parts.append(model) }
    if let architecture = report.device.architecture { parts.append(architecture.description) }
    return parts.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private static func process(_ process: ProcessDetails) -> String? {
    var text = process.name ?? process.path ?? ""
    if let pid = process.pid { text += " [\(pid)]" }
    if let uptime = process.uptime, uptime.isFinite, uptime >= 0, uptime < 1e12 {
      text += ", \(duration(uptime)) after its start"
    }
    return text
  }

  private static func duration(_ seconds: Double) -> String {
    if seconds < 120 { return "\(Double(Int(seconds * 10)) / 10) s" }
    let minutes = Int(seconds / 60)
    if minutes < 120 { return "\(minutes) min" }
    return minutes < 2880 ? "\(minutes / 60) h" : "\(minutes / 1440) days"
  }
}
