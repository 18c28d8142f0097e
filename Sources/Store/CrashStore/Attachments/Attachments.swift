public import Bytes
public import CrashModel
internal import Database
public import Identifiers

/// Files that arrived apart from the submission that they belong to.
public struct LateAttachments: Sendable {
  /// The SHA-256 of the submission's bytes.
  public var submission: [UInt8]
  public var app: String
  public var attachments: [PreparedAttachment]
  /// When they arrived.
  public var received: Timestamp
  /// The submission of a queue that they came with, if they did.
  public var intake: IntakeID?

  public init(
    submission: [UInt8], app: String, attachments: [PreparedAttachment], received: Timestamp
  ) {
    self.received = received
    self.submission = submission
    self.app = app
    self.attachments = attachments
  }
}

/// The number of attachments that were added, and those that were refused.
public struct AttachmentReceipt: Equatable, Sendable {
  public var added = 0
  /// Whether any was missing.
  public var isNew: Bool { added > 0 }
  public var leftOut: [RefusedAttachment] = []
}

extension CrashStore.Attachments {
  /// Adds attachments to the reports of stored submissions, all of them or none. A report that already has
  /// them stays as it is.
  ///
  /// - Returns: A receipt for each submission, in their order.
  /// - Throws: ``StoreError/unknownApp(_:near:)``; `FileError` or `DatabaseError`, such as on a
  ///   full disk.
  @discardableResult
  public func add(_ late: [LateAttachments]) throws -> [AttachmentReceipt] {
    guard !late.isEmpty else { return [] }
    try store.contents.write(try contents(of: late))
    return try store.write(apps: late.map(\.app)) { database in
      try Self.attach(late, SearchIndex(store.searchCache), in: database)
    }
  }

  /// The contents of attachments. No report gets a file of a submission that was deleted, or only counted.
  func contents(of late: [LateAttachments]) throws -> [Content] {
    guard !late.isEmpty else { return [] }
    let needed = try store.read { database in
      try late.filter { item in
        guard let app = try AppsTable.find(item.app, in: database) else { return false }
        return try CrashStore.Reports.status(item.submission, app: app.row, in: database) != .past
      }
    }
    return needed.flatMap { $0.attachments.map(\.content) }
  }

  /// Adds attachments inside a transaction, once their contents are written.
  static func attach(
    _ late: [LateAttachments], _ search: SearchIndex, in database: borrowing Connection
  ) throws -> [AttachmentReceipt] {
    try late.map { item in
      guard let app = try AppsTable.find(item.app, in: database) else {
        throw StoreError.notFound(item.app)
      }
      var receipt = AttachmentReceipt()
      try attach(
        item.attachments.map { $0.stored(withSubmissionOf: item.received) },
        toSubmission: item.submission, app: app.row, search, in: database, &receipt)
      if receipt.added > 0 {
        try DailyLimit.noteAttachments(
          ofSubmission: item.submission, app: app.row, day: item.received.day, in: database)
      }
      return receipt
    }
  }

  /// Returns the attachments of a report, by name.
  ///
  /// - Parameter report: Its full id.
  /// - Throws: `DatabaseError`.
  public func list(of report: String) throws -> [Attachment] {
    try store.read { try Self.attachments(of: report, in: $0).map(\.attachment) }
  }

  /// Returns an attachment with its bytes.
  ///
  /// - Parameter report: Its full id.
  /// - Throws: ``StoreError/notFound(_:)``, ``StoreError/damagedBlob(path:reason:)``;
  ///   `DatabaseError`.
  public func get(
    _ name: String, of report: String
  ) throws -> (attachment: Attachment, bytes: ByteView) {
    let all = try store.read { try Self.attachments(of: report, in: $0) }
    guard let found = all.first(where: { $0.attachment.name == name }) else {
      throw StoreError.notFound(name)
    }
    return (found.attachment, try store.contents.read(found.digest))
  }

  static func attachments(
    of report: String, in database: borrowing Connection
  ) throws -> [StoredFile] {
    guard
      let row: RowID<Tables.Reports> = try database.id(
        "SELECT id FROM reports WHERE name = ?1", report)
    else { return [] }
    return try AttachmentsTable.attachments(of: row, in: database)
  }

  /// Adds attachments to each report of a submission, and notes those over a limit.
  static func attach(
    _ attachments: [StoredFile], toSubmission digest: [UInt8], app: RowID<Tables.Apps>,
    _ search: SearchIndex,
    in database: borrowing Connection, _ receipt: inout AttachmentReceipt
  ) throws {
    guard !attachments.isEmpty else { return }
    let rows = try database.prepare(
      """
      SELECT reports.id FROM submissions JOIN reports ON reports.submission = submissions.id
      WHERE submissions.app = ?1 AND submissions.digest = ?2 ORDER BY reports.position
      """, [app, digest])
    var reports: [RowID<Tables.Reports>] = []
    while try rows.step() { try reports.append(rows.id("id")) }
    for report in reports {
      for attachment in attachments {
        switch try AttachmentsTable.add(attachment, to: report, in: database) {
        case .added: receipt.added += 1
        case .known: break
        case .overLimit(let limit, let value):
          let left = RefusedAttachment(
            name: attachment.attachment.name, reason: "limit of \(value) \(limit) reached")
          try RefusedAttachments(app: app, received: attachment.received)
            .note(left, ofSubmission: digest, in: database)
          receipt.leftOut.append(left)
        }
      }
      try search.noteDump(of: report, in: database)
    }
  }
}
