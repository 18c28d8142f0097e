import Bytes
import CrashStore
import JSON
import Rendering

/// Everything that was deleted, or would be.
struct GCResult {
  let isDry: Bool
  private var expired: [(count: ExpiryCount, retention: Retention)] = []
  var sweep = SweepResult()
  /// Size of the home on disk, in bytes.
  let before: Int
  var after: Int

  init(isDry: Bool, before: Int, after: Int) {
    self.isDry = isDry
    self.before = before
    self.after = after
  }

  mutating func add(_ counts: [ExpiryCount], _ retention: Retention) {
    expired += counts.map { ($0, retention) }
  }

  func lines(width: Int, styles: Styles) -> [String] {
    guard !expired.isEmpty else { return [] }
    var table = TextTable([
      .text("APP", .atEnd), .text("WHY"), .number("REPORTS"), .number("SUBMISSIONS"),
      .number("SIZE"),
    ])
    for (count, retention) in expired {
      table.add([
        count.app.printable, Self.reason(count.reason, retention), String(count.reports),
        String(count.submissions), DebugFileList.size(count.bytes),
      ])
    }
    return table.lines(width: width, styles: styles)
  }

  /// `older than 90 days`
  static func reason(_ reason: ExpiryReason, _ retention: Retention) -> String {
    switch reason {
    case .age: "older than \(GroupText.count(retention.days ?? 0, "day", "days"))"
    case .group: "beyond \(retention.perGroup ?? 0) of a group"
    case .space: "beyond \(DebugFileList.size(retention.bytes ?? 0))"
    }
  }

  /// The summary at the end.
  var closing: [String] {
    let count = GroupText.count
    let reports = expired.reduce(0) { $0 + $1.count.reports }
    let went = isDry ? "would be deleted" : "deleted"
    var lines = [
      "\(count(reports, "report", "reports")) \(went); "
        + "\(count(sweep.contents, "content", "contents")) without a report \(went), "
        + DebugFileList.size(sweep.bytes)
    ]
    if isDry && reports > 0 { lines.append("The contents of deleted reports are not included.") }
    if sweep.isHeldUp {
      lines.append("Contents were kept: a backup is reading them. Run it again afterwards.")
    }
    if !isDry {
      lines.append(
        "The home takes \(DebugFileList.size(after)) on the disk, \(DebugFileList.size(before))"
          + " before.")
    }
    return lines
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("schema", 1)
    writer.member("dry_run", isDry)
    writer.key("expired")
    writer.beginArray()
    for (count, _) in expired {
      writer.beginObject()
      writer.member("app", count.app)
      writer.member("reason", count.reason.rawValue)
      writer.member("reports", count.reports)
      writer.member("submissions", count.submissions)
      writer.member("bytes", count.bytes)
      writer.endObject()
    }
    writer.endArray()
    writer.key("contents")
    writer.beginObject()
    writer.member("count", sweep.contents)
    writer.member("bytes", sweep.bytes)
    writer.member("held_up", sweep.isHeldUp)
    writer.endObject()
    writer.key("disk")
    writer.beginObject()
    writer.member("before", before)
    writer.member("after", after)
    writer.endObject()
    writer.endObject()
  }
}
