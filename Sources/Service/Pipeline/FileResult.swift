internal import CrashStore

/// The result of one file, of one member of an archive, or of one part of a long log.
public struct FileResult: Sendable {
  /// A report that was only counted.
  public struct CountedReport: Sendable {
    public let app: String
    /// `TERN-12`, the name at the time.
    public let group: String
  }

  /// The number of the file on disk that it is, or is in: members of an archive and parts of a log share it.
  public let ordinal: Int
  /// The name under which it was read.
  public let source: String
  public var outcome: FileOutcome
  /// The time that a thread worked on it, without writing it.
  public let work: Duration
  /// The submissions that its reports are stored as, or were stored as before; one for each app.
  public var stored: [StoredSubmission] = []
  /// The number of reports read from it; 1 if its bytes were known.
  public var reportCount = 0
  /// The reports that are beyond the daily limit of their group.
  public var counted: [CountedReport] = []
  /// Why some of its reports are not stored, although others are; at most one text for each app.
  public var leftOut: [String] = []
  /// Whether something in it was new.
  public var isNew = false

  /// The reason for which it was refused, or those for which some of its reports are not stored.
  public var refusals: [String] {
    if case .refused(let reason, _) = outcome { [reason] } else { leftOut }
  }

  init(of prepared: Ingest.IngestedFile, _ outcome: FileOutcome) {
    ordinal = prepared.ordinal
    source = prepared.source
    work = prepared.work
    self.outcome = outcome
  }

  /// Records that one of its submissions was stored.
  mutating func add(_ receipt: Receipt, app: String) {
    for report in receipt.reports where report.isCounted {
      counted.append(CountedReport(app: app, group: report.group))
    }
    if !receipt.isDuplicate || receipt.attachments.isNew { isNew = true }
  }
}
