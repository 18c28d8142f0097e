public import CrashModel
public import Statistics

/// From which builds on groups of an app are more frequent; see ``FirstBadTest``.
public struct AppRegressions: Hashable, Sendable {
  /// What cases are counted among.
  public enum Basis: String, Sendable, CaseIterable {
    case sessions, reports
  }

  public var app: String
  public var basis = Basis.reports
  /// The first day that is looked at, at midnight in UTC; `nil` for all.
  public var since: Timestamp?
  /// The builds that are compared, oldest first.
  public var builds: [Release] = []
  /// How many groups are frequent enough to be looked at.
  public var tested = 0
  /// How many windows of builds were compared in all groups, by which probabilities are corrected.
  public var comparisons = 0
  /// The newest release of the app, by their order; `nil` where there is none.
  public var newest: Release?
  /// Crashes of all groups together; `nil` without sessions, or where they are not more frequent.
  public var whole: FirstBadBuild?
  /// The first of those that were asked for: the newest builds first, in each the most certain.
  public var groups: [FirstBadBuild] = []
  /// How many were asked for.
  public var total = 0

  public init(app: String) { self.app = app }
}

/// The build from which on a group is more frequent.
public struct FirstBadBuild: Hashable, Sendable {
  /// Fewer installations prove nothing: one device may crash again and again.
  public static let leastInstalls = 3

  /// `TERN-12`; empty for all groups of the app.
  public var group: String
  /// The text of its signature.
  public var title: String
  public var state: GroupState
  /// The first bad build.
  public var release: Release
  /// The last of the builds that were compared with those before it in which the group was seen.
  public var last: Release
  /// Whether no release before it has the group, on the days that are looked at or before.
  public var isNew: Bool
  /// Cases in the compared builds, of what they are counted among.
  public var new: FisherTest.Sample
  /// In all builds before.
  public var former: FisherTest.Sample
  /// Distinct installations of these cases; a report that names none is one of its own.
  public var installs: Int
  /// How probable it is that chance alone divides the cases so, before it is corrected.
  public var pValue: Double
  /// The confidence that this did not happen by chance, from 0 to 1.
  public var confidence: Double

  public init(
    group: String, title: String = "", state: GroupState = .open, release: Release, last: Release,
    isNew: Bool, new: FisherTest.Sample, former: FisherTest.Sample, installs: Int, pValue: Double,
    confidence: Double
  ) {
    self.group = group
    self.title = title
    self.state = state
    self.release = release
    self.last = last
    self.isNew = isNew
    self.new = new
    self.former = former
    self.installs = installs
    self.pValue = pValue
    self.confidence = confidence
  }

  /// Whether it is to be believed.
  public func isCertain(_ least: Double) -> Bool {
    confidence >= least && installs >= Self.leastInstalls
  }
}

/// Which regressions are asked for.
public struct RegressionQuery: Hashable, Sendable {
  public static let usualConfidence = 0.99
  /// How many groups a list has at most.
  public static let usualLimit = 50
  public static let mostGroups = 1000

  /// The first day that is looked at; `nil` for the first of which there are sessions, or reports.
  public var since: Timestamp?
  /// Only those that begin with this release; a version without a build stands for all of its builds.
  public var release: Release?
  /// Only this group, whatever its confidence.
  public var group: String?
  /// Only those that are as certain, from 0 to 1; and on at least ``FirstBadBuild/leastInstalls``.
  public var confidence = usualConfidence
  public var limit = usualLimit

  public init() {}
}
