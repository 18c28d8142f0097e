public import CrashModel
public import Identifiers

/// The data of one client request for an app, ready to be written.
public struct ClientBatch: Sendable {
  /// A report with the client's id for it.
  public struct Report: Sendable {
    public var submission: PreparedSubmission
    /// The client's id, normalised; the same id is the same report whatever its bytes. `nil` where the client
    /// gave none: then only identical bytes are the same report.
    public var id: String?
    public var kind: ReportKind
    public var session: String?
    public var time: Timestamp
    public var version: String
    public var build: String

    public init(
      _ submission: PreparedSubmission, id: String?, kind: ReportKind, session: String?,
      time: Timestamp, version: String, build: String = ""
    ) {
      self.submission = submission
      self.id = id
      self.kind = kind
      self.session = session
      self.time = time
      self.version = version
      self.build = build
    }
  }

  public struct Session: Sendable {
    public var id: String
    public var time: Timestamp
    public var version: String
    public var build: String

    public init(id: String, time: Timestamp, version: String, build: String = "") {
      self.id = id
      self.time = time
      self.version = version
      self.build = build
    }
  }

  public struct Event: Sendable {
    public var session: String
    public var id: String
    public var crumb: Breadcrumb

    public init(session: String, id: String, _ crumb: Breadcrumb) {
      self.session = session
      self.id = id
      self.crumb = crumb
    }
  }

  /// The name by which signatures of the app's reports are computed, see ``CrashStore/Apps/keyName(of:)``.
  public var app: String
  public var received: Timestamp
  /// The secret that identified the app, normalised.
  public var secret: String?
  /// The id of the installation.
  public var install: String?
  public var reports: [Report] = []
  /// Files with the id of the report they belong to.
  public var attachments: [(report: String, file: PreparedAttachment)] = []
  /// Files that cannot be stored, with the id of the report they belong to.
  public var refused: [(report: String, file: RefusedAttachment)] = []
  public var sessions: [Session] = []
  public var events: [Event] = []
  /// The progress of the submission of a queue that the request is, if it is one.
  public var progress: IntakeProgress?
  /// The number of reports of the same request that are not stored, and the reason. The ledger counts them
  /// when any of the others is new.
  public var leftOut: (count: Int, reason: String)?

  public init(app: String, received: Timestamp, install: String?) {
    self.app = app
    self.received = received
    self.install = install
  }
}

/// The batch's secret has moved to another app since the batch was made.
public struct BatchAppChanged: Error {}

/// The outcome of a ``ClientBatch``.
public struct ClientReceipt: Sendable {
  /// For each report, in order.
  public internal(set) var reports: [Receipt] = []
  public internal(set) var attachments = AttachmentReceipt()
  /// Attachments that now wait for their report.
  public internal(set) var orphans = 0
  /// New sessions and events.
  public internal(set) var sessions = 0
  public internal(set) var events = 0
  /// Whether anything was new when a process that was killed before it could report it stored the request.
  var wasNew = false

  /// Whether anything in the request was new.
  public var isNew: Bool {
    wasNew || reports.contains { !$0.isDuplicate } || attachments.isNew
      || orphans + sessions + events > 0
  }

  /// Counts a received item.
  mutating func count(_ isNew: Bool, as counter: WritableKeyPath<Self, Int>) {
    if isNew { self[keyPath: counter] += 1 }
  }
}

/// Limits on the data that clients send besides reports.
public enum ClientLimits {
  /// Maximum number of events per session; the latest are kept.
  public static let events = 100
  /// Maximum number of attachments that wait for a report.
  public static let orphans = 32
  /// Days for which attachments and events wait for their report.
  public static let waitingDays = 7
  /// Days for which sessions are kept, and events of sessions with a report.
  public static let sessionDays = 90
}
