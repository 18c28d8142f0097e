public import Bytes
internal import CrashModel
public import CrashStore
public import Identifiers
internal import ReportDocument
internal import ReportFormats
public import Scrubbing
internal import Symbolication

/// Stores the logs that an App Center SDK sends in one request.
public struct AppCenterIntake: Sendable {
  private let store: CrashStore
  private let symbolicators: SymbolicatorChoice
  private let signers: SignerChoice
  private let scrubber: Scrubber
  private let arrivals: Int
  private let most: Int
  private let storing: @Sendable (_ reports: Int, _ bytes: Int) throws -> Void

  /// - Parameters:
  ///   - arrivals: The value of ``CrashStore/DebugFiles/arrivals()`` before the symbolicator was made.
  ///   - most: The maximum number of crashes and errors stored per request.
  ///   - storing: Called with the amount about to be stored; if it throws, nothing is stored.
  public init(
    into store: CrashStore, symbolicators: SymbolicatorChoice, signers: SignerChoice,
    scrubber: Scrubber,
    arrivals: Int = 0, mostReports most: Int = .max,
    storing: @escaping @Sendable (_ reports: Int, _ bytes: Int) throws -> Void = { _, _ in }
  ) {
    self.most = most
    self.storing = storing
    self.store = store
    self.symbolicators = symbolicators
    self.signers = signers
    self.scrubber = scrubber
    self.arrivals = arrivals
  }

  /// The outcome of a request.
  public struct IntakeOutcome: Sendable {
    /// The current name of the app.
    public var app: String
    public var receipt: ClientReceipt
    /// The number of ignored logs by type.
    public var ignored: [String: Int]
    /// The number of attachments that could not be read or stored, by reason.
    public var unusable: [String: Int]
    /// Why a part of the container is missing.
    public var note: String?
    /// Why crashes and errors of the request were not stored, and how many.
    public var leftOut: String?
    /// The client's ids of ``ClientReceipt/reports``, in their order.
    public var reportIDs: [String?] = []

    /// A description of why useful parts of the request were not stored.
    public var problem: String? {
      let files = unusable.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
      let reasons = [note, leftOut].compactMap(\.self) + files
      return reasons.isEmpty ? nil : "stored in part: " + reasons.joined(separator: "; ")
    }
  }

  /// Stores all logs of a request in one transaction. Repeating it has no effect.
  ///
  /// - Parameters:
  ///   - container: The decompressed body.
  ///   - appSecret: The value of `App-Secret`, in any spelling.
  ///   - installID: The value of `Install-ID`.
  ///   - source: A description of the origin.
  ///   - progress: That of the submission, if a queue has handed it out.
  /// - Throws: ``ParseError`` if the body is not a container of logs: retrying cannot help. `FileError` or
  ///   `DatabaseError`, such as on a full disk.
  public func store(
    _ container: ByteView, appSecret: String, installID: String?, received: Timestamp,
    source: String = "App Center", progress: IntakeProgress? = nil
  ) throws -> IntakeOutcome {
    let secret = AppCenterLogs.canonicalID(appSecret)
    while true {
      do {
        return try store(
          container, app: store.apps.app(forSecret: secret), secret: secret, installID: installID,
          received: received, source: source, progress: progress)
      } catch is BatchAppChanged {
        // The secret was given to another app in the meantime, whose ids differ.
      }
    }
  }

  /// Stores logs that were saved elsewhere, as ``store(_:appSecret:installID:received:source:progress:)`` does.
  ///
  /// - Parameters:
  ///   - app: The name by which signatures are computed, see ``CrashStore/Apps/keyName(of:)``.
  ///   - received: When they arrived where they were saved.
  /// - Throws: See ``store(_:appSecret:installID:received:source:progress:)``.
  public func store(
    _ container: ByteView, ofApp app: String, received: Timestamp, source: String
  ) throws -> IntakeOutcome {
    try store(
      container, app: app, secret: nil, installID: nil, received: received, source: source,
      progress: nil)
  }

  private func store(
    _ container: ByteView, app: String, secret: String?, installID: String?, received: Timestamp,
    source: String, progress: IntakeProgress?
  ) throws -> IntakeOutcome {
    let received = received.wholeMicroseconds
    let logs = try AppCenterLogs(
      parsing: container, installID: installID, received: received)
    let install = installID.flatMap { $0.isEmpty ? nil : AppCenterLogs.canonicalID($0) }
    var batch = ClientBatch(app: app, received: received, install: install)
    batch.secret = secret
    batch.progress = progress
    let more = max(0, logs.reports.count - most)
    let leftOut = more.addingClamped(logs.skipped)
    if leftOut > 0 {
      let reason =
        more > 0
        ? SubmissionLimits.reason(reports: most) : "limit of logs of one request reached"
      batch.leftOut = (leftOut, reason)
    }
    for report in logs.reports.prefix(most) {
      batch.reports.append(
        ClientBatch.Report(
          try prepare(report, app: app, source: source, received: received), id: report.id,
          kind: report.kind, session: report.session, time: believed(report.time, received),
          version: report.version, build: report.build))
    }
    var unusable = logs.unusable
    for attachment in logs.attachments {
      batch.attachments.append(
        (
          attachment.reportID,
          try PreparedAttachment(
            scrubber.scrub(attachment.name), scrubber.scrub(file: attachment.bytes),
            contentType: attachment.contentType)
        ))
    }
    for file in logs.refused {
      batch.refused.append(
        (file.reportID, RefusedAttachment(name: scrubber.scrub(file.name), reason: file.reason)))
    }
    for session in logs.sessions {
      batch.sessions.append(
        ClientBatch.Session(
          id: session.id, time: believed(session.time, received), version: session.version,
          build: session.build))
    }
    for event in logs.events {
      batch.events.append(
        ClientBatch.Event(
          session: event.session, id: event.isPage ? SessionEvent.pageID : event.id,
          scrubber.scrub(
            Breadcrumb(
              time: event.time, name: event.name,
              properties: Dictionary(
                event.properties.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })))))
    }
    try storing(
      batch.reports.count, batch.reports.reduce(0) { $0 + $1.submission.packedCount })
    let receipt = try store.sessions.add(batch)
    for file in receipt.attachments.leftOut { unusable[file.reason, default: 0] += 1 }
    return IntakeOutcome(
      app: try store.apps.name(of: app), receipt: receipt, ignored: logs.ignored,
      unusable: unusable,
      note: logs.note,
      leftOut: batch.leftOut.map { "\($0.reason): \($0.count) not stored" },
      reportIDs: batch.reports.map(\.id))
  }

  /// Returns the spelling under which a client's id is stored.
  public static func canonicalID(_ text: String) -> String { AppCenterLogs.canonicalID(text) }

  private func prepare(
    _ report: AppCenterLogs.Report, app: String, source: String, received: Timestamp
  ) throws -> PreparedSubmission {
    let processor = ReportProcessor(
      symbolicators: symbolicators, signers: signers, scrubber: scrubber, app: app)
    let bytes = scrubber.submission(report.submission)
    let processed = try processor.process(bytes)
    let submission = Submission(
      bytes: bytes, source: source, received: received, app: app, isAppGiven: true)
    let ids = ReportID.ids(of: bytes, app: app, count: processed.count)
    return try PreparedSubmission(
      submission,
      reports: zip(processed, ids).map { processed, id in
        (
          processed.report,
          ByteView(processed.report.document(id: id, received: received))
        )
      }, arrivals: arrivals)
  }

  /// Returns the device's time, unless it is off by more than the service allowed.
  private func believed(_ time: Timestamp?, _ received: Timestamp) -> Timestamp {
    guard let time, AppCenterLogs.Clock(time, received: received) == nil else { return received }
    return time
  }
}
