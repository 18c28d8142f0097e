import Archives
import Bytes
import CrashModel
import CrashStore
import Files
import Glibc
import Identifiers
import ReportDocument
import TestSupport
import Testing
import TriageModel

@testable import HomeArchive

/// A store with a bit of everything, and its archive.
struct ArchiveFixture {
  let folder = ScratchFolder()
  let store: CrashStore
  static let start = Timestamp(seconds: 1_700_000_000)

  init() throws {
    UnpackProgram.path = BuiltProgram.mayday
    store = try CrashStore(opening: folder.path("home"))
  }

  static func report(_ key: String, version: String = "1.0", seconds: Int64 = 0) -> CrashReport {
    var report = CrashReport(format: .appleIPS, kind: .crash)
    report.app = AppIdentity(name: "Tern", version: version, build: "7")
    report.time = Timestamp(seconds: start.seconds + seconds)
    report.install = "install \(seconds % 3)"
    report.signature = Signature(
      text: "text of \(key)", key: key, alternativeKeys: [], category: .signal, rules: "v1",
      isProvisional: false, waitsFor: [])
    return report
  }

  /// Stores a submission for each report.
  @discardableResult
  static func file(
    _ reports: [CrashReport], named name: String, app: String = "Tern", into store: CrashStore
  ) throws -> [String] {
    try store.reports.add(
      reports.enumerated().map { number, report in
        let submission = Submission(
          bytes: ByteView("\(name) \(number)\u{0}\n\"é".utf8), source: "in/\(name)",
          received: start, app: app)
        let id = ReportID.ids(of: submission.bytes, app: app, count: 1)[0]
        return try PreparedSubmission(
          submission,
          reports: [(report, ByteView(report.document(id: id, received: start)))])
      }
    ).flatMap { $0.reports.map(\.report) }
  }

  /// Fills the store: two apps, a debug file, a refusal, an attachment, a session, expired reports.
  func fill() throws {
    try Self.file(
      (0..<9).map { Self.report("k\($0 % 3)", version: "\($0 % 2).0", seconds: $0) }, named: "a",
      into: store)
    try Self.file([Self.report("k0")], named: "b", app: "Öther \u{1f426}", into: store)
    var prepared = try PreparedSubmission(
      Submission(
        bytes: ByteView("with a file".utf8), source: "x", received: Self.start, app: "Tern"),
      reports: [(Self.report("k9", seconds: 77), ByteView(Self.report("k9").document(id: "")))])
    // Nested archives stay as they are.
    prepared.attach(try PreparedAttachment("log.gz", ByteView([0x1f, 0x8b, 8, 0, 1, 2, 3])))
    try store.reports.add([prepared])
    var batch = ClientBatch(app: "Tern", received: Self.start, install: "phone")
    batch.sessions = [ClientBatch.Session(id: "s", time: Self.start, version: "1.0")]
    _ = try store.sessions.add(batch)
    try store.ledger.refuse(
      [Refusal(source: "x", reason: "no\tgood", digest: [1], byteCount: 3)], app: nil,
      time: Self.start)
    let bytes = ByteView("a debug file".utf8)
    try store.debugFiles.add(
      bytes,
      records: [
        DebugFileRecord(
          debugID: DebugID(uuid: [7, 7]), codeID: nil, architecture: Architecture("arm64"),
          kind: "debug-info", name: "Tern", digest: SHA256Text.of(bytes), size: bytes.count,
          added: Self.start)
      ])
    _ = try store.retention.expire(Retention(perGroup: 1), of: "Tern", at: Self.start)
    try store.retention.setLimits(Retention(days: 3), of: "Tern")
  }

  /// The results of all queries.
  static func picture(_ store: CrashStore) throws -> [String] {
    let reports = try store.reports.list()
    let groups = try store.groups.list()
    var picture =
      reports.map { "\($0)" } + groups.map { "\($0)" } + ["\(try store.reports.totals())"]
    for report in reports {
      let stored = try store.reports.get(report.id)
      picture.append(
        "\(stored.document.text) \(try store.reports.submission(stored.submission).array)")
      for attachment in try store.attachments.list(of: report.id) {
        picture.append("\(try store.attachments.get(attachment.name, of: report.id).bytes.array)")
      }
    }
    for group in groups { picture.append("\(try store.groups.history(ofGroup: group.id))") }
    for file in try store.debugFiles.list() {
      picture.append("\(file) \(try store.debugFiles.get(file.digest, isChecked: true).array)")
    }
    return picture + [
      "\(try store.ledger.get())", "\(try store.apps.list())", "\(try store.ledger.refusals())",
    ]
  }

  /// The archive of the whole store.
  @discardableResult
  func backup(_ name: String = "a.tar.zst") throws -> String {
    let path = folder.path(name)
    _ = try HomeArchiveWriter(.everything, engine: "test 1").write(
      store, to: path, replacing: true)
    return path
  }

  /// The members of an archive, in their order.
  func members(_ path: String) throws -> [(name: String, bytes: [UInt8])] {
    var limits = ArchiveLimits()
    limits.opensInside = false
    var members: [(name: String, bytes: [UInt8])] = []
    try ArchiveReader(limits: limits).forEachMember(of: path) { member in
      members.append((member.path, member.bytes.array))
      return .next
    }
    return members
  }

  /// An archive of members.
  func pack(_ members: [(name: String, bytes: [UInt8])], as name: String = "p.tar") throws -> String
  {
    let path = folder.path(name)
    var writer = try ArchiveWriter(creating: path, format: .tarZstd, replacing: true)
    for member in members { try writer.add(member.name, ByteView(member.bytes), modified: 0) }
    try writer.finish()
    return path
  }
}

extension ScratchFolder {
  /// The bytes of a file.
  func bytes(_ name: String) -> [UInt8] {
    (try? ByteView(reading: path(name), limit: 1 << 30).array) ?? []
  }
}
