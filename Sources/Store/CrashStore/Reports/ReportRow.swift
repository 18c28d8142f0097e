internal import CrashModel
internal import Hashing
internal import Bytes
internal import Likeness
internal import Query

/// What the tables hold of a report; the rest is in its document.
struct ReportRow: Sendable {
  /// How far into the future a device's clock may be before the time of arrival is taken instead, in
  /// seconds.
  private static let clockTolerance: Int64 = 86_400

  let id: String
  let format: String
  let kind: ReportKind
  let version: String
  let build: String
  let time: Timestamp
  let received: Timestamp
  let os: String
  let device: String
  /// The first 16 bytes of the SHA-256 of what names the installation.
  let install: [UInt8]?
  /// The hash of the installation, or of the user where there is none.
  let person: [UInt8]?
  /// The session in which it happened; empty where the report names none.
  let session: String
  let reason: String?
  let signature: Signature
  /// The SHA-256 of the rules that made it, in hexadecimal.
  let rulesDigest: String?
  /// The images whose debug files were used or could be.
  let images: [ImageRow]
  let system: SystemRow
  let symbols: SymbolCoverage
  /// The digest of the document.
  let document: [UInt8]
  /// The stack that the signature was made from.
  let stack: NormalisedStack
  /// Its id.
  let variant: String
  /// What it is compared by; `nil` where it has no frames to compare.
  let features: StackFeatures?
  /// `nil` where its key is never linked.
  let linkFacts: LinkFacts?
  /// What it is found by.
  let entry: SearchEntry

  /// - Parameter source: Where the submission came from.
  /// - Throws: ``StoreError`` without a signature.
  init(
    _ report: CrashReport, id: String, received: Timestamp, document: [UInt8],
    source: String = ""
  ) throws(StoreError) {
    guard let signature = report.signature else { throw .unsigned(report: id) }
    self.id = id
    format = report.format.description
    kind = report.kind
    version = report.app.version ?? ""
    build = report.app.build ?? ""
    let latest = received.seconds.addingReportingOverflow(Self.clockTolerance)
    time = report.time.flatMap { $0.seconds <= latest.partialValue ? $0 : nil } ?? received
    self.received = received
    os = [report.os.name, report.os.version].compactMap { $0 }.joined(separator: " ")
    device = report.device.model ?? ""
    install = report.install.map(Self.hash(ofInstall:))
    person = report.person
    session = report.sessionID
    reason = report.reason.line
    self.signature = signature
    rulesDigest = report.engine?.rulesDigest
    symbols = SymbolCoverage(of: report)
    self.document = document
    images = ImageRow.rows(of: report, signature)
    system = SystemRow(of: report)
    stack = NormalisedStack(signature, type: report.reason.shortType)
    let features = StackFeatures(stack)
    self.features = features.frames > 0 ? features : nil
    linkFacts = LinkFacts(signature, stack, of: report)
    let values = ReportValues(
      report, id: id, app: "", time: time, received: received, source: source)
    variant = values.variant
    entry = SearchEntry(values, install: install)
  }
}

extension ReportRow {
  /// The debug ids whose debug files the report could use.
  var waitsFor: [String] { images.filter(\.isWaiting).map(\.debugID) }

  /// What is kept of what names an installation.
  static func hash(ofInstall name: String) -> [UInt8] {
    Array(SHA256.digest(of: ByteView(name.utf8)).prefix(16))
  }

  /// What groups count of it.
  var counted: CountedReport {
    CountedReport(
      id: id, time: time.wholeMicroseconds, version: version, build: build, os: os, device: device,
      install: install, reason: reason, symbols: symbols.rawValue)
  }
}
