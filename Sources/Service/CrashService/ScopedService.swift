package import Bytes
package import CrashModel
package import CrashStore
package import Identifiers
package import JSON
package import Query
package import ReportDocument
package import ServerStore
package import TriageModel

/// A service limited to one app: for all others it responds as if they did not exist.
package struct ScopedService: CrashService {
  package let app: String
  package let whole: LocalService

  private func missing(_ id: String) -> ServiceError {
    ServiceError("there is no group or report named '\(id.printable)'", .notFound)
  }

  func check(group id: String) throws {
    let group = try unlessMissing { try whole.store.groups.get(id) }
    guard group?.app == app else { throw missing(id) }
  }

  /// - Returns: The full id.
  private func checked(report id: String) throws -> String {
    let report = try unlessMissing { try whole.store.reports.get(id).summary }
    guard let report, report.app == app else { throw missing(id) }
    return report.id
  }

  /// Returns `nil` for missing objects. Other failures do not mean that.
  private func unlessMissing<Value>(_ body: () throws -> Value?) throws -> Value? {
    do {
      return try body()
    } catch StoreError.notFound {
      return nil
    } catch StoreError.ambiguous {
      // The other matches may belong to another app.
      return nil
    }
  }

  func checked(app asked: String?) throws -> String {
    if let asked, asked != app { throw StoreError.unknownApp(asked, among: [app]) }
    return app
  }

  private func narrowed(_ query: Query) throws -> Query {
    let own = try Self.conditions(ofApp: app)
    return Query(conditions: own.conditions + query.conditions)
  }

  /// The query for everything of an app.
  package static func conditions(ofApp app: String) throws -> Query {
    let name = app.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return try Query("app:\"\(name)\"", now: .now)
  }

  // MARK: Lists

  package func apps() throws -> [AppRecord] { try whole.apps().filter { $0.name == app } }

  package func groups(_ query: GroupQuery) throws -> Page<GroupSummary> {
    var query = query
    query.query = try narrowed(query.query)
    return try whole.groups(query)
  }

  package func reports(_ query: ReportQuery) throws -> Page<ReportSummary> {
    var query = query
    query.query = try narrowed(query.query)
    return try whole.reports(query)
  }

  package func histogram(
    of query: Query, by field: QueryField, countsGroups: Bool, limit: Int?
  ) throws -> Histogram {
    try whole.histogram(
      of: try narrowed(query), by: field, countsGroups: countsGroups, limit: limit)
  }

  package func trend(
    of query: Query, from first: Timestamp?, through last: Timestamp?
  ) throws -> [TrendPoint] {
    try whole.trend(of: try narrowed(query), from: first, through: last)
  }

  package func dailyReports(
    of query: Query, inGroups ids: [String], days: Range<Int>
  ) throws -> [String: [Int: Int]] {
    for id in ids { try check(group: id) }
    return try whole.dailyReports(of: query, inGroups: ids, days: days)
  }

  // MARK: One of them

  package func group(_ id: String, sourceLines lines: Int?) throws -> GroupOverview {
    try check(group: id)
    return try whole.group(id, sourceLines: lines)
  }

  package func report(_ id: String, sourceLines lines: Int?) throws -> StoredReport {
    try whole.report(try checked(report: id), sourceLines: lines)
  }

  package func submission(ofReport id: String) throws -> ByteView {
    try whole.submission(ofReport: try checked(report: id))
  }

  package func attachment(_ name: String, of report: StoredReport) throws -> (Attachment, ByteView)
  {
    _ = try checked(report: report.id)
    return try whole.attachment(name, of: report)
  }

  package func membership(ofReport id: String) throws -> (
    app: String, membership: Explanation.Membership
  ) {
    try whole.membership(ofReport: try checked(report: id))
  }

  package func keys(ofGroup id: String) throws -> [GroupKey] {
    try check(group: id)
    return try whole.keys(ofGroup: id)
  }

  package func variants(ofGroup id: String) throws -> GroupVariants {
    try check(group: id)
    return try whole.variants(ofGroup: id)
  }

  package func related(
    toGroup id: String, includesDistinct: Bool
  ) throws -> [RelatedGroup] {
    try check(group: id)
    return try whole.related(
      toGroup: id, isOfAllApps: false, includesDistinct: includesDistinct)
  }

  package func related(toReport id: String) throws -> [RelatedGroup] {
    try whole.related(toReport: try checked(report: id), isOfAllApps: false)
  }

  package func versions(ofReport id: String) throws -> ReportVersions {
    try whole.versions(ofReport: try checked(report: id))
  }

  package func document(ofReport id: String, version number: Int?) throws -> StoredReport {
    try whole.document(ofReport: try checked(report: id), version: number)
  }

  package func archive(ofReport id: String) throws -> ByteView {
    try whole.archive(ofReport: try checked(report: id))
  }

  // MARK: Decisions

  package func decide(
    _ decision: GroupDecision, about ids: [String], by author: String
  ) throws -> DecidedGroups {
    for id in ids { try check(group: id) }
    switch decision {
    case .merge(let other), .distinct(let other, _): try check(group: other)
    default: break
    }
    return try whole.decide(decision, about: ids, by: author)
  }

  // MARK: Apps

  var appRefusal: ServiceError {
    ServiceError("the token is limited to \(app); apps are managed with one for all", .notAllowed)
  }

  package func addApp(_ name: String, secret: String?) throws { throw appRefusal }
  package func adoptApp(secret start: String, as name: String) throws { throw appRefusal }
  package func renameApp(_ old: String, to name: String) throws { throw appRefusal }
  package func setPrefix(_ prefix: String, of app: String) throws { throw appRefusal }
  package func setLinking(_ policy: LinkPolicy, of app: String) throws { throw appRefusal }
  package func setTracker(_ tracker: TicketTracker?, of app: String) throws { throw appRefusal }
  package func setProtection(_ protection: ReportProtection, of app: String) throws {
    throw appRefusal
  }
  package func setRetention(_ retention: Retention, of app: String) throws { throw appRefusal }

  // MARK: Releases

  package func releases(of app: String?) throws -> [ReleaseRecord] {
    try whole.releases(of: try checked(app: app))
  }

  package func addReleases(_ releases: [Release], to app: String) throws -> [ReleaseRecord] {
    try whole.addReleases(releases, to: try checked(app: app))
  }

  package func removeReleases(_ releases: [Release], of app: String) throws -> [ReleaseRecord] {
    try whole.removeReleases(releases, of: try checked(app: app))
  }

  package func orderReleases(_ releases: [Release], of app: String) throws -> [ReleaseRecord] {
    try whole.orderReleases(releases, of: try checked(app: app))
  }

  // MARK: Debug files

  /// The refusal for debug files: it is unknown which app one belongs to.
  private var debugFileRefusal: ServiceError {
    ServiceError("the token is limited to \(app); debug files belong to all apps", .notAllowed)
  }

  package func debugFiles() throws -> [DebugFileRecord] { throw debugFileRefusal }

  package func debugFiles(of id: String, architecture: String?) throws -> [JSONValue] {
    throw debugFileRefusal
  }

  package func missingImages(
    of query: Query?, app: String?, limit: Int?
  ) throws -> (images: [MissingImage], total: Int) {
    var (images, total) = try whole.missingImages(
      of: try narrowed(query ?? .all), app: try checked(app: app), limit: limit)
    // Other apps may have loaded the same library from other paths and on other systems.
    for index in images.indices {
      images[index].builds.removeAll { $0.app != self.app }
      guard images[index].isShared else { continue }
      images[index].systems = []
      images[index].path = nil
    }
    return (images, total)
  }

  // MARK: Figures

  package func stats(of app: String?) throws -> StoreStatistics {
    let stats = try whole.stats(of: try checked(app: app))
    return StoreStatistics(
      apps: stats.apps, refusedWithoutApp: stats.refusedWithoutApp, debugFiles: nil, space: nil)
  }

  package func ledger(of app: String?) throws -> Ledger {
    try whole.ledger(of: try checked(app: app))
  }

  package func crashFree(
    of app: String?, from first: Timestamp?, to last: Timestamp?, version: String?
  ) throws -> [AppCrashFree] {
    try whole.crashFree(of: try checked(app: app), from: first, to: last, version: version)
  }

  // MARK: Quarantine

  private var asideRefusal: ServiceError {
    ServiceError("the token is limited to \(app); the quarantine covers all apps", .notAllowed)
  }

  package func quarantined() throws -> [QuarantinedSubmission] { throw asideRefusal }
  package func quarantined(_ id: Int) throws -> QuarantinedSubmission { throw asideRefusal }
  package func body(ofQuarantined id: Int) throws -> ByteView { throw asideRefusal }
  package func retryQuarantined(_ ids: [Int]?) throws -> Int { throw asideRefusal }
  package func discardQuarantined(_ ids: [Int]?) throws -> Int { throw asideRefusal }

  // MARK: Tokens

  private var refusal: ServiceError {
    ServiceError("the token is limited to \(app); tokens are managed with one for all", .notAllowed)
  }

  package func tokens() throws -> [Token] { throw refusal }

  package func makeToken(
    label: String, scopes: Set<TokenScope>, app: String?, for length: TimeLength?
  ) throws -> (token: Token, text: String) { throw refusal }

  package func revokeToken(_ id: String) throws { throw refusal }

  // MARK: Accounts and erasure

  private var accountRefusal: ServiceError {
    ServiceError(
      "the token is limited to \(app); accounts are managed with one for all", .notAllowed)
  }

  package func accounts() throws -> [AccountRecord] { throw accountRefusal }

  package func addAccount(
    _ name: String, role: Account.Role, app: String?, claimability: AccountsTable.Claimability
  ) throws -> NewAccount { throw accountRefusal }

  package func makeSignInLink(forAccount name: String) throws -> SignInLink {
    throw accountRefusal
  }

  package func setRole(_ role: Account.Role, ofAccount name: String) throws -> AccountRecord {
    throw accountRefusal
  }

  package func removeAccount(_ name: String) throws { throw accountRefusal }

  package func erase(_ person: ErasedPerson, isDry: Bool) throws -> Erasure.Result {
    throw ServiceError(
      "the token is limited to \(app); a person is erased from all apps", .notAllowed)
  }

  package init(app: String, whole: LocalService) {
    self.app = app
    self.whole = whole
  }
}
