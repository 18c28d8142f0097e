import CrashStore
import JSON

/// How much is stored of an app.
struct AppStats {
  let account: LedgerAccount
  let groups: Int
}

/// How much is stored, as it is shown.
struct StatsText {
  let apps: [AppStats]
  let accounts: [LedgerAccount]
  let debugFiles: LedgerAmount?
  /// `nil` where only one app is looked at.
  let space: SpaceUse?

  func lines(width: Int, styles: Styles) -> [String] {
    var table = TextTable([
      .text("APP", .atEnd), .number("GROUPS"), .number("REPORTS"), .number("KEPT"),
      .number("SUBMISSIONS"), .number("SIZE"), .number("REFUSED"),
    ])
    for app in apps {
      table.add([
        app.account.app?.printable ?? "", String(app.groups), String(app.account.reportsFiled),
        String(app.account.reportsKept), String(app.account.kept.count),
        DebugFileList.size(app.account.kept.bytes), String(app.account.refused.amount.count),
      ])
    }
    let nobody = accounts.filter { $0.app == nil }.reduce(0) { $0 + $1.refused.amount.count }
    var lines = apps.isEmpty ? [] : table.lines(width: width, styles: styles)
    if nobody > 0 {
      lines.append(
        "\(GroupText.count(nobody, "file", "files")) refused before the app was known")
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

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("schema", 1)
    writer.key("apps")
    writer.beginArray()
    for app in apps {
      writer.beginObject()
      writer.member("app", app.account.app)
      writer.member("groups", app.groups)
      writer.member("reports", app.account.reportsFiled)
      writer.member("reports_kept", app.account.reportsKept)
      writer.member("submissions", app.account.kept.count)
      writer.member("bytes", app.account.kept.bytes)
      writer.member("refused", app.account.refused.amount.count)
      writer.endObject()
    }
    writer.endArray()
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
  mutating func write(_ amount: LedgerAmount) {
    beginObject()
    writeMembers(of: amount)
    endObject()
  }

  mutating func writeMembers(of amount: LedgerAmount) {
    member("count", amount.count)
    member("bytes", amount.bytes)
  }
}
