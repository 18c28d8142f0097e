public import Bytes
public import CrashModel

/// One submission as it came in: what is written before it is acknowledged.
public struct IntakeRecord: Sendable {
  /// The intake protocol over which it came, which decides what reads it.
  public var route: String
  public var received: Timestamp
  /// What was given beside the body, such as the app's key, by name.
  public var facts: [String: String]
  /// As the intake protocol keeps it: what it was packed with is undone, or given beside it.
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
  /// Grows with the order of arrival.
  public let id: Int
  public let record: IntakeRecord
  /// How often a worker took it, this time included.
  public let attempts: Int

  /// Whose turn it waited for.
  public var turn: String { IntakeQueue.turn(of: record.facts) }
}

/// A submission that was quarantined, without its body.
public struct QuarantinedSubmission: Equatable, Sendable {
  public var id: Int
  public var route: String
  public var received: Timestamp
  public var facts: [String: String]
  /// Of the body, in bytes.
  public var size: Int
  public var attempts: Int
  public var problem: String
  /// Whether the ledger of the store has counted it as refused.
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

/// What waits at one moment.
public struct QueueCounts: Equatable, Sendable {
  public var waiting = 0
  /// Of the bodies of those that wait, in bytes.
  public var waitingBytes = 0
  public var working = 0
  /// Of the bodies of those that workers have, in bytes.
  public var workingBytes = 0
  public var quarantined = 0
  /// Of the bodies of those that are quarantined, in bytes.
  public var quarantinedBytes = 0
  /// When the oldest of those that are not quarantined came in.
  public var oldest: Timestamp?
  /// How many were ever accepted: those below, those above, and no others.
  public var accepted = 0
  /// Those of which anything was new.
  public var stored = 0
  /// Those of which all was known before.
  public var duplicates = 0
  /// Those that were quarantined and then thrown away, by somebody or for want of room.
  public var discarded = 0
  /// Those that were taken out of the queue with all that came from a person.
  public var erased = 0

  /// Those that were stored, or were before.
  public var done: Int { stored + duplicates }

  public init() {}
}
