import APIDocuments
import Bytes
import Documents
import JSON
import Pipeline
import Rendering

/// The result of an ingest, as text.
struct IngestText {
  let result: IngestResult
  let groups: [IngestedGroup]
  /// The images of the stored reports whose debug files are missing.
  let missing: [MissingSymbols]

  func lines(width: Int, styles: Styles) -> [String] {
    var lines: [String] = []
    if !groups.isEmpty {
      var table = TextTable([
        .text("GROUP"), .number("REPORTS"), .text("STATUS"), .text("SIGNATURE", .atEnd),
      ])
      for group in groups {
        table.add(
          [
            group.id.printable, String(group.reports), group.news, group.signature.printable,
          ], style: group.isRegressed ? styles.danger : nil)
      }
      lines = table.lines(width: width, styles: styles)
    }
    let text = TriageText(width: width, styles: styles)
    lines += text.refusals("Not stored:", result.refused, after: lines)
    return lines + text.symbolsMissing(missing, after: lines)
  }

  /// The last line, in one sentence.
  var closing: String {
    let count = GroupText.count
    var text = "\(count(result.reports, "report", "reports")) stored"
    if !groups.isEmpty { text += " in \(count(groups.count, "group", "groups"))" }
    let new = groups.filter(\.isNew).count
    let regressed = groups.filter(\.isRegressed).count
    let news = [new > 0 ? "\(new) new" : nil, regressed > 0 ? "\(regressed) regressed" : nil]
      .compactMap { $0 }
    if !news.isEmpty { text += " (\(news.joined(separator: ", ")))" }
    text += ", " + result.files.text(reports: result.reports)
    if result.submissions > result.files.withReports {
      text +=
        "; \(result.submissions) submissions, as a file with reports of two apps is one of each"
    }
    if result.attachments > 0, result.attachments != result.files.attachments {
      text += "; \(count(result.attachments, "attachment", "attachments")) added"
    }
    return text + TriageText.symbolsMissing(missing)
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("schema", 1)
    writer.write(countsOf: result)
    writer.key("groups")
    writer.beginArray()
    for group in groups {
      writer.beginObject()
      writer.member("id", group.id)
      writer.member("reports", group.reports)
      writer.member("new", group.isNew)
      writer.member("regressed", group.isRegressed)
      writer.member("signature", group.signature)
      writer.endObject()
    }
    writer.endArray()
    writer.key("unrecognised")
    writer.write(result.refused)
    writer.key("missing_symbols")
    writer.beginArray()
    for image in missing { writer.write(image) }
    writer.endArray()
    writer.endObject()
  }
}

extension JSONWriter {
  /// Writes the counts of an ingest, as members.
  mutating func write(countsOf result: IngestResult) {
    writeMembers(of: result.files)
    member("submissions", result.submissions)
    member("reports", result.reports)
    member("attachments_added", result.attachments)
  }
}
