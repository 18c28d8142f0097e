public import Bytes
public import CrashModel
public import CrashStore
public import Grouping
internal import Scrubbing
internal import Symbolication

/// Applies a home's scrubbing and grouping rules to imported reports.
///
/// A report made by other rules is reprocessed from its submission, like a new one; symbols from debug files
/// that were not imported are kept.
public struct ImportScrubbing: ImportTransform {
  private let scrubber: Scrubber
  private let signers: SignerChoice
  private let caches: String

  /// - Parameter store: The destination of the reports.
  /// - Throws: `ScrubError` for invalid rules.
  public init(into store: CrashStore, signer: Signer) throws {
    scrubber = try Scrubber(of: store.settings)
    caches = store.caches
    signers = SignerChoice(in: store, standard: signer)
  }

  public func isTreated(_ report: CrashReport, of app: String) throws -> Bool {
    let rules = try signers.signer(for: app).rules
    return report.engine?.scrubRules == scrubber.rules.version
      && report.engine?.rulesDigest == rules.digest
  }

  public func treat(_ text: String) -> String { scrubber.scrub(text) }
  public func treat(file: ByteView) -> ByteView { scrubber.scrub(file: file) }
  public func treat(submission: ByteView) -> ByteView { scrubber.submission(submission) }

  public func treat(
    _ report: CrashReport, id: String, in other: CrashStore
  ) throws -> CrashReport {
    let stored = try other.reports.get(id)
    let signer = try signers.signer(for: stored.summary.app)
    let reprocessor = ReprocessingWorker(
      in: other,
      symbolicators: try StoredSymbolicators(in: other, pool: SymbolCachePool(folder: caches))
        .choice,
      signers: SignerChoice(signer), scrubber: scrubber)
    let bytes = scrubber.submission(try other.reports.submission(stored.submission))
    let reprocessed = try StoreError.unlessDamaged {
      try reprocessor.reprocess(stored, from: bytes, keepsSymbols: true)
    }
    if let reprocessed, let (report, _) = reprocessed { return report }
    // A report that can no longer be read is scrubbed as stored, and signed by the rest.
    var report = scrubber.scrub(report)
    report.signature = signer.signature(of: report, app: stored.keyName)
    report.engine?.scrubRules = scrubber.rules.version
    report.engine?.rulesDigest = signer.rules.digest
    return signer.marking(report, app: stored.keyName)
  }
}
