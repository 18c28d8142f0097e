import Bytes
import Imports
import JSON
import Rendering

/// The result of an import as text and as JSON.
struct ImportText {
  let result: ImportResult

  /// The items that were not taken, a line each.
  var lines: [String] {
    let left = result.left.map { "not taken: \($0.path.printable): \($0.reason.printable)" }
    return result.more == 0 ? left : left + ["not taken: \(result.more) more"]
  }

  var summary: String {
    let count = GroupText.count
    var words =
      "\(count(result.reports, "report", "reports")) imported, in "
      + count(result.groups.count, "group", "groups")
    if result.known > 0 { words += "; \(count(result.known, "report", "reports")) known before" }
    let others = [
      (result.decisions, "group's state and notes", "groups' states and notes"),
      (result.attachments, "attachment", "attachments"),
      (result.debugFiles, "debug file", "debug files"),
      (result.releases, "release", "releases"),
      (result.artefacts, "file of a release", "files of releases"),
      (result.distributionGroups, "distribution group", "distribution groups"),
      (result.testers, "tester", "testers"),
    ].filter { $0.0 > 0 }.map { count($0.0, $0.1, $0.2) }
    if !others.isEmpty { words += "; added: " + others.joined(separator: ", ") }
    let left = result.left.count + result.more
    if left > 0 { words += "; \(left) not taken" }
    return words
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("schema", 1)
    writer.member("reports", result.reports)
    writer.member("known", result.known)
    writer.member("groups", result.groups.sorted())
    writer.member("decisions", result.decisions)
    writer.member("attachments", result.attachments)
    writer.member("debug_files", result.debugFiles)
    writer.member("releases", result.releases)
    writer.member("artefacts", result.artefacts)
    writer.member("distribution_groups", result.distributionGroups)
    writer.member("testers", result.testers)
    writer.key("left")
    writer.beginArray()
    for item in result.left {
      writer.beginObject()
      writer.member("path", item.path)
      writer.member("reason", item.reason)
      writer.member("damaged", item.isDamaged)
      writer.endObject()
    }
    writer.endArray()
    writer.member("left_more", result.more)
    writer.endObject()
  }
}
