public import CrashModel

/// What one request of a client brings for an app, ready to be written.
public struct ClientBatch: Sendable {
  /// A report with what its client calls it.
  public struct Report: Sendable {
    public var submission: PreparedSubmission
    /// In one spelling; the same id is the same report whatever bytes it comes in. `nil` where the
    /// client gave none: then the bytes alone tell.
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

  /// The name that the app's reports are signed under, see ``CrashStore/Apps/keyName(of:)``.
  public var app: String
  public var received: Timestamp
  /// The secret that named the app, in one spelling.
  public var secret: String?
  /// What names the installation.
  public var install: String?
  public var reports: [Report] = []
  /// Files with the id of the report that each belongs to.
  public var attachments: [(report: String, file: PreparedAttachment)] = []
  /// Files that cannot be kept, with the id of the report that each belongs to.
  public var refused: [(report: String, file: RefusedAttachment)] = []
  public var sessions: [Session] = []
  public var events: [Event] = []
  /// Reports of the same request that are not stored, and why. The ledger counts them when any of the others is
  /// new.
  public var leftOut: (count: Int, reason: String)?

  public init(app: String, received: Timestamp, install: String?) {
    self.app = app
    self.received = received
    self.install = install
  }
}

/// The app of a batch's secret is another one than when the batch was made.
public struct AppHasMoved: Error {}

/// What became of a ``ClientBatch``.
public struct ClientReceipt: Sendable {
  /// For each report, in order.
  public internal(set) var reports: [Receipt] = []
  public internal(set) var attachments = AttachmentReceipt()
  /// Attachments that wait for their report since now.
  public internal(set) var orphans = 0
  /// Sessions and events that were not known.
  public internal(set) var sessions = 0
  public internal(set) var events = 0
  /// Things stored from the same request by a process that was killed before it could report them.
  public internal(set) var again = 0

  /// Whether anything was not known when the request came.
  public var isNew: Bool {
    reports.contains { !$0.isDuplicate } || attachments.isNew
      || orphans + sessions + events + again > 0
  }

  /// Counts one of some things that came.
  mutating func count(_ acquaintance: Acquaintance, as counter: WritableKeyPath<Self, Int>) {
    switch acquaintance {
    case .new: self[keyPath: counter] += 1
    case .again: again += 1
    case .known: break
    }
  }
}

/// How much of what clients send besides reports is kept.
public enum ClientLimits {
  /// The latest events of a session that are kept.
  public static let events = 100
  /// The most attachments that wait for a report, and their bytes.
  public static let orphans = 32
  /// Days for which attachments and events wait for their report.
  public static let waitingDays = 7
  /// Days for which sessions are kept, and events of sessions with a report.
  public static let sessionDays = 90
}
