internal import Bytes
public import CrashModel
public import CrashStore
public import Grouping
internal import ReportDocument
internal import ReportFormats
public import Symbolication

/// Makes stored reports again from the bytes that they came in, by the same steps as the first time.
public struct ReportRemake: Sendable {
  private let store: CrashStore
  private let symbolicator: Symbolicator
  private let signer: Signer

  public init(in store: CrashStore, symbolicator: Symbolicator, signer: Signer) {
    self.store = store
    self.symbolicator = symbolicator
    self.signer = signer
  }

  /// What becomes of a report today, with its document.
  ///
  /// - Returns: `nil` when its submission reads as other reports today, and this is none of them.
  /// - Throws: ``ParseError`` when the submission cannot be read any more, `StoreError` when it is
  ///   damaged; `DatabaseError`.
  public func remake(_ stored: StoredReport) throws -> (report: CrashReport, document: [UInt8])? {
    let app = stored.summary.app
    let all = try FormatTable.reports(in: store.submission(stored.submission))
    let candidates = try reports(of: app, among: all, for: stored)
    guard candidates.indices.contains(stored.position) else { return nil }
    let processor = ReportProcessor(symbolicator: symbolicator, signer: signer, app: app)
    let report = processor.process(candidates[stored.position]).report
    return (
      report, report.document(id: stored.summary.id, received: stored.summary.received)
    )
  }

  /// Those that were filed under the app: reports count by app, unless somebody named one for all.
  private func reports(
    of app: String, among all: [CrashReport], for stored: StoredReport
  ) throws -> [CrashReport] {
    let own = all.filter { $0.appName == app }
    guard !own.isEmpty && own.count < all.count else { return all }
    // Both are possible; how many were filed tells which it was.
    let filed = try store.reportCount(ofSubmission: stored.submission, app: app)
    return filed > own.count || stored.position >= own.count ? all : own
  }
}
