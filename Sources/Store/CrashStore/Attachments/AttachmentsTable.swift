internal import Bytes
internal import CrashModel
internal import Database
internal import Identifiers

/// The rows of `attachments`.
enum AttachmentsTable {
  /// The result of adding an attachment.
  enum AttachmentOutcome {
    case added
    /// The report has it already.
    case known
    /// A limit of ``AttachmentLimits`` was reached: its name and its value.
    case overLimit(String, Int)
  }

  /// Adds `new` to a report, unless it has the same bytes under that name, or under one that was derived from
  /// it because another attachment had the name.
  ///
  /// - Parameter report: Its row.
  static func add(
    _ new: StoredFile, to report: RowID<Tables.Reports>, in database: borrowing Connection
  ) throws -> AttachmentOutcome {
    let attachment = new.attachment
    let digest = new.digest
    let rows = try database.prepare(
      "SELECT name, digest, size FROM attachments WHERE report = ?1", [report])
    var files: [String: [UInt8]] = [:]
    var total = 0
    while try rows.step() {
      try files[rows.text("name")] = rows.blob("digest")
      total = try total.addingClamped(rows.count("size"))
    }
    var name = attachment.name
    var number = 1
    while let taken = files[name] {
      if taken == digest { return .known }
      number += 1
      name = Self.name(attachment.name, number: number)
    }
    guard files.count < AttachmentLimits.count else {
      return .overLimit("attachments of a report", AttachmentLimits.count)
    }
    guard total + attachment.size <= AttachmentLimits.totalBytes else {
      return .overLimit("bytes of attachments of a report", AttachmentLimits.totalBytes)
    }
    try database.insert(
      into: "attachments",
      [
        "report": report, "name": name, "content_type": attachment.contentType, "digest": digest,
        "size": attachment.size, "added": new.received.microseconds,
      ])
    return .added
  }

  /// Returns the attachments of a report, by name.
  static func attachments(
    of report: RowID<Tables.Reports>, in database: borrowing Connection
  ) throws -> [StoredFile] {
    let rows = try database.prepare(
      """
      SELECT name, content_type, size, digest, added AS received FROM attachments
      WHERE report = ?1 ORDER BY name
      """, [report])
    var found: [StoredFile] = []
    while try rows.step() { try found.append(StoredFile(rows)) }
    return found
  }

  /// Returns `log-2.txt` for `log.txt`.
  private static func name(_ name: String, number: Int) -> String {
    let dot = name.lastIndex(of: ".").flatMap { $0 > name.startIndex ? $0 : nil } ?? name.endIndex
    return "\(name[..<dot])-\(number)\(name[dot...])"
  }
}
