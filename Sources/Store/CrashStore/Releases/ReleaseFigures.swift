public import Identifiers
public import TriageModel
public import Updates

/// The figures of a release: its adoption, its stability, and the groups that it introduced and fixed.
public struct ReleaseFigures: Hashable, Sendable {
  public var app: String
  /// A version without a build means all of its builds.
  public var release: Release
  /// Its known builds, oldest first.
  public var builds: [String] = []
  /// Number of its reports, including expired ones.
  public var reports = 0
  /// Number of groups that these are in.
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
  /// Whether there are sessions on ``days``, but all reports are older, so that rates do not cover them.
  public var areReportsOlder: Bool {
    crashFree.sessions > 0 && lastSeen.map { $0 < days.first } ?? false
  }
  /// Adoption by day, from the first of ``days`` on which the app has a session.
  public var adoption: [Day] = []
  /// Groups that were seen in it and in no release before it.
  public var newGroups = TopItems<Group>()
  /// Groups that were resolved and came back in it.
  public var regressions = TopItems<Group>()
  /// Groups that are resolved in it.
  public var fixedGroups = TopItems<Group>()
  /// Images of the app's own code whose debug files its reports wait for.
  public var missing = TopItems<MissingImage>()

  /// Its files, the newest first.
  public var artefacts: [Artefact] = []
  /// Its builds that are rolled out in part.
  public var rollouts: [ReleaseRollout] = []
  /// The newest events of its files and roll-outs, oldest first.
  public var history: [DistributionEvent] = []
  /// Downloads of its files, and installations that reported one; single days are those of ``days``.
  public var distribution = DistributionFigures()
  /// Number of times that clients learned that it fixes one of their crashes.
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

  /// Its use on a day, and that of the whole app.
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

  /// The first items of a list, and its total.
  public struct TopItems<Item: Hashable & Sendable>: Hashable, Sendable {
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
    /// Number of its reports from the release.
    public var reports: Int

    public init(id: String, signature: String, state: GroupState, reports: Int) {
      self.id = id
      self.signature = signature
      self.state = state
      self.reports = reports
    }
  }
}
