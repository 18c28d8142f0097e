internal import Bytes
internal import CrashModel
internal import Crypto
internal import Identifiers
internal import Likeness
internal import Query

/// The columns of a report in the tables; the rest is in its document.
struct ReportRow: Sendable {
  /// How far ahead a device's clock may be, in seconds, before the time of arrival is used instead.
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
  /// The first 16 bytes of the SHA-256 of the installation's id.
  let install: [UInt8]?
  /// The hash of the installation, or of the user if there is none.
  let person: [UInt8]?
  /// The session in which it happened; empty where the report names none.
  let session: String
  let reason: String?
  /// Without the steps of the frames.
  let signature: Signature
  /// The SHA-256 of the rules that made the signature, in hexadecimal.
  let rulesDigest: String?
  /// The images whose debug files were used or could be.
  let images: [ImageRow]
  let system: SystemRow
  let symbols: SymbolCoverage
  /// The digest of the document.
  let document: [UInt8]
  /// The part of the stack of the signature that is stored.
  let stack: NormalisedStack
  /// The id of the stack.
  let variant: String
  /// The features by which stacks are compared; `nil` where it has no frames to compare.
  let features: StackFeatures?
  /// Facts for linking its key; `nil` where the key is never linked.
  let linkFacts: LinkFacts?
  /// Its entry in the search index.
  let entry: SearchEntry

  /// - Parameter source: The source of the submission.
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
    self.signature = signature.withoutFrames
    rulesDigest = report.engine?.rulesDigest
    symbols = SymbolCoverage(of: report)
    self.document = document
    images = ImageRow.rows(of: report, signature)
    system = SystemRow(of: report)
    var stack = NormalisedStack(signature, type: report.reason.shortType)
    let features = StackFeatures(stack)
    self.features = features.frames > 0 ? features : nil
    linkFacts = LinkFacts(signature, stack, of: report)
    // Hundreds of rows wait to be stored together, and stacks are long.
    stack.calls = Array(stack.calls.prefix(StacksTable.calls))
    self.stack = stack
    let values = ReportValues(
      report, id: id, app: "", time: time, received: received, source: source)
    variant = values.variant
    entry = SearchEntry(values, install: install)
  }
}

extension Signature {
  /// The signature with those of its steps that name a part of the text or an alternative key.
  fileprivate var withoutFrames: Signature {
    var signature = self
    signature.steps = steps.filter { $0.frame == nil || $0.subject == Self.alternativeSubject }
    return signature
  }
}

extension ReportRow {
  /// The approximate number of bytes that it takes in memory.
  var heldBytes: Int {
    let terms = entry.terms + (entry.stack?.terms ?? []) + (entry.tags?.terms ?? [])
    let texts = terms.map(\.text) + stack.calls.map(\.token) + signature.steps.map(\.result)
    return texts.reduce(2_048) { $0 + $1.utf8.count + 48 }
      + images.reduce(0) { $0 + 384 + $1.name.utf8.count + ($1.path?.utf8.count ?? 0) }
  }

  /// The debug ids whose debug files the report could use.
  var waitsFor: [String] { images.filter(\.isWaiting).map(\.debugID) }

  /// The hash that is stored for the id of an installation.
  static func hash(ofInstall name: String) -> [UInt8] {
    Array(SHA256.digest(of: ByteView(name.utf8)).prefix(16))
  }

  /// The values of the report that groups count.
  var counted: CountedReport {
    CountedReport(
      id: id, time: time.wholeMicroseconds, version: version, build: build, os: os, device: device,
      install: install, reason: reason, symbols: symbols.rawValue)
  }
}
