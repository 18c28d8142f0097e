public import Bytes
public import CrashModel
public import CrashStore
public import Grouping
internal import ReportDocument
internal import ReportFormats
public import Scrubbing
public import Symbolication

/// Reprocesses stored reports from their original bytes, by the same steps as the first time.
public struct ReprocessingWorker: Sendable {
  private let store: CrashStore
  private let symbolicators: SymbolicatorChoice
  private let signers: SignerChoice
  private let scrubber: Scrubber

  public init(
    in store: CrashStore, symbolicator: Symbolicator, signer: Signer, scrubber: Scrubber
  ) {
    self.init(
      in: store, symbolicators: SymbolicatorChoice(symbolicator), signer: signer,
      scrubber: scrubber
    )
  }

  /// Creates a reprocessor with the choices of each app.
  ///
  /// - Parameter signer: For apps that never chose rules.
  public init(
    in store: CrashStore, symbolicators: SymbolicatorChoice, signer: Signer, scrubber: Scrubber
  ) {
    self.init(
      in: store, symbolicators: symbolicators,
      signers: SignerChoice(in: store, standard: signer), scrubber: scrubber)
  }

  init(
    in store: CrashStore, symbolicators: SymbolicatorChoice, signers: SignerChoice,
    scrubber: Scrubber
  ) {
    self.store = store
    self.symbolicators = symbolicators
    self.signers = signers
    self.scrubber = scrubber
  }

  /// Returns the current result for a report, with its document.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to process. Default: the stored submission.
  ///   - digest: The digest of the rules to sign by, among all its app ever had. Default: the current ones.
  ///   - keepsSymbols: Whether symbols from debug files that were deleted are kept.
  /// - Returns: `nil` if its submission now contains other reports, and this one is not among them.
  /// - Throws: ``ParseError`` if the submission can no longer be read, `StoreError` if it is damaged;
  ///   `DatabaseError`.
  public func reprocess(
    _ record: ReportRecord, from bytes: ByteView? = nil, rules digest: String? = nil,
    keepsSymbols: Bool = false
  ) throws -> (report: CrashReport, document: [UInt8])? {
    let app = record.keyName
    let all = try FormatRegistry.builtIn.reports(
      in: bytes ?? store.reports.submission(record.submission))
    // Reports count by app, unless one was named for all.
    let candidates = record.isAppGiven ? all : all.filter { $0.appName == app }
    guard candidates.indices.contains(record.position) else { return nil }
    let known = try digest.flatMap { try signers.signer(for: app, digest: $0) }
    let processor = ReportProcessor(
      symbolicators: symbolicators, signers: known.map { SignerChoice($0) } ?? signers,
      scrubber: scrubber, app: app)
    let symbolicated = keepsSymbols ? try Self.explained(record.document) : nil
    var read = candidates[record.position]
    if read.awaitsDump, record.attachments.contains(where: { $0.name == CrashReport.dumpName }) {
      let dump = try store.attachments.get(CrashReport.dumpName, of: record.summary.id)
      read.read(dump: dump.bytes)
    }
    let report = try processor.process(read, keeping: symbolicated).report
    return (
      report, report.document(id: record.summary.id, received: record.summary.received)
    )
  }

  /// Returns the report of a stored document, signed by the current rules, with its document.
  ///
  /// - Throws: ``ParseError`` for a document that cannot be read; `DatabaseError`.
  func signAgain(_ record: ReportRecord) throws -> SignedAgain {
    let stored = try StoredReport(document: record.document).report
    guard stored.isEnoughToSign else { return .notEnough }
    let app = record.keyName
    let signer = try signers.signer(for: app)
    var report = stored.withoutMarks()
    report.signature = signer.signature(of: report, app: app)
    report.engine?.rulesDigest = signer.rules.digest
    report = signer.marking(report, app: app)
    var unchanged = report
    unchanged.engine?.rulesDigest = stored.engine?.rulesDigest
    if unchanged == stored { return .same }
    return .signed(
      report, report.document(id: record.summary.id, received: record.summary.received))
  }

  /// Returns a signer's signature of a stored report.
  ///
  /// - Returns: `nil` for a report that can no longer be read: its group stays unchanged.
  /// - Throws: The store's error.
  func signature(of record: ReportRecord, by signer: Signer) throws -> Signature? {
    do {
      let stored = try StoredReport(document: record.document).report
      if stored.isEnoughToSign {
        return signer.signature(of: stored.withoutMarks(), app: record.keyName)
      }
      return try ReprocessingWorker(
        in: store, symbolicators: symbolicators, signers: SignerChoice(signer), scrubber: scrubber
      ).reprocess(record, keepsSymbols: true)?.report.signature
    } catch is ParseError {
      return nil
    }
  }

  enum SignedAgain {
    case signed(CrashReport, [UInt8])
    /// The rules give the same signature.
    case same
    /// The document has less information than the submission.
    case notEnough
  }

  /// Returns the report in a document, if any of it was symbolicated.
  private static func explained(_ document: ByteView) throws -> CrashReport? {
    guard document.text.utf8.contains("\"found\"".utf8) else { return nil }
    return try CrashReport(document: document)
  }
}
