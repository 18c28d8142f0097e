public import Identifiers

/// Sessions of an app that a client reports, ready to be written.
public struct SessionBatch: Sendable {
  /// Maximum number of sessions and counts in one batch together.
  public static let most = 1_000
  /// Maximum number of characters of an id, a user's name or a version.
  public static let longestText = 200
  /// Maximum number of sessions in a count.
  public static let mostCounted = 1_000_000_000
  /// Maximum duration of a session, in seconds: the time for which sessions are kept.
  public static let longestDuration = ClientLimits.sessionDays * 86_400

  public struct Session: Sendable {
    public var id: String
    /// The id of the installation or user; `nil` where neither is known.
    public var person: String?
    public var release: Release
    public var started: Timestamp
    /// In microseconds; `nil` where unknown.
    public var duration: Int?
    public var status: SessionStatus

    public init(
      id: String, person: String? = nil, release: Release, started: Timestamp, duration: Int? = nil,
      status: SessionStatus = .ok
    ) {
      self.id = id
      self.person = person
      self.release = release
      self.started = started
      self.duration = duration
      self.status = status
    }
  }

  /// Sessions that a client only counted, without ids or users.
  public struct Count: Sendable {
    /// The id of the count: sent twice, it counts once.
    public var id: String
    public var release: Release
    public var started: Timestamp
    public var sessions: Int
    public var crashed: Int

    public init(id: String, release: Release, started: Timestamp, sessions: Int, crashed: Int) {
      self.id = id
      self.release = release
      self.started = started
      self.sessions = sessions
      self.crashed = crashed
    }
  }

  public var app: String
  public var received: Timestamp
  public var sessions: [Session] = []
  public var counts: [Count] = []

  public init(app: String, received: Timestamp) {
    self.app = app
    self.received = received
  }

  /// The time by a device's clock, or the time of receipt if sessions of that time are no longer
  /// kept or it is more than a day ahead.
  static func believed(_ time: Timestamp, received: Timestamp) -> Timestamp {
    let day = received.day
    return (day - ClientLimits.sessionDays...day + 1).contains(time.day) ? time : received
  }
}

/// The outcome of storing a ``SessionBatch``.
public struct SessionReceipt: Hashable, Sendable {
  /// New sessions and counts.
  public var new = 0
  /// Sessions that got new data.
  public var changed = 0
  /// Sessions and counts that had no new data.
  public var known = 0

  public init() {}
}
