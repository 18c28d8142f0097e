import CrashModel
import JSON
import Pipeline

/// What became of one batch of watched files, as it is shown.
struct WatchText {
  /// New groups beyond these are counted.
  private static let named = 6

  let result: IngestResult
  let time: Timestamp

  /// `2026-03-09 10:20:31 UTC  12 files: 10 reports filed; 1 known before; new: TERN-3`
  var line: String {
    let count = GroupText.count
    var parts = ["\(count(result.reports, "report", "reports")) filed"]
    if result.attachments > 0 {
      parts.append("\(count(result.attachments, "attachment", "attachments")) added")
    }
    if result.duplicates > 0 { parts.append("\(result.duplicates) known before") }
    if !result.refused.isEmpty { parts.append("\(result.refused.count) refused") }
    let new = result.groups.filter(\.isNew).map(\.id.printable)
    if !new.isEmpty {
      let more = new.count > Self.named ? " and \(new.count - Self.named) more" : ""
      parts.append("new: " + new.prefix(Self.named).joined(separator: ", ") + more)
    }
    return ReportFacts.time(time) + "  \(count(result.files, "file", "files")): "
      + parts.joined(separator: "; ")
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("time", time.description)
    writer.member("files", result.files)
    writer.member("reports", result.reports)
    writer.member("duplicates", result.duplicates)
    writer.member("attachments", result.attachments)
    writer.key("groups")
    writer.beginArray()
    for group in result.groups {
      writer.beginObject()
      writer.member("id", group.id)
      writer.member("reports", group.reports)
      writer.member("new", group.isNew)
      writer.endObject()
    }
    writer.endArray()
    writer.write("unrecognised", result.refused)
    writer.endObject()
  }
}

/// What became of all batches.
struct WatchTotal {
  private var files = 0
  private var reports = 0
  private var refused = 0

  mutating func add(_ result: IngestResult) {
    files += result.files
    reports += result.reports
    refused += result.refused.count
  }

  var sentence: String {
    let count = GroupText.count
    return "\(count(reports, "report", "reports")) filed, from \(count(files, "file", "files"))"
      + (refused > 0 ? "; \(count(refused, "file", "files")) refused" : "") + "."
  }
}
