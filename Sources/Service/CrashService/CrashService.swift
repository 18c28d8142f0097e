package import Bytes
package import CrashModel
package import CrashStore
package import Identifiers
package import JSON
package import Query
package import ReportDocument
package import ServerStore
package import TriageModel

/// A service that answers questions about reports and groups and makes decisions: a local home or a server.
/// Commands print its results and do not ask which it is.
///
/// Errors in a request are thrown as the home throws them, or as a ``ServiceError`` with the same text and
/// exit status.
package protocol CrashService: AccountService, ArtefactService, ReleaseFiguresService,
  FrequencyService,
  RolloutService, RemoteConfigurationService, UpdateSettingsService
{
  // MARK: Apps

  func addApp(_ name: String, secret: String?) throws
  /// - Parameter start: The start of a secret of an unknown app.
  func adoptApp(secret start: String, as name: String) throws
  func renameApp(_ old: String, to name: String) throws
  /// - Parameter prefix: The prefix of its group ids.
  func setPrefix(_ prefix: String, of app: String) throws
  /// Sets which keys are linked by likeness.
  func setLinking(_ policy: LinkPolicy, of app: String) throws
  /// Sets the tracker of an app's issues; `nil` removes it. A server does not take a token.
  func setTracker(_ tracker: TicketTracker?, of app: String) throws
  /// Sets the roles that see parts of an app's reports.
  func setProtection(_ protection: ReportProtection, of app: String) throws
  func setRetention(_ retention: Retention, of app: String) throws

  // MARK: Lists

  func apps() throws -> [AppRecord]
  func groups(_ query: GroupQuery) throws -> Page<GroupSummary>
  func reports(_ query: ReportQuery) throws -> Page<ReportSummary>
  /// - Parameter limit: The maximum number of values; `nil` for all.
  func histogram(
    of query: Query, by field: QueryField, countsGroups: Bool, limit: Int?
  ) throws -> Histogram
  /// - Parameters:
  ///   - first: The first day. Default: that of the oldest report.
  ///   - last: The last day. Default: that of the newest report.
  func trend(
    of query: Query, from first: Timestamp?, through last: Timestamp?
  ) throws -> [TrendPoint]
  /// Returns each group's reports per day, counted from 1970.
  func dailyReports(
    of query: Query, inGroups ids: [String], days: Range<Int>
  ) throws -> [String: [Int: Int]]

  // MARK: One of them

  /// - Parameter lines: The number of source lines to show per frame; `nil` for none.
  func group(_ id: String, sourceLines lines: Int?) throws -> GroupOverview
  /// - Parameters:
  ///   - id: A report's id or its prefix.
  ///   - lines: The number of source lines to show per frame; `nil` for none.
  func report(_ id: String, sourceLines lines: Int?) throws -> StoredReport
  /// Returns the original bytes.
  func submission(ofReport id: String) throws -> ByteView
  func attachment(_ name: String, of report: StoredReport) throws -> (Attachment, ByteView)
  /// Returns how a report got into its group, and its app.
  func membership(ofReport id: String) throws -> (app: String, membership: Explanation.Membership)
  func keys(ofGroup id: String) throws -> [GroupKey]
  func variants(ofGroup id: String) throws -> GroupVariants
  /// Returns the groups with stacks similar to a group's, most similar first.
  ///
  /// - Parameter includesDistinct: Whether to include groups marked as distinct.
  func related(toGroup id: String, includesDistinct: Bool) throws -> [RelatedGroup]
  /// Returns other groups with stacks similar to a report's, most similar first.
  ///
  /// - Parameter id: A report's id or its prefix.
  func related(toReport id: String) throws -> [RelatedGroup]

  /// - Parameter id: A report's id or its prefix.
  func versions(ofReport id: String) throws -> ReportVersions
  /// Returns a report from before one of its changes; its current state if `number` is `nil`.
  func document(ofReport id: String, version number: Int?) throws -> StoredReport
  /// Returns all data of a report in one zip archive.
  func archive(ofReport id: String) throws -> ByteView

  // MARK: Decisions

  /// - Parameter author: The author in the history; a server always uses the token.
  func decide(
    _ decision: GroupDecision, about ids: [String], by author: String
  ) throws -> DecidedGroups

  // MARK: Releases

  func releases(of app: String?) throws -> [ReleaseRecord]
  func addReleases(_ releases: [Release], to app: String) throws -> [ReleaseRecord]
  func removeReleases(_ releases: [Release], of app: String) throws -> [ReleaseRecord]
  /// - Parameter releases: Oldest first; empty restores the order by number.
  func orderReleases(_ releases: [Release], of app: String) throws -> [ReleaseRecord]

  // MARK: Debug files

  func debugFiles() throws -> [DebugFileRecord]
  /// Returns all facts about the debug files with an id, as documents.
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

  // MARK: Quarantine

  /// Returns submissions that could not be stored, oldest first.
  func quarantined() throws -> [QuarantinedSubmission]
  func quarantined(_ id: Int) throws -> QuarantinedSubmission
  /// Returns the original bytes.
  func body(ofQuarantined id: Int) throws -> ByteView
  /// Retries submissions, all if `nil`, and returns their number.
  func retryQuarantined(_ ids: [Int]?) throws -> Int
  /// Discards submissions for good, all if `nil`, and returns their number.
  func discardQuarantined(_ ids: [Int]?) throws -> Int

  // MARK: Tokens

  func tokens() throws -> [Token]
  func makeToken(
    label: String, scopes: Set<TokenScope>, app: String?, for length: TimeLength?
  ) throws -> (token: Token, text: String)
  func revokeToken(_ id: String) throws

  // MARK: Erasure

  /// Erases all data of a person, or counts it.
  func erase(_ person: ErasedPerson, isDry: Bool) throws -> Erasure.Result
}

extension CrashService {
  package func trend(of query: Query) throws -> [TrendPoint] {
    try trend(of: query, from: nil, through: nil)
  }

  /// - Parameter id: A report's id or its prefix.
  package func explanation(ofReport id: String) throws -> Explanation {
    let (app, membership) = try membership(ofReport: id)
    let stored = try document(ofReport: id, version: nil)
    guard var explanation = Explanation(stored, app: app, membership: membership) else {
      throw StoreError.unsigned(report: id)
    }
    explanation.nearest = Array(try related(toReport: id).prefix(Explanation.nearestGroups))
    return explanation
  }
}

/// A group with all its facts.
package struct GroupOverview: Sendable {
  package var group: GroupSummary
  /// The breakdown; `nil` if all of its reports were removed.
  package var breakdown: GroupBreakdown?
  /// The newest reports, newest first.
  package var recent: [ReportSummary] = []
  /// The history, oldest first.
  package var history: [GroupEvent]
  /// The exemplar; `nil` if all reports were removed.
  package var exemplar: StoredReport?
  /// The number of different stacks; `nil` if they were not counted.
  package var variantCount: Int?
  /// The variants; `nil` if they were not read.
  package var variants: GroupVariants?
  /// Variants that may be another bug; if there are any, the group looks mixed.
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
