internal import CrashModel
internal import Rendering

/// The text shown in place of a missing stack.
enum MissingStackMessage {
  /// - Parameter report: The address of the report's page; empty on that page itself.
  static func message(for report: CrashReport, at address: String = "") -> HTML {
    guard ReportFragment(report: report).telling.isEmpty else { return .none }
    // A stack may still arrive, or a file that contains it cannot be read.
    let reasons = report.notes.filter { $0.contains(CrashReport.dumpName) }
      .map { "<br>\($0)" as HTML }
    let others: HTML =
      reasons.isEmpty && !report.notes.isEmpty
      ? " <a href=\"\(address)#notes\">Its notes</a> may say why." : .none
    let what: HTML =
      report.threads.isEmpty
      ? "This report has no stack."
      : "This report does not say which of its <a href=\"\(address)#threads\">threads</a> crashed."
    return "<p class=\"empty\">\(what)\(reasons)\(others)</p>"
  }
}
