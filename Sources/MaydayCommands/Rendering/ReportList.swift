import CrashModel
import CrashStore
import JSON

/// Stored reports, a line each.
struct ReportList {
  let reports: [ReportSummary]

  /// As many digits of an id as are shown; more than enough to find it again.
  static let shownDigits = 10

  func lines(width: Int, styles: Styles) -> [String] {
    var table = TextTable([
      .text("REPORT"), .text("GROUP"), .text("TIME"), .text("VERSION", .atEnd),
      .text("SYSTEM", .atEnd), .text("SIGNATURE", .atEnd),
    ])
    for report in reports {
      table.add([
        String(report.id.prefix(Self.shownDigits)), report.group.printable,
        String(ReportFacts.time(report.time).prefix(16)), (report.version ?? "").printable,
        (report.os ?? "").printable, report.signature.printable,
      ])
    }
    return table.lines(width: width, styles: styles)
  }
}

extension JSONWriter {
  mutating func write(_ report: ReportSummary) {
    beginObject()
    member("id", report.id)
    member("group", report.group)
    member("app", report.app)
    member("format", report.format.description)
    member("kind", report.kind.rawValue)
    member("time", report.time.description)
    member("received", report.received.description)
    member("version", report.version)
    member("build", report.build)
    member("os", report.os)
    member("device", report.device)
    member("reason", report.reason)
    member("signature", report.signature)
    member("symbols", report.symbols.description)
    member("source", report.source)
    endObject()
  }
}
