public import Bytes
public import CrashModel
internal import Identifiers

/// A submission with its reports, ready to be written: digests computed, larger contents compressed.
///
/// Preparing one only takes processor time and may be done on any thread; ``CrashStore/Reports/add(_:)``
/// then has little to do while others wait for it.
public struct PreparedSubmission: Sendable {
  /// The SHA-256 of the submission's bytes.
  public let digest: [UInt8]
  public let app: String
  let source: String
  let received: Timestamp
  let byteCount: Int
  let problem: String?
  let isAppGiven: Bool
  let arrivals: Int
  private(set) var reports: [ReportRow]
  /// The position of each report in the submission, from 0.
  private(set) var positions: [Int]
  /// The bytes of the submission, then the document of each report.
  private(set) var contents: [Content]
  /// The number of reports of the submission that are not stored, and the reason: the ledger counts them
  /// when the others are stored.
  private(set) var leftOut: (count: Int, reason: String)?
  /// Whether the ledger has its outcome from the same submission of a queue: if it is known, it is not counted.
  public var isRepeated = false
  /// Files for each of its reports, added even if the submission was stored before.
  public private(set) var attachments: [PreparedAttachment] = []

  /// The approximate number of bytes to be written of the submission, the documents and the attachments,
  /// compressed.
  public var packedCount: Int {
    contents.reduce(0) { $0 + $1.packedCount } + attachments.reduce(0) { $0 + $1.packedCount }
  }

  /// The approximate number of bytes that it takes in memory: more than ``packedCount``.
  public var heldBytes: Int {
    contents.reduce(0) { $0 + $1.bytes.count } + attachments.reduce(0) { $0 + $1.heldBytes }
      + reports.reduce(0) { $0 + $1.heldBytes }
  }

  public var reportCount: Int { reports.count }

  /// The files for each of its reports, as they are stored.
  var files: [StoredFile] { attachments.map { $0.stored(withSubmissionOf: received) } }

  /// Whether nothing of it is stored, because all of its reports are only counted.
  func isOnlyCounted(_ counted: [Bool]) -> Bool {
    !counted.isEmpty && counted.count == reports.count && !counted.contains(false)
  }

  /// The contents to be written where some of its reports are only counted.
  func contents(without counted: [Bool]) -> [Content] {
    guard counted.contains(true) else { return contents }
    if isOnlyCounted(counted) { return [] }
    let kept = zip(reports, counted).filter { !$0.1 }.map(\.0.document)
    return contents.filter { $0.digest == digest || kept.contains($0.digest) }
  }

  /// The number of reports of the submission that are not stored, and the reason, as text; `nil` where all
  /// are.
  public var leftOutText: String? {
    leftOut.map { "\($0.reason): \($0.count) \($0.count == 1 ? "report" : "reports") not stored" }
  }

  /// Leaves out reports that were not prepared, following those that were.
  public mutating func leaveOut(_ count: Int, because reason: String) {
    guard count > 0 else { return }
    leftOut = ((leftOut?.count ?? 0).addingClamped(count), reason)
  }

  /// Leaves out all reports but the first `count`.
  ///
  /// - Parameter count: The number of reports that stay; at least one.
  public mutating func keep(reports count: Int, because reason: String) {
    guard count > 0, count < reports.count else { return }
    leaveOut(reports.count - count, because: reason)
    reports.removeLast(reports.count - count)
    positions.removeLast(positions.count - count)
    contents.removeLast(contents.count - 1 - count)
  }

  /// Adds a file for each of the reports.
  public mutating func attach(_ attachment: PreparedAttachment) { attachments.append(attachment) }

  /// - Parameters:
  ///   - reports: The reports in the submission, in order, each with its signature and the document to
  ///     store. Their ids are ``ReportID/ids(of:app:count:)``.
  ///   - arrivals: The value of ``CrashStore/DebugFiles/arrivals()`` before the first debug file was looked
  ///     up; reports that could use one that arrived later are reprocessed.
  /// - Throws: `CompressionError` when memory is short, ``StoreError`` when a report has no signature
  ///   or the app's name cannot be one.
  public init(
    _ submission: Submission, reports: [(report: CrashReport, document: ByteView)] = [],
    arrivals: Int = 0
  ) throws {
    try self.init(
      submission, reports: reports.enumerated().map { ($0, $1.report, $1.document) },
      arrivals: arrivals)
  }

  /// - Parameter reports: The remaining reports of the submission, with their positions.
  init(
    _ submission: Submission,
    reports: [(position: Int, report: CrashReport, document: ByteView)], arrivals: Int = 0
  ) throws {
    guard AppName.isValid(submission.app) else { throw StoreError.invalidAppName(submission.app) }
    let content = try Content(submission.bytes)
    var contents = [content]
    var rows: [ReportRow] = []
    for item in reports {
      let document = try Content(item.document)
      contents.append(document)
      rows.append(
        try ReportRow(
          item.report,
          id: ReportID.id(digest: content.digest, app: submission.app, position: item.position),
          received: submission.received, document: document.digest, source: submission.source))
    }
    digest = content.digest
    app = submission.app
    source = submission.source
    received = submission.received
    byteCount = submission.bytes.count
    problem = submission.problem
    isAppGiven = submission.isAppGiven
    self.arrivals = arrivals
    self.reports = rows
    positions = reports.map(\.position)
    self.contents = contents
  }
}
