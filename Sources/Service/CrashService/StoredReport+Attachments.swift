internal import Bytes
package import CrashModel
package import ReportDocument

extension StoredReport {
  /// - Throws: ``ServiceError`` that lists the existing attachments.
  package func attachment(named name: String) throws -> Attachment {
    let all = report.attachments
    if let found = all.first(where: { $0.name == name }) { return found }
    let names = all.map { $0.name.printable }.joined(separator: ", ")
    throw ServiceError(
      "\(name.printable): not an attachment of report \(id.prefix(10)), "
        + (names.isEmpty ? "which has none" : "which has \(names)"), .notFound)
  }
}
