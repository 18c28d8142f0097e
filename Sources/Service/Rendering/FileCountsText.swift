internal import CrashService
package import Documents
package import Pipeline

extension FileCounts {
  /// `from 71 files (12 in archives): 60 with reports, 8 debug files, 3 not reports`
  ///
  /// The parts add up to the files. They are left out if every file contained one report.
  ///
  /// - Parameter reports: The number of reports in files with reports.
  package func text(reports: Int) -> String {
    var text = "from \(GroupText.count(total, "file", "files"))"
    if inArchives > 0 {
      text += inArchives == total ? " in archives" : " (\(inArchives) in archives)"
    }
    return withReports == total && reports == total ? text : "\(text): \(parts(reports: reports))"
  }

  /// `60 with reports, 8 debug files, 3 not reports`
  private func parts(reports: Int) -> String {
    let parts = [
      withReports == 0
        ? nil : "\(withReports) with \(withReports == 1 && reports == 1 ? "a report" : "reports")",
      Self.part(duplicates, "duplicate", "duplicates"),
      Self.part(attachments, "attachment", "attachments"),
      Self.part(debugFiles, "debug file", "debug files"),
      Self.part(notReports, "not a report", "not reports"),
      Self.part(unreadable, "unreadable", "unreadable"),
    ].compactMap { $0 }
    return parts.joined(separator: ", ")
  }

  private static func part(_ count: Int, _ one: String, _ many: String) -> String? {
    count == 0 ? nil : GroupText.count(count, one, many)
  }
}

extension FileCounts: Documented {
  /// The files, and the parts that add up to them.
  package static let declaration = DocumentType<FileCounts>(writing: "FileCounts") {
    DocumentMember("files", derived: { $0.total }, .count)
    DocumentMember("in_archives", derived: { $0.inArchives }, .count)
    DocumentMember("with_reports", derived: { $0.withReports }, .count)
    DocumentMember("duplicates", derived: { $0.duplicates }, .count)
    DocumentMember("attachments", derived: { $0.attachments }, .count)
    DocumentMember("debug_files", derived: { $0.debugFiles }, .count)
    DocumentMember("not_reports", derived: { $0.notReports }, .count)
    DocumentMember("unreadable", derived: { $0.unreadable }, .count)
  }
}
