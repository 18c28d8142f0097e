internal import CrashModel
internal import CrashService
package import CrashStore
internal import Identifiers

/// The columns of a list of reports.
package enum ReportColumns {
  package static let all: [ListColumn<ReportSummary>] = [
    .whole("id", full: { $0.id }, { String($0.id.prefix(shownDigits)) }).titled("REPORT"),
    .whole("group") { $0.group },
    .text("app", widest: 24) { $0.app },
    .whole("time", full: { $0.time.description }, { minute($0.time) }),
    .whole("received", full: { $0.received.description }, { minute($0.received) }),
    .text("version", widest: 16) { $0.version ?? "" },
    .text("build", widest: 16) { $0.build ?? "" },
    .text("system", widest: 12, full: { $0.os ?? "" }) { $0.os ?? "" },
    .text("device", widest: 24) { $0.device ?? "" },
    .whole("kind") { $0.kind.rawValue },
    .whole("format") { $0.format.description },
    .whole("symbols") { $0.symbols.description },
    .text("reason", widest: 40, full: { $0.reason ?? "" }, { $0.reason ?? "" }),
    .text("source", .atStart) { $0.source },
    .text("signature") { $0.signature },
  ]

  /// The number of digits shown of an id; more than enough to find the report.
  package static let shownDigits = 10

  package static let usual = ["id", "group", "time", "version", "system", "signature"]
    .compactMap { name in all.first { $0.name == name } }

  private static func minute(_ time: Timestamp) -> String {
    String(ReportFacts.time(time).prefix(16))
  }
}
