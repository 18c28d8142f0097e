public import Identifiers
public import Statistics
public import TriageModel

/// Groups of an app that are more frequent from some build on; see ``FirstBadTest``.
public struct AppRegressions: Hashable, Sendable {
  /// The total among which cases are counted.
  public enum Basis: String, Sendable, CaseIterable {
    case sessions, reports
  }

  public var app: String
  public var basis = Basis.reports
  /// The first day that is considered, at midnight in UTC; `nil` for all.
  public var since: Timestamp?
  /// The builds that are compared, oldest first.
  public var builds: [Release] = []
  /// Number of groups that are frequent enough to be tested.
  public var tested = 0
  /// Number of windows of builds compared in all groups; probabilities are corrected for it.
  public var comparisons = 0
  /// The newest release of the app, in release order; `nil` where there is none.
  public var newest: Release?
  /// Crashes of all groups together; `nil` without sessions, or where they are not more frequent.
  public var whole: FirstBadBuild?
  /// The matching regressions up to the limit: the newest builds first, for each the most certain first.
  public var groups: [FirstBadBuild] = []
  /// Number of matching regressions.
  public var total = 0

  public init(app: String) { self.app = app }
}

/// The build from which on a group is more frequent.
public struct FirstBadBuild: Hashable, Sendable {
  /// Minimum number of installations: fewer prove nothing, as one device may crash again and again.
  public static let leastInstalls = 3

  /// `TERN-12`; empty for all groups of the app.
  public var group: String
  /// The text of its signature.
  public var title: String
  public var state: GroupState
  /// The first bad build.
  public var release: Release
  /// The last of the compared builds in which the group was seen.
  public var last: Release
  /// Whether no release before it has the group, on the considered days or before.
  public var isNew: Bool
  /// Cases in the compared builds, and the total among which they are counted.
  public var new: FisherTest.Sample
  /// Cases in all builds before, with their total.
  public var former: FisherTest.Sample
  /// Distinct installations of these cases; a report that names none counts as one of its own.
  public var installs: Int
  /// Probability that chance alone divides the cases so, before correction.
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

  /// Whether it has at least the confidence `least`, and enough installations.
  public func isCertain(_ least: Double) -> Bool {
    confidence >= least && installs >= Self.leastInstalls
  }
}

/// A selection of regressions.
public struct RegressionQuery: Hashable, Sendable {
  public static let usualConfidence = 0.99
  /// Default maximum number of groups in a list.
  public static let usualLimit = 50
  public static let mostGroups = 1000

  /// The first day that is considered; `nil` for the first one with sessions, or reports.
  public var since: Timestamp?
  /// Only regressions that begin with this release; a version without a build means all of its builds.
  public var release: Release?
  /// Only this group, whatever its confidence.
  public var group: String?
  /// Minimum confidence, from 0 to 1; at least ``FirstBadBuild/leastInstalls`` are required, too.
  public var confidence = usualConfidence
  public var limit = usualLimit

  public init() {}
}
