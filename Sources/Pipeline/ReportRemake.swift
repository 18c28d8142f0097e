public import Bytes
public import CrashModel
public import CrashStore
public import Grouping
internal import ReportDocument
internal import ReportFormats
public import Scrubbing
public import Symbolication

/// Makes stored reports again from the bytes that they came in, by the same steps as the first time.
public struct ReportRemake: Sendable {
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

  /// What becomes of a report today, with its document.
  ///
  /// - Parameters:
  ///   - bytes: What to make it of; else the submission that is kept.
  ///   - keepsSymbols: Whether what debug files explained stays that are gone.
  /// - Returns: `nil` when its submission reads as other reports today, and this is none of them.
  /// - Throws: ``ParseError`` when the submission cannot be read any more, `StoreError` when it is
  ///   damaged; `DatabaseError`.
  public func remake(
    _ stored: StoredReport, from bytes: ByteView? = nil, keepsSymbols: Bool = false
  ) throws -> (report: CrashReport, document: [UInt8])? {
    let app = stored.keyName
    let all = try FormatTable.reports(in: bytes ?? store.submission(stored.submission))
    let candidates = try reports(of: app, among: all, for: stored)
    guard candidates.indices.contains(stored.position) else { return nil }
    let processor = ReportProcessor(
      symbolicators: symbolicators, signer: signer, scrubber: scrubber, app: app)
    let known = keepsSymbols ? try Self.explained(stored.document) : nil
    let report = try processor.process(candidates[stored.position], keeping: known).report
    return (
      report, report.document(id: stored.summary.id, received: stored.summary.received)
    )
  }

  /// The report in a document, where a debug file explains any of it.
  private static func explained(_ document: ByteView) throws -> CrashReport? {
    guard document.text.utf8.contains("\"found\"".utf8) else { return nil }
    return try CrashReport(document: document)
  }

  /// Those that were filed under the app: reports count by app, unless somebody named one for all.
  private func reports(
    of app: String, among all: [CrashReport], for stored: StoredReport
  ) throws -> [CrashReport] {
    let own = all.filter { $0.appName == app }
    if let isAppGiven = stored.isAppGiven { return isAppGiven ? all : own }
    // Written down by an older version of the program, which did not note it.
    guard !own.isEmpty && own.count < all.count else { return all }
    // Both are possible; how many were filed tells which it was.
    let filed = try store.reportCount(ofSubmission: stored.submission, app: app)
    return filed > own.count || stored.position >= own.count ? all : own
  }
}
