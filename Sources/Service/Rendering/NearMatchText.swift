internal import Bytes
internal import CrashService
package import CrashStore

/// The message for an id that matches nothing, or more than one report: similar ids.
package enum NearMatchText {
  /// The maximum number of apps listed; more are counted.
  private static let mostApps = 4

  /// - Parameters:
  ///   - id: The id as given.
  ///   - namesCommands: Whether to name a command that shows more.
  package static func notFound(
    _ id: String, _ near: NearMatches, namesCommands: Bool = true
  ) -> String {
    let id = id.printable
    let isGroup = id.contains("-")
    var lines = [
      isGroup ? "there is no group named '\(id)'" : "there is no group or report named '\(id)'"
    ]
    if near.apps.isEmpty {
      return lines[0] + "\nNothing is stored yet" + (namesCommands ? ": mayday ingest PATH" : ".")
    }
    if !isGroup, id.count < CrashStore.Reports.fewestDigits, id.allSatisfy(\.isHexDigit) {
      lines[0] +=
        "; the id of a report needs \(CrashStore.Reports.fewestDigits) digits or more"
    }
    let width = near.groups.map(\.id.printable.columns).max() ?? 0
    var likely = near.groups.map { "\($0.id.printable.padded(to: width))  \($0.title.printable)" }
    if !isGroup { likely += Self.lines(for: near.reports) }
    if likely.isEmpty {
      lines += apps(near)
    } else {
      lines.append(likely.count == 1 ? "Did you mean this one?" : "Did you mean one of these?")
      lines += likely.map { "  " + $0.truncated(to: 76) }
    }
    if namesCommands { lines.append("All there are: mayday groups, mayday reports") }
    return lines.joined(separator: "\n")
  }

  /// - Parameter reports: Some of the reports whose ids begin with it.
  package static func ambiguous(_ id: String, _ reports: [ReportSummary]) -> String {
    var lines = ["more than one report begins with '\(id.printable)':"]
    lines += Self.lines(for: reports).map { "  " + $0.truncated(to: 76) }
    lines.append("A longer beginning names one of them.")
    return lines.joined(separator: "\n")
  }

  private static func apps(_ near: NearMatches) -> [String] {
    let left = near.apps.count - mostApps
    return near.apps.prefix(mostApps).map { app in
      let first = "\(app.prefix)-1".printable
      return app.last == 1
        ? "The group of \(app.app.printable) is \(first)."
        : "The groups of \(app.app.printable) are \(first) to \(app.prefix.printable)-\(app.last)."
    } + (left > 0 ? ["\(GroupText.count(left, "other app", "other apps")) not named here."] : [])
  }

  /// `c44631fe802f  2026-05-17 09:15  TERN-1  tern::invariant`
  private static func lines(for reports: [ReportSummary]) -> [String] {
    let width = reports.map(\.group.printable.columns).max() ?? 0
    return reports.map { report in
      [
        String(report.id.prefix(12)).printable, String(ReportFacts.time(report.time).prefix(16)),
        report.group.printable.padded(to: width), report.signature.printable,
      ].joined(separator: "  ")
    }
  }
}
