internal import CrashModel
package import CrashStore
package import ReportDocument

extension ReportRecord {
  /// The start of a note about an attachment that was not kept.
  static let refusedAttachmentNote = "the attachment "

  /// Returns the report with the data stored besides its document.
  package func stored() throws -> StoredReport {
    var stored = try StoredReport(document: document)
    stored.group = summary.group
    stored.report.attachments = attachments
    stored.report.breadcrumbs = breadcrumbs
    stored.app = summary.app
    stored.report.noteDump(among: attachments.map(\.name))
    stored.report.notes += refusedAttachments.map {
      Self.refusedAttachmentNote + "\($0.name) was refused: \($0.reason)"
    }
    return stored
  }
}
