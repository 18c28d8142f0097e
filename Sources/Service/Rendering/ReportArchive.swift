internal import APIDocuments
internal import Archives
package import Bytes
internal import CrashModel
internal import CrashService
package import CrashStore
internal import Documents
internal import Files
internal import Identifiers
internal import JSON
internal import Pipeline
package import ReportDocument
internal import ReportFormats
package import TriageModel

/// All data of one report, as members of an archive.
///
/// The submission and its attachments have the layout of a folder, so that the archive can be ingested. The
/// content depends on the store alone: writing it twice gives the same bytes.
package struct ReportArchive {
  /// The width of the text in columns.
  private static let width = 100

  package let record: ReportRecord
  package let stored: StoredReport
  package let group: GroupSummary
  package let history: [GroupEvent]
  package let store: CrashStore

  package init(of record: ReportRecord, in store: CrashStore) throws {
    self.record = record
    stored = try record.stored()
    group = try store.groups.get(record.summary.group)
    history = try store.groups.history(ofGroup: record.summary.group)
    self.store = store
  }

  /// Returns the archive as bytes, which are in an unnamed file.
  ///
  /// - Throws: ``ArchiveWriteError``; the store's errors.
  package func bytes() throws -> ByteView {
    let folder = Folder.temporary
    return try ArchiveWriter.scratch(in: folder, named: "archive", format: .zip) { writer in
      try fill(&writer)
    }
  }

  private func fill(_ writer: inout ArchiveWriter) throws {
    let time = record.summary.received.seconds
    let attachments = members
    try writer.add("README.txt", ByteView(readme(attachments).utf8), modified: time)
    try writer.add(submissionName, store.reports.submission(record.submission), modified: time)
    for (attachment, member) in attachments {
      let bytes = try store.attachments.get(attachment.name, of: stored.id).bytes
      try writer.add(member, bytes, modified: time)
    }
    try writer.add("report.json", ByteView(document), modified: time)
    try writer.add("report.txt", ByteView(text.utf8), modified: time)
    try writer.add("group.json", ByteView(groupDocument), modified: time)
  }

  /// The name of the submission, according to its format.
  private var submissionName: String {
    "crash." + FormatRegistry.builtIn.fileExtension(of: record.summary.format)
  }

  /// The attachments with their names in the archive, which are unique on every system.
  private var members: [(attachment: Attachment, member: String)] {
    var used: Set<String> = []
    return record.attachments.map { attachment in
      let name = ArchiveName.part(attachment.name)
      var member = name
      var number = 1
      while !used.insert(member.lowercased()).inserted {
        number += 1
        member = "\(number)-\(name)"
      }
      return (attachment, "\(submissionName).attachments/\(member)")
    }
  }

  private var document: [UInt8] {
    var writer = JSONWriter(pretty: true)
    stored.write(to: &writer)
    writer.newLine()
    return writer.takeBytes()
  }

  private var text: String {
    ReportText(width: Self.width, isFull: true)
      .lines(for: stored.report, id: stored.id, group: group.id).joined(separator: "\n") + "\n"
  }

  private var groupDocument: [UInt8] {
    var writer = JSONWriter(pretty: true)
    writer.beginObject()
    writer.writeMembers(of: group)
    writer.key("history")
    writer.write(history)
    writer.endObject()
    writer.newLine()
    return writer.takeBytes()
  }

  private func readme(_ attachments: [(attachment: Attachment, member: String)]) -> String {
    let app = ReportFacts.app(stored.report.app) ?? record.summary.app
    var rows = [
      (submissionName, "the report as it arrived, as \(record.summary.format)"),
      ("report.json", "the report with functions, files and lines, as a document"),
      ("report.txt", "the same, to be read"),
      ("group.json", "the group \(group.id) and its history"),
    ]
    for (attachment, member) in attachments {
      rows.append((member, "the attachment \(attachment.line)"))
    }
    let column = min(40, rows.map(\.0.columns).max() ?? 0)
    var lines = [
      "Report \(stored.id) of \(app.printable)", stored.report.headline.printable,
      "\(group.id.printable)  \(group.signature.text.printable)", "",
    ]
    lines += rows.map { "  \($0.printable.padded(to: column))  \($1)" }
    lines += [
      "", "The bytes of \(submissionName) have the SHA-256", record.submission, "",
      "'mayday ingest' reads this archive: it files \(submissionName) with its attachments.",
    ]
    return lines.joined(separator: "\n") + "\n"
  }
}

extension ReportArchive {
  /// The zip archive of a stored report.
  ///
  /// - Throws: The store's error if something of the report cannot be read, `ArchiveWriteError`.
  @Sendable package static func bytes(of report: ReportRecord, in store: CrashStore) throws
    -> ByteView
  {
    try ReportArchive(of: report, in: store).bytes()
  }
}
