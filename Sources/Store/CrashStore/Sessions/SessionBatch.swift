public import CrashModel

/// Sessions of an app that a client reports, ready to be written.
public struct SessionBatch: Sendable {
  /// The most sessions and counts of one batch together.
  public static let most = 1_000
  /// The most characters of an id, a user's name or a version.
  public static let longestText = 200
  /// The most sessions of a count.
  public static let mostCounted = 1_000_000_000
  /// The longest duration of a session, in seconds; it cannot be longer than sessions are kept.
  public static let longestDuration = ClientLimits.sessionDays * 86_400

  public struct Session: Sendable {
    public var id: String
    /// What names the installation, or the user; `nil` where neither is known.
    public var person: String?
    public var release: Release
    public var started: Timestamp
    /// In microseconds; `nil` where it is not known.
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

  /// Sessions that a client has counted: nobody knows which or whose they are.
  public struct Count: Sendable {
    /// Of the count: sent twice it counts once.
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

  /// A device's clock, unless sessions of that time are not kept or it is more than a day ahead.
  static func believed(_ time: Timestamp, received: Timestamp) -> Timestamp {
    let day = received.day
    return (day - ClientLimits.sessionDays...day + 1).contains(time.day) ? time : received
  }
}

/// What became of a ``SessionBatch``.
public struct SessionReceipt: Hashable, Sendable {
  /// Sessions and counts that were not known.
  public var new = 0
  /// Sessions of which more is known now.
  public var changed = 0
  /// Sessions and counts of which everything was known.
  public var known = 0

  public init() {}
}
