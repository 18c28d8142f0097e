package import Bytes
package import CrashModel
package import CrashStore
package import JSON
package import Query
package import ReportDocument
package import ServerStore

/// Whatever answers questions about reports and groups, and takes decisions: a home of this machine or
/// a server. Commands print what comes out of it and do not ask which it is.
///
/// What is wrong with a question is thrown as the home throws it, or as a ``ServiceError`` with the
/// same words and exit status.
package protocol CrashService: ArtefactService, ReleaseFiguresService, FrequencyService,
  RolloutService, RemoteConfigurationService, UpdateSettingsService
{
  // MARK: Apps

  func addApp(_ name: String, secret: String?) throws
  /// - Parameter start: Of a secret that came unannounced.
  func adoptApp(secret start: String, as name: String) throws
  func renameApp(_ old: String, to name: String) throws
  /// - Parameter prefix: Of the ids of its groups.
  func setPrefix(_ prefix: String, of app: String) throws
  /// Says which keys are linked by likeness.
  func setLinking(_ policy: LinkPolicy, of app: String) throws
  func setRetention(_ retention: Retention, of app: String) throws

  // MARK: Lists

  func apps() throws -> [AppRecord]
  func groups(_ query: GroupQuery) throws -> Page<GroupSummary>
  func reports(_ query: ReportQuery) throws -> Page<ReportSummary>
  /// - Parameter limit: The most values; `nil` for all.
  func histogram(
    of query: Query, by field: QueryField, countsGroups: Bool, limit: Int?
  ) throws -> Histogram
  /// - Parameters:
  ///   - first: The first day; that of the oldest report where it is `nil`.
  ///   - last: The last day; that of the newest report where it is `nil`.
  func trend(
    of query: Query, from first: Timestamp?, through last: Timestamp?
  ) throws -> [TrendPoint]
  /// Reports of each day, counted from 1970, of each group.
  func dailyReports(
    of query: Query, inGroups ids: [String], days: Range<Int>
  ) throws -> [String: [Int: Int]]

  // MARK: One of them

  /// - Parameter lines: How many lines of source each frame shows; `nil` for none.
  func group(_ id: String, sourceLines lines: Int?) throws -> GroupOverview
  /// - Parameters:
  ///   - id: Of a report, or how it begins.
  ///   - lines: How many lines of source each frame shows; `nil` for none.
  func report(_ id: String, sourceLines lines: Int?) throws -> StoredReport
  /// The bytes as they came.
  func submission(ofReport id: String) throws -> ByteView
  func attachment(_ name: String, of report: StoredReport) throws -> (Attachment, ByteView)
  /// How a report came to its group, and whose it is.
  func membership(ofReport id: String) throws -> (app: String, membership: Explanation.Membership)
  func keys(ofGroup id: String) throws -> [GroupKey]
  func variants(ofGroup id: String) throws -> GroupVariants
  /// The groups that have a stack like one of a group's, the most alike first.
  ///
  /// - Parameter includesDistinct: Whether groups count of which somebody said that they are not the same.
  func related(toGroup id: String, includesDistinct: Bool) throws -> [RelatedGroup]
  /// The groups that have a stack like a report's, besides its own, the most alike first.
  ///
  /// - Parameter id: Of a report, whole or as it begins.
  func related(toReport id: String) throws -> [RelatedGroup]

  /// - Parameter id: Of a report, whole or as it begins.
  func versions(ofReport id: String) throws -> ReportVersions
  /// The report as it was before one of its changes; as it is where `number` is `nil`.
  func document(ofReport id: String, version number: Int?) throws -> StoredReport
  /// Everything of a report in one zip archive.
  func archive(ofReport id: String) throws -> ByteView

  // MARK: Decisions

  /// - Parameter author: Whom the history names; a server names the token in any case.
  func decide(
    _ decision: GroupDecision, about ids: [String], by author: String
  ) throws -> DecidedGroups

  // MARK: Releases

  func releases(of app: String?) throws -> [ReleaseRecord]
  func addReleases(_ releases: [Release], to app: String) throws -> [ReleaseRecord]
  func removeReleases(_ releases: [Release], of app: String) throws -> [ReleaseRecord]
  /// - Parameter releases: Oldest first; empty for the order by number.
  func orderReleases(_ releases: [Release], of app: String) throws -> [ReleaseRecord]

  // MARK: Debug files

  func debugFiles() throws -> [DebugFileRecord]
  /// All that is told of those with an id, as documents.
  func debugFiles(of id: String, architecture: String?) throws -> [JSONValue]
  func missingImages(
    of query: Query?, app: String?, limit: Int?
  ) throws -> (images: [MissingImage], total: Int)

  // MARK: Figures

  func stats(of app: String?) throws -> StoreStatistics
  func ledger(of app: String?) throws -> Ledger
  func crashFree(
    of app: String?, from first: Timestamp?, to last: Timestamp?, version: String?
  ) throws -> [AppCrashFree]

  // MARK: What was quarantined

  /// Submissions that could not be stored, the oldest first.
  func quarantined() throws -> [QuarantinedSubmission]
  func quarantined(_ id: Int) throws -> QuarantinedSubmission
  /// The bytes as they came.
  func body(ofQuarantined id: Int) throws -> ByteView
  /// Lets them be tried again; `nil` is all. How many there were.
  func retryQuarantined(_ ids: [Int]?) throws -> Int
  /// Takes them away for good; `nil` is all. How many there were.
  func discardQuarantined(_ ids: [Int]?) throws -> Int

  // MARK: Tokens

  func tokens() throws -> [Token]
  func makeToken(
    label: String, scopes: Set<TokenScope>, app: String?, for length: TimeLength?
  ) throws -> (token: Token, text: String)
  func revokeToken(_ id: String) throws
}

extension CrashService {
  package func trend(of query: Query) throws -> [TrendPoint] {
    try trend(of: query, from: nil, through: nil)
  }

  /// - Parameter id: Of a report, whole or as it begins.
  package func explanation(ofReport id: String) throws -> Explanation {
    let (app, membership) = try membership(ofReport: id)
    let stored = try document(ofReport: id, version: nil)
    guard var explanation = Explanation(stored, app: app, membership: membership) else {
      throw StoreError.unsigned(report: id)
    }
    do {
      explanation.nearest = Array(try related(toReport: id).prefix(Explanation.nearestGroups))
    } catch let error as ServiceError where error.kind == .notFound {
      // Servers of earlier versions don't know.
    }
    return explanation
  }
}

/// A group with everything that is told of it.
package struct GroupOverview: Sendable {
  package var group: GroupSummary
  /// `nil` where all of its reports were removed.
  package var breakdown: GroupBreakdown?
  /// The newest reports, the newest first.
  package var recent: [ReportSummary] = []
  /// Oldest first.
  package var history: [GroupEvent]
  /// The report that stands for it; `nil` where all were removed.
  package var exemplar: StoredReport?
  /// How many different stacks its reports have; `nil` where nobody counted.
  package var variantCount: Int?
  /// Variants that may be another bug: where there are any, the group looks mixed.
  package var splits: [ProposedSplit] = []

  package init(
    group: GroupSummary, breakdown: GroupBreakdown? = nil, recent: [ReportSummary] = [],
    history: [GroupEvent], exemplar: StoredReport? = nil
  ) {
    self.group = group
    self.breakdown = breakdown
    self.recent = recent
    self.history = history
    self.exemplar = exemplar
  }
}
