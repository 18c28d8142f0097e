internal import Database
public import Identifiers

/// Changes that a batch of files makes in the store, in one transaction.
public struct IngestedFiles: Sendable {
  /// A receipt for each submission of a batch, and for each of its late attachments, in order.
  public typealias Receipts = (submissions: [Receipt], attachments: [AttachmentReceipt])

  public var submissions: [PreparedSubmission] = []
  /// For each of ``submissions``, the submission of a queue that it came with; empty where they came with none.
  public var origins: [IntakeID] = []
  /// Attachments of submissions that are not in the batch.
  public var late: [LateAttachments] = []
  public var refusals: [Refusal] = []
  /// Files that were found to be known before they were prepared; see
  /// ``CrashStore/Reports/hasSubmission(digest:app:)``. They need an ``app``.
  public var known = (count: 0, bytes: 0)
  /// The app that refused and known files were meant for; `nil` where none was given.
  public var app: String?
  /// When refused and known files arrived.
  public var received = Timestamp(seconds: 0)
  /// The progress of submissions of a queue when the batch is stored.
  public var progress: [IntakeProgress] = []

  public init() {}

  public var isEmpty: Bool {
    submissions.isEmpty && late.isEmpty && refusals.isEmpty && known.count == 0 && progress.isEmpty
  }

  /// The data that the batch changes: refusals without an app are of none.
  var scope: WriteScope {
    if app == nil, !refusals.isEmpty { return .global }
    return .apps(Set(submissions.map(\.app) + late.map(\.app) + [app].compactMap(\.self)))
  }

  /// Counts refused and known files, and records the progress, at the end of the transaction.
  ///
  /// - Parameters:
  ///   - receipts: One for each submission, in order.
  ///   - attached: One for each of the late attachments, in order.
  func count(
    submissions receipts: [Receipt], attachments attached: [AttachmentReceipt],
    _ sheet: inout LedgerBatch, in database: borrowing Connection
  ) throws {
    if let app, !AppName.isValid(app) { throw StoreError.invalidAppName(app) }
    try sheet.refuse(refusals, app: app, time: received, in: database)
    if let app, known.count > 0 {
      sheet.receive(
        .duplicate, app: try AppsTable.find(app, in: database)?.name ?? app, day: received.day,
        count: known.count, bytes: known.bytes)
    }
    guard !progress.isEmpty else { return }
    var new: Set<IntakeID> = []
    for (origin, receipt) in zip(origins, receipts)
    where !receipt.isDuplicate || receipt.attachments.isNew {
      new.insert(origin)
    }
    for (item, receipt) in zip(late, attached) where receipt.isNew {
      if let intake = item.intake { new.insert(intake) }
    }
    for var progress in progress {
      progress.isNew = progress.isNew || new.contains(progress.id)
      try progress.write(to: database)
    }
  }
}
