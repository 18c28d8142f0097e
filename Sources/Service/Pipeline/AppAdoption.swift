internal import Bytes
public import CrashStore
public import Grouping
internal import ReportDocument
internal import Scrubbing
internal import Symbolication

/// Moves the reports of an unnamed secret to an app that has its own reports.
///
/// Report ids and group keys depend on the app's name, so each report is reprocessed from its original bytes
/// and stored under the other app. It can be interrupted at any time and run again with the same result: the
/// same bytes count once, and the unnamed app is deleted when all its reports are stored.
public struct AppAdoption: Sendable {
  private let store: CrashStore
  private let signers: SignerChoice

  /// The number of submissions stored in one transaction.
  private static let batch = 64

  public init(in store: CrashStore, signer: Signer) {
    self.store = store
    signers = SignerChoice(in: store, standard: signer)
  }

  /// - Parameters:
  ///   - secret: The secret, or an unambiguous prefix of it.
  ///   - name: The name of the app; if it is new, the unnamed app is renamed.
  /// - Returns: The number of submissions stored for the app.
  /// - Throws: `StoreError`, such as `nameTaken` for a secret of an app with its own name; `FileError`,
  ///   `DatabaseError`.
  @discardableResult
  public func run(secret: String, into name: String) throws -> Int {
    let (old, isUnnamed) = try store.apps.app(ofSecretStarting: secret)
    guard isUnnamed, old != name, try store.apps.list().contains(where: { $0.name == name }) else {
      try store.apps.adopt(secret: secret, as: name)
      return 0
    }
    let scrubber = try Scrubber(of: store.settings)
    let key = try store.apps.keyName(of: name)
    var (count, last) = (0, 0)
    repeat {
      let arrivals = try store.debugFiles.arrivals()
      let processor = ReportProcessor(
        symbolicators: try StoredSymbolicators(
          in: store, pool: SymbolCachePool(folder: store.caches)
        ).choice,
        signers: signers, scrubber: scrubber, app: key)
      while true {
        let batch = try store.apps.submissions(of: old, after: last, limit: Self.batch)
        guard let end = batch.last?.row else { break }
        try store.reports.add(
          batch.map { try prepare($0, for: key, by: processor, arrivals: arrivals) })
        last = end
        count += batch.count
      }
    } while try !store.apps.finishMove(of: old, into: name, through: last)
    return count
  }

  private func prepare(
    _ item: AppSubmission, for app: String, by processor: ReportProcessor, arrivals: Int
  ) throws -> PreparedSubmission {
    var submission = item.submission
    submission.app = app
    submission.isAppGiven = true
    // Bytes without a report are kept for a later version of the program. Other errors are thrown.
    let processed: [ProcessedReport]
    do {
      processed = try processor.process(submission.bytes)
    } catch is ParseError {
      processed = []
    }
    let ids = ReportID.ids(of: submission.bytes, app: app, count: processed.count)
    var prepared = try PreparedSubmission(
      submission,
      reports: zip(processed, ids).map { processed, id in
        (
          processed.report,
          ByteView(processed.report.document(id: id, received: submission.received))
        )
      }, arrivals: arrivals)
    for attachment in item.attachments { prepared.attach(attachment) }
    return prepared
  }
}
