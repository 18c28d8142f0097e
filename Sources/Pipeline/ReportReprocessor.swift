public import Bytes
public import CrashModel
public import CrashStore
public import Grouping
internal import ReportDocument
internal import ReportFormats
public import Scrubbing
public import Symbolication

/// Makes stored reports again from the bytes that they came in, by the same steps as the first
/// time.
public struct ReportReprocessor: Sendable {
  private let store: CrashStore
  private let symbolicators: SymbolicatorChoice
  private let signer: Signer
  private let scrubber: Scrubber

  public init(
    in store: CrashStore, symbolicator: Symbolicator, signer: Signer, scrubber: Scrubber
  ) {
    self.init(
      in: store, symbolicators: SymbolicatorChoice(symbolicator), signer: signer, scrubber: scrubber
    )
  }

  /// The same, with what is chosen for each app.
  public init(
    in store: CrashStore, symbolicators: SymbolicatorChoice, signer: Signer, scrubber: Scrubber
  ) {
    self.store = store
    self.symbolicators = symbolicators
    self.signer = signer
    self.scrubber = scrubber
  }

  /// The outcome of a report today, with its document.
  ///
  /// - Parameters:
  ///   - bytes: What to make it of; else the submission that is kept.
  ///   - keepsSymbols: Whether what debug files explained stays that are gone.
  /// - Returns: `nil` when its submission reads as other reports today, and this is none of them.
  /// - Throws: ``ParseError`` when the submission cannot be read any more, `StoreError` when it is
  ///   damaged; `DatabaseError`.
  public func reprocess(
    _ record: ReportRecord, from bytes: ByteView? = nil, keepsSymbols: Bool = false
  ) throws -> (report: CrashReport, document: [UInt8])? {
    let app = record.keyName
    let all = try FormatRegistry.builtIn.reports(
      in: bytes ?? store.reports.submission(record.submission))
    let candidates = try reports(of: app, among: all, for: record)
    guard candidates.indices.contains(record.position) else { return nil }
    let processor = ReportProcessor(
      symbolicators: symbolicators, signer: signer, scrubber: scrubber, app: app)
    let known = keepsSymbols ? try Self.explained(record.document) : nil
    var read = candidates[record.position]
    if read.awaitsDump, record.attachments.contains(where: { $0.name == CrashReport.dumpName }) {
      let dump = try store.attachments.get(CrashReport.dumpName, of: record.summary.id)
      read.read(dump: dump.bytes)
    }
    let report = try processor.process(read, keeping: known).report
    return (
      report, report.document(id: record.summary.id, received: record.summary.received)
    )
  }

  /// The report in a document, where a debug file explains any of it.
  private static func explained(_ document: ByteView) throws -> CrashReport? {
    guard document.text.utf8.contains("\"found\"".utf8) else { return nil }
    return try CrashReport(document: document)
  }

  /// Those that were stored under the app: reports count by app, unless one was named for all.
  private func reports(
    of app: String, among all: [CrashReport], for record: ReportRecord
  ) throws -> [CrashReport] {
    let own = all.filter { $0.appName == app }
    if let isAppGiven = record.isAppGiven { return isAppGiven ? all : own }
    // Written down by an older version of the program, which did not note it.
    guard !own.isEmpty && own.count < all.count else { return all }
    // Both are possible; how many were stored tells which it was.
    let stored = try store.reports.count(ofSubmission: record.submission, app: app)
    return stored > own.count || record.position >= own.count ? all : own
  }
}
