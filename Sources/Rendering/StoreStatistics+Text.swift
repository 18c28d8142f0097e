internal import CrashModel
package import CrashService
package import CrashStore
package import JSON

/// How much is stored, as it is shown.
extension StoreStatistics {
  package func lines(width: Int, styles: Styles) -> [String] {
    var table = TextTable([
      .text("APP", .atEnd), .number("GROUPS"), .number("REPORTS"), .number("KEPT"),
      .number("SUBMISSIONS"), .number("SIZE"), .number("REFUSED"),
    ])
    for app in apps {
      table.add([
        app.app.printable, String(app.groups), String(app.reports), String(app.reportsKept),
        String(app.submissions.count), DebugFileList.size(app.submissions.bytes),
        String(app.refused),
      ])
    }
    var lines = apps.isEmpty ? [] : table.lines(width: width, styles: styles)
    let (reports, submissions) = (
      apps.reduce(0) { $0 + $1.reportsKept }, apps.reduce(0) { $0 + $1.submissions.count }
    )
    if reports != submissions {
      let text =
        "The \(GroupText.count(reports, "report", "reports")) kept came in "
        + "\(GroupText.count(submissions, "submission", "submissions")): one can hold several."
      lines += text.lines(of: width)
    }
    if refusedWithoutApp > 0 {
      lines.append(
        GroupText.count(refusedWithoutApp, "file", "files") + " refused before the app was known")
    }
    guard let space else { return lines }
    var rows = [
      ("Database", space.database), ("Submissions and documents", space.contents),
      ("Debug files", space.debugFiles), ("Caches", space.caches), ("In all", space.disk),
    ].map { ($0.0, DebugFileList.size($0.1)) }
    if let debugFiles, debugFiles.count > 0 {
      rows[2].1 += ", \(GroupText.count(debugFiles.count, "file", "files"))"
    }
    return lines + (lines.isEmpty ? [] : [""]) + [styles.dim("ON THE DISK")]
      + rows.map { $0.0.padded(to: 28) + $0.1 }
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("schema", 1)
    writer.key("apps")
    writer.beginArray()
    for app in apps {
      writer.beginObject()
      writer.member("app", app.app)
      writer.member("groups", app.groups)
      writer.member("reports", app.reports)
      writer.member("reports_kept", app.reportsKept)
      writer.member("submissions", app.submissions.count)
      writer.member("bytes", app.submissions.bytes)
      writer.member("refused", app.refused)
      writer.endObject()
    }
    writer.endArray()
    writer.member("refused_without_app", refusedWithoutApp)
    if let debugFiles {
      writer.key("debug_files")
      writer.write(debugFiles)
    }
    if let space {
      writer.key("disk")
      writer.beginObject()
      writer.member("database", space.database)
      writer.member("contents", space.contents)
      writer.member("debug_files", space.debugFiles)
      writer.member("caches", space.caches)
      writer.member("total", space.disk)
      writer.endObject()
    }
    writer.endObject()
  }
}

extension JSONWriter {
  package mutating func write(_ amount: LedgerAmount) {
    beginObject()
    writeMembers(of: amount)
    endObject()
  }

  package mutating func writeMembers(of amount: LedgerAmount) {
    member("count", amount.count)
    member("bytes", amount.bytes)
  }
}
