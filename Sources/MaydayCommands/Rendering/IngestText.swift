import JSON
import Pipeline

/// What an ingest did, as it is shown.
struct IngestText {
  let result: IngestResult
  let groups: [IngestedGroup]

  func lines(width: Int, styles: Styles) -> [String] {
    var lines: [String] = []
    if !groups.isEmpty {
      var table = TextTable([
        .text("GROUP"), .number("REPORTS"), .text("NEWS"), .text("SIGNATURE", .atEnd),
      ])
      for group in groups {
        table.add(
          [
            group.id.printable, String(group.reports), group.news, group.signature.printable,
          ], style: group.isRegressed ? styles.danger : nil)
      }
      lines = table.lines(width: width, styles: styles)
    }
    return lines
      + TriageText(width: width, styles: styles)
      .refusals("Not filed:", result.refused, after: lines)
  }

  /// What is said at the end, in one sentence.
  var closing: String {
    let count = GroupText.count
    var text = "\(count(result.reports, "report", "reports")) filed"
    if !groups.isEmpty {
      text += " in \(count(groups.count, "group", "groups"))"
    }
    text += ", from \(count(result.files, "file", "files"))"
    let new = groups.filter(\.isNew).count
    let regressed = groups.filter(\.isRegressed).count
    let news = [
      new > 0 ? count(new, "new group", "new groups") : nil,
      regressed > 0 ? count(regressed, "regression", "regressions") : nil,
    ].compactMap { $0 }
    if !news.isEmpty { text += ": " + news.joined(separator: ", ") }
    if result.attachments > 0 {
      text += "; \(count(result.attachments, "attachment", "attachments")) added"
    }
    if result.duplicates > 0 {
      text += "; \(count(result.duplicates, "file", "files")) known before"
    }
    if !result.refused.isEmpty {
      text += "; \(count(result.refused.count, "file", "files")) not filed"
    }
    return text
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("schema", 1)
    writer.member("files", result.files)
    writer.member("reports", result.reports)
    writer.member("duplicates", result.duplicates)
    writer.member("attachments", result.attachments)
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
    writer.write("unrecognised", result.refused)
    writer.endObject()
  }
}
