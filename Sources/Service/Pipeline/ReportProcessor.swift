public import Bytes
public import CrashModel
public import Grouping
internal import ReportFormats
public import Scrubbing
public import Symbolication

/// Turns bytes into reports with functions, lines and a signature: the first three of the four steps.
public struct ReportProcessor: Sendable {
  private let symbolicators: SymbolicatorChoice
  private let signers: SignerChoice
  private let app: String?
  let scrubber: Scrubber?

  /// - Parameters:
  ///   - scrubber: Removes secrets from reports before they are processed; `nil` if nothing is stored.
  ///   - app: The app that every report belongs to; without one, each report names its own.
  public init(
    symbolicator: Symbolicator, signer: Signer, scrubber: Scrubber?, app: String? = nil
  ) {
    self.init(
      symbolicators: SymbolicatorChoice(symbolicator), signers: SignerChoice(signer),
      scrubber: scrubber, app: app)
  }

  /// Creates a processor with the choices of each app.
  public init(
    symbolicators: SymbolicatorChoice, signers: SignerChoice, scrubber: Scrubber?,
    app: String? = nil
  ) {
    self.symbolicators = symbolicators
    self.signers = signers
    self.scrubber = scrubber
    self.app = app
  }

  /// Returns all reports in `bytes`, each symbolicated and signed.
  ///
  /// - Throws: ``ParseError`` if `bytes` contain no report; the error of a source of debug files that fails.
  public func process(_ bytes: ByteView) throws -> [ProcessedReport] {
    try FormatRegistry.builtIn.reports(in: bytes).map { try process($0) }
  }

  /// Returns all reports in `bytes`, and adds the time that each step takes.
  ///
  /// - Throws: See ``process(_:)``.
  func process(
    _ bytes: ByteView, times: inout ProcessingTimes
  ) throws -> [ProcessedReport] {
    let found = try times.measure(\.parsing) { try FormatRegistry.builtIn.reports(in: bytes) }
    return try found.map { try process($0, keeping: nil, times: &times) }
  }

  /// Returns the first reports in `bytes`, each symbolicated and signed.
  ///
  /// - Parameter most: The maximum number of reports.
  /// - Returns: The reports, and the number of further ones.
  /// - Throws: See ``process(_:)``.
  func process(
    _ bytes: ByteView, atMost most: Int
  ) throws -> (reports: [ProcessedReport], more: Int) {
    let found = try FormatRegistry.builtIn.reports(in: bytes)
    var kept = Array(found.prefix(most))
    let more = found.count - kept.count
    if more > 0, let last = kept.indices.last {
      kept[last].notes.append(
        "the limit of \(most) reports of a submission was reached; \(more) more in the same file are not stored"
      )
    }
    return (try kept.map { try process($0) }, more)
  }

  /// Returns `report`, symbolicated and signed.
  ///
  /// - Parameter known: The same report as symbolicated before: symbols from debug files that are no longer
  ///   available are kept.
  /// - Throws: The error of a source of debug files, or of the store with the rules.
  public func process(
    _ report: CrashReport, keeping known: CrashReport? = nil
  ) throws -> ProcessedReport {
    var times = ProcessingTimes()
    return try process(report, keeping: known, times: &times)
  }

  private func process(
    _ report: CrashReport, keeping known: CrashReport?, times: inout ProcessingTimes
  ) throws -> ProcessedReport {
    let scrubbed = scrubber?.scrub(report) ?? report
    let name = app ?? scrubbed.appName
    var report = try times.measure(\.symbolicating) {
      try symbolicators.symbolicator(for: name).symbolicate(scrubbed, of: name)
    }
    // The document of a report tells what other debug files told.
    if let known = known ?? (scrubbed.hasSymbols ? scrubbed : nil) {
      report.keepSymbols(of: known)
    }
    let app = app ?? report.appName
    let signer = try signers.signer(for: app)
    report.signature = times.measure(\.signing) { signer.signature(of: report, app: app) }
    report.engine?.rulesDigest = signer.rules.digest
    report.engine?.scrubRules = scrubber?.rules.version
    return ProcessedReport(app: app, report: signer.marking(report, app: app))
  }
}

extension CrashReport {
  /// Whether it was symbolicated before.
  fileprivate var hasSymbols: Bool { images.contains { $0.symbols?.verdict == .found } }
}
