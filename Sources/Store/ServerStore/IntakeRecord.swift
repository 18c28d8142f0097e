public import Bytes
public import Identifiers

/// One submission as it was received, written before it is acknowledged.
public struct IntakeRecord: Sendable {
  /// The intake protocol over which it was received, which determines its reader.
  public var route: String
  public var received: Timestamp
  /// Named values that accompanied the body, such as the app's key.
  public var facts: [String: String]
  /// The body as the intake protocol stores it: encodings are undone, or recorded in the facts.
  public var body: ByteView

  public init(
    route: String, received: Timestamp, facts: [String: String] = [:], body: ByteView
  ) {
    self.route = route
    self.received = received
    self.facts = facts
    self.body = body
  }
}

/// A submission that waits, is with a worker, or was quarantined.
public struct QueuedRecord: Sendable {
  /// Increases in the order of arrival.
  public let id: Int
  /// Its identity in the store, in this home and in a copy of it.
  public let identity: IntakeID
  public let record: IntakeRecord
  /// Number of times that a worker took it, including this one.
  public let attempts: Int

  /// The turn for which it waited.
  public var turn: String { IntakeQueue.turn(of: record.facts) }
}

/// A submission that was quarantined, without its body.
public struct QuarantinedSubmission: Equatable, Sendable {
  public var id: Int
  public var route: String
  public var received: Timestamp
  public var facts: [String: String]
  /// The size of the body, in bytes.
  public var size: Int
  public var attempts: Int
  public var problem: String
  /// Whether the store's ledger has counted it as refused.
  public var isCounted: Bool

  public init(
    id: Int, route: String, received: Timestamp, facts: [String: String], size: Int, attempts: Int,
    problem: String, isCounted: Bool
  ) {
    self.id = id
    self.route = route
    self.received = received
    self.facts = facts
    self.size = size
    self.attempts = attempts
    self.problem = problem
    self.isCounted = isCounted
  }
}

/// Counts of a queue at one moment.
public struct QueueCounts: Equatable, Sendable {
  public var waiting = 0
  /// Size of the waiting bodies, in bytes.
  public var waitingBytes = 0
  public var working = 0
  /// Size of the bodies that workers have, in bytes.
  public var workingBytes = 0
  public var quarantined = 0
  /// Size of the quarantined bodies, in bytes.
  public var quarantinedBytes = 0
  /// When the oldest submission that is not quarantined was received.
  public var oldest: Timestamp?
  /// Number of submissions ever accepted: exactly those counted above and below.
  public var accepted = 0
  /// Submissions with anything new.
  public var stored = 0
  /// Submissions in which everything was known before.
  public var duplicates = 0
  /// Submissions that were quarantined and then discarded, by a user or to limit space.
  public var discarded = 0
  /// Submissions that were deleted because a user or installation was erased.
  public var erased = 0

  /// Submissions that were stored, now or before.
  public var done: Int { stored + duplicates }

  public init() {}
}
