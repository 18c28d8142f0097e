public import CrashModel
public import Updates

/// What is known of a release: how it spreads, how stable it is, and what it brought and mended.
public struct ReleaseFigures: Hashable, Sendable {
  public var app: String
  /// A version without a build stands for all of its builds.
  public var release: Release
  /// Those of its builds that are known, oldest first.
  public var builds: [String] = []
  /// How many reports came from it, those that have expired included.
  public var reports = 0
  /// How many groups these are in.
  public var groups = 0
  /// Distinct installations with a report or a session of it.
  public var installs = 0
  /// When its reports crashed; `nil` before the first.
  public var firstSeen: Timestamp?
  public var lastSeen: Timestamp?
  /// The days of ``crashFree`` and ``adoption``.
  public var days: Days
  /// Its sessions, users and crashes on those days.
  public var crashFree = CrashFree()
  /// Whether there are sessions on ``days``, and all reports are older, so that rates say nothing of them.
  public var areReportsOlder: Bool {
    crashFree.sessions > 0 && lastSeen.map { $0 < days.first } ?? false
  }
  /// By day, from the first of ``days`` on which the app has a session.
  public var adoption: [Day] = []
  /// Groups that were seen in it and in no release before it.
  public var newGroups = Part<Group>()
  /// Groups that were resolved and came back in it.
  public var regressions = Part<Group>()
  /// Groups that are resolved in it.
  public var fixedGroups = Part<Group>()
  /// Images of the app's own code for which its reports wait for debug files.
  public var missing = Part<MissingImage>()

  /// Its files, the newest first.
  public var artefacts: [Artefact] = []
  /// Of its builds that are rolled out in part.
  public var rollouts: [ReleaseRollout] = []
  /// What was done with its files and roll-outs, the newest of it, oldest first.
  public var history: [DistributionEvent] = []
  /// How often clients learned that it fixes a crash of theirs.
  public var knownFixAnswers = 0

  public init(app: String, release: Release, days: Days) {
    self.app = app
    self.release = release
    self.days = days
  }

  /// Days in UTC.
  public struct Days: Hashable, Sendable {
    /// Midnight.
    public var first: Timestamp
    public var last: Timestamp

    public init(first: Timestamp, last: Timestamp) {
      self.first = first
      self.last = last
    }
  }

  /// How many used it on a day, of all who used the app.
  public struct Day: Hashable, Sendable {
    /// Midnight, in UTC.
    public var start: Timestamp
    public var sessions: Int
    public var allSessions: Int
    public var installs: Int
    public var allInstalls: Int

    public init(
      start: Timestamp, sessions: Int, allSessions: Int, installs: Int, allInstalls: Int
    ) {
      self.start = start
      self.sessions = sessions
      self.allSessions = allSessions
      self.installs = installs
      self.allInstalls = allInstalls
    }
  }

  /// The first of a list, and how many it has in all.
  public struct Part<Item: Hashable & Sendable>: Hashable, Sendable {
    public var items: [Item]
    public var total: Int

    public init(items: [Item] = [], total: Int = 0) {
      self.items = items
      self.total = total
    }
  }

  public struct Group: Hashable, Sendable {
    /// `TERN-12`
    public var id: String
    public var signature: String
    public var state: GroupState
    /// How many of its reports came from the release.
    public var reports: Int

    public init(id: String, signature: String, state: GroupState, reports: Int) {
      self.id = id
      self.signature = signature
      self.state = state
      self.reports = reports
    }
  }
}
