public import CrashModel
public import Identifiers

/// All reports of an app with one signature, over all versions, as a list shows them.
public struct GroupSummary: Hashable, Sendable {
  /// `TERN-12`: the app's prefix and a number that is never used again.
  public var id: String
  public var app: String
  public var signature: Signature
  /// The reason given by the newest report, in one line.
  public var reason: String?
  public var kind: ReportKind
  /// Its state, since when, by whom, and until when.
  public var status: GroupStatus
  public var state: GroupState {
    get { status.state }
    set { status.state = newValue }
  }
  /// The user assigned to it.
  public var assignee: String?
  /// The issue about it in a tracker.
  public var ticket: GroupTicket?
  /// The names of the groups that were merged into it by hand.
  public var merged: [String]
  /// How many reports the group received, including those that retention has removed.
  public var reports: Int
  /// How many different installations they came from; `nil` when none gave an id.
  public var installs: Int?
  public var firstSeen: Timestamp?
  public var lastSeen: Timestamp?
  /// Reports by version of the app, in the order of the versions.
  public var versions: [VersionCount]
  /// The report that represents the group.
  public var exemplar: String

  public init(
    id: String, app: String, signature: Signature, reason: String? = nil, kind: ReportKind,
    state: GroupState = .open, status: GroupStatus? = nil, assignee: String? = nil,
    merged: [String] = [], reports: Int, installs: Int? = nil, firstSeen: Timestamp? = nil,
    lastSeen: Timestamp? = nil,
    versions: [VersionCount] = [], exemplar: String
  ) {
    self.id = id
    self.app = app
    self.signature = signature
    self.reason = reason
    self.kind = kind
    self.status = status ?? GroupStatus(state)
    self.assignee = assignee
    self.merged = merged
    self.reports = reports
    self.installs = installs
    self.firstSeen = firstSeen
    self.lastSeen = lastSeen
    self.versions = versions
    self.exemplar = exemplar
  }
}

public enum GroupState: String, Hashable, Sendable, CaseIterable {
  case open, resolved, ignored, regressed
}

/// How many reports of a group came from one version of the app.
public struct VersionCount: Hashable, Sendable {
  /// `1.4.0 (512)`; empty where the report names none.
  public var version: String
  public var reports: Int

  public init(version: String, reports: Int) {
    self.version = version
    self.reports = reports
  }
}
