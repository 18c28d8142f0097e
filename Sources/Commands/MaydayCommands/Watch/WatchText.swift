import APIDocuments
import Bytes
import Documents
import Identifiers
import JSON
import Pipeline
import Rendering

/// The outcome of one batch of watched files, as printed.
struct WatchText {
  /// The most new groups to name; others are counted.
  private static let named = 6

  let result: IngestResult
  let time: Timestamp

  /// `2026-03-09 10:20:31 UTC  10 reports stored, from 12 files: 10 with reports, 2 duplicates; new: TERN-3`
  var line: String {
    let count = GroupText.count
    var parts = [
      "\(count(result.reports, "report", "reports")) stored, "
        + result.files.text(reports: result.reports)
    ]
    let new = result.groups.filter(\.isNew).map(\.id.printable)
    if !new.isEmpty {
      let more = new.count > Self.named ? " and \(new.count - Self.named) more" : ""
      parts.append("new: " + new.prefix(Self.named).joined(separator: ", ") + more)
    }
    return ReportFacts.time(time) + "  " + parts.joined(separator: "; ")
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("time", time.description)
    writer.write(countsOf: result)
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
    writer.key("unrecognised")
    writer.write(result.refused)
    writer.endObject()
  }
}

/// The outcome of all batches.
struct WatchTotal {
  private var files = FileCounts()
  private var reports = 0

  mutating func add(_ result: IngestResult) {
    files += result.files
    reports += result.reports
  }

  var sentence: String {
    "\(GroupText.count(reports, "report", "reports")) stored, \(files.text(reports: reports))."
  }
}
