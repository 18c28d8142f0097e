internal import Bytes
package import CrashService
internal import CrashStore

/// The amount of stored data, as text.
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
        "The \(GroupText.count(reports, "report", "reports")) kept are from "
        + "\(GroupText.count(submissions, "submission", "submissions")): a submission can hold several."
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
}
