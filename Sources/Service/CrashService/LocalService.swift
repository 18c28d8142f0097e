package import Bytes
package import CrashModel
package import CrashStore
internal import Grouping
package import Identifiers
package import JSON
internal import Pipeline
package import Query
package import ReportDocument
internal import ReportFormats
package import ServerStore
package import TriageModel

/// The service of a local home.
package struct LocalService: CrashService {
  package let home: String
  package let store: CrashStore
  /// Makes the zip archive of a report, which contains readable pages.
  package let archive: @Sendable (ReportRecord, CrashStore) throws -> ByteView
  /// The parts of reports that the caller does not see.
  package var withholding = Withholding.nothing

  // MARK: Lists

  package func apps() throws -> [AppRecord] { try store.apps.list() }

  package func groups(_ query: GroupQuery) throws -> Page<GroupSummary> {
    try withholding.check(query.query)
    return try store.groups.list(query)
  }

  package func reports(_ query: ReportQuery) throws -> Page<ReportSummary> {
    try withholding.check(query.query)
    return try store.reports.list(query)
  }

  package func histogram(
    of query: Query, by field: QueryField, countsGroups: Bool, limit: Int?
  ) throws -> Histogram {
    try withholding.check(query, by: [field])
    let (main, other): (FieldCounts.What, FieldCounts.What) =
      countsGroups ? (.groups, .reports) : (.reports, .groups)
    return Histogram(
      field.name, try store.search.counts(of: query, by: field, counting: main, limit: limit),
      others: try store.search.counts(of: query, by: field, counting: other),
      countsGroups: countsGroups)
  }

  package func trend(
    of query: Query, from first: Timestamp?, through last: Timestamp?
  ) throws -> [TrendPoint] {
    try withholding.check(query)
    return try store.search.trend(of: query, from: first, through: last)
  }

  package func dailyReports(
    of query: Query, inGroups ids: [String], days: Range<Int>
  ) throws -> [String: [Int: Int]] {
    try withholding.check(query)
    return try store.search.dailyReports(of: query, inGroups: ids, days: days)
  }

  // MARK: One of them

  package func group(_ id: String, sourceLines lines: Int?) throws -> GroupOverview {
    try naming(id) { store in
      let group = try store.groups.get(id)
      var answer = GroupOverview(group: group, history: try store.groups.history(ofGroup: group.id))
      guard !group.exemplar.isEmpty else { return answer }
      answer.breakdown = try store.groups.breakdown(ofGroup: group.id, now: .now)
      answer.recent = try store.groups.recentReports(ofGroup: group.id)
      let variants = try store.groups.variants(ofGroup: group.id)
      answer.variantCount = variants.count
      answer.variants = variants
      answer.splits = variants.splits
      answer.exemplar = try stored(
        try store.reports.get(group.exemplar), in: store, sourceLines: lines)
      return answer
    }
  }

  package func report(_ id: String, sourceLines lines: Int?) throws -> StoredReport {
    try naming(id) { store in
      try stored(try store.reports.get(id), in: store, sourceLines: lines)
    }
  }

  private func stored(
    _ record: ReportRecord, in store: CrashStore, sourceLines lines: Int?
  ) throws -> StoredReport {
    var stored = try record.stored()
    let app = try store.debugFiles.sharing() == .shared ? nil : record.summary.app
    if let lines {
      stored = try stored.showingSources(lines) { try store.sourceBundles(of: $0, for: app) }
    }
    stored = try stored.tellingNamesakes(in: [StoredSymbols(in: store, app: app)])
    return withholding.applied(to: stored, of: record.summary.app)
  }

  package func submission(ofReport id: String) throws -> ByteView {
    try naming(id) { store in
      let record = try store.reports.get(id)
      try checkSubmission(of: record, in: store)
      return try store.reports.submission(record.submission)
    }
  }

  /// - Throws: ``ServiceError`` if the submission is hidden, or has a report of an app whose submissions are.
  private func checkSubmission(of record: ReportRecord, in store: CrashStore) throws {
    guard !withholding.isNothing else { return }
    let apps = try store.apps.names(ofSubmission: record.submission)
    try withholding.check(.submission, of: [record.summary.app] + apps)
  }

  package func attachment(_ name: String, of report: StoredReport) throws -> (Attachment, ByteView)
  {
    try naming(report.id) { store in
      if !withholding.isNothing {
        try withholding.check(.submission, of: [store.reports.get(report.id).summary.app])
      }
      _ = try report.attachment(named: name)
      return try store.attachments.get(name, of: report.id)
    }
  }

  package func membership(ofReport id: String) throws -> (
    app: String, membership: Explanation.Membership
  ) {
    try naming(id) { store in
      let record = try store.reports.get(id)
      let signature = try StoredReport(document: record.document).report.signature
      return (record.summary.app, try membership(of: record, signature, in: store))
    }
  }

  private func membership(
    of record: ReportRecord, _ signature: Signature?, in store: CrashStore
  ) throws -> Explanation.Membership {
    let owner = try signature.flatMap {
      try store.groups.owner(ofKey: $0.key, app: record.summary.app)?.group
    }
    return Explanation.Membership(
      reportMembership: try store.reports.membership(of: record.summary.id),
      ownerOfKey: owner == record.summary.group ? nil : owner)
  }

  package func keys(ofGroup id: String) throws -> [GroupKey] { try store.triage.keys(ofGroup: id) }

  package func variants(ofGroup id: String) throws -> GroupVariants {
    try store.groups.variants(ofGroup: id)
  }

  package func related(
    toGroup id: String, includesDistinct: Bool
  ) throws -> [RelatedGroup] {
    try related(toGroup: id, isOfAllApps: true, includesDistinct: includesDistinct)
  }

  /// - Parameter isOfAllApps: Whether to include groups of other apps.
  func related(
    toGroup id: String, isOfAllApps: Bool, includesDistinct: Bool
  ) throws -> [RelatedGroup] {
    try naming(id) { store in
      try store.groups.related(
        to: id, isOfAllApps: isOfAllApps, includesDistinct: includesDistinct)
    }
  }

  package func related(toReport id: String) throws -> [RelatedGroup] {
    try related(toReport: id, isOfAllApps: true)
  }

  func related(toReport id: String, isOfAllApps: Bool) throws -> [RelatedGroup] {
    try naming(id) { store in
      try store.groups.related(toReport: store.reports.id(id), isOfAllApps: isOfAllApps)
    }
  }

  package func versions(ofReport id: String) throws -> ReportVersions {
    try naming(id) { store in
      let record = try store.reports.get(id)
      return ReportVersions(
        report: record.summary.id, group: record.summary.group,
        versions: try store.reports.versions(of: record.summary.id))
    }
  }

  package func document(ofReport id: String, version number: Int?) throws -> StoredReport {
    try naming(id) { store in
      let record = try store.reports.get(id)
      guard let number else {
        return withholding.applied(
          to: try StoredReport(document: record.document), of: record.summary.app)
      }
      let versions = try store.reports.versions(of: record.summary.id)
      guard let version = versions.first(where: { $0.number == number }) else {
        throw ServiceError("version \(number) of this report does not exist", .notFound)
      }
      return withholding.applied(
        to: try StoredReport(document: store.reports.document(of: version)), of: record.summary.app)
    }
  }

  package func archive(ofReport id: String) throws -> ByteView {
    try naming(id) { store in
      let record = try store.reports.get(id)
      try checkSubmission(of: record, in: store)
      return try archive(record, store)
    }
  }

  /// Runs `body` for an id; the error for an unknown one suggests similar ids.
  func naming<Result>(_ id: String, _ body: (CrashStore) throws -> Result) throws -> Result {
    do {
      return try body(store)
    } catch StoreError.notFound(let missing) where missing == id {
      throw UnknownID(id: id, cause: .notFound(try store.search.nearMatches(of: id)))
    } catch StoreError.ambiguous(_, let matches) {
      let reports = try matches.map { try store.reports.get($0).summary }
      throw UnknownID(id: id, cause: .ambiguous(reports))
    }
  }

  // MARK: Decisions

  package func decide(
    _ decision: GroupDecision, about ids: [String], by author: String
  ) throws -> DecidedGroups {
    do {
      return try decided(decision, about: ids, by: author)
    } catch StoreError.notFound(let id) where ids.contains(id) {
      throw UnknownID(id: id, cause: .notFound(try store.search.nearMatches(of: id)))
    }
  }

  private func decided(
    _ decision: GroupDecision, about ids: [String], by author: String
  ) throws -> DecidedGroups {
    switch decision {
    case .resolve(let resolution):
      if case .inRelease(let release) = resolution { try checkRelease(release) }
      let groups = try store.triage.resolve(ids, resolution, by: author)
      return DecidedGroups(
        groups: groups, warnings: try groups.compactMap { try warning(of: $0, in: store) })
    case .reopen: return DecidedGroups(groups: try store.triage.reopen(ids, by: author))
    case .ignore(let condition):
      return DecidedGroups(groups: try store.triage.ignore(ids, condition, by: author))
    case .assign(let who, let isKnown):
      let name = isKnown ? try who.map { try knownAssignee($0, of: ids) } : who
      return DecidedGroups(groups: try store.triage.assign(ids, to: name, by: author))
    case .note(let text): return DecidedGroups(groups: try store.triage.note(ids, text, by: author))
    case .ticket(let ticket):
      return DecidedGroups(groups: try store.triage.setTicket(ids, to: ticket, by: author))
    case .merge(let whole):
      return DecidedGroups(groups: [try store.triage.merge(ids, into: whole, by: author)])
    case .unmerge: return DecidedGroups(groups: try store.triage.unmerge(ids, by: author))
    case .split(let keys):
      let (group, new) = try store.triage.split(try only(ids), keys: keys, by: author)
      return DecidedGroups(groups: [group, new])
    case .splitWhere(let rule):
      try withholding.check(
        Query(rule, now: .now), of: store.groups.get(try only(ids)).app)
      let (group, new) = try store.triage.split(try only(ids), where: rule, by: author)
      return DecidedGroups(groups: [group, new])
    case .distinct(let other, let isUndone):
      let (groups, separated) = try store.triage.distinguish(
        ids, from: other, isUndone: isUndone, by: author)
      return DecidedGroups(
        groups: groups,
        warnings: separated.map {
          "\($0), which likeness had joined to the other, is separate again"
        })
    case .undo(let line):
      return DecidedGroups(groups: try store.triage.undo(ids, line: line, by: author))
    }
  }

  private func only(_ ids: [String]) throws -> String {
    guard let id = ids.first, ids.count == 1 else {
      throw ServiceError("only one group can be split at a time", .wrongUsage)
    }
    return id
  }

  /// - Throws: ``ServiceError`` for a word that is neither a version nor the name of a known release.
  private func checkRelease(_ release: Release) throws {
    guard !release.name.contains(where: \.isNumber),
      try !releases(of: nil).contains(where: { $0.release == release })
    else { return }
    throw ServiceError(
      "'\(release.name)' is not a version, and no release has this name", .wrongUsage)
  }

  /// Returns a warning if a group was seen in a release in which it should be fixed.
  private func warning(of group: GroupSummary, in store: CrashStore) throws -> String? {
    guard let fix = group.status.fix, fix.kind == .inRelease, let fixed = fix.release,
      let seen = try store.releases.newest(ofGroup: group.id, notBefore: fixed)
    else { return nil }
    return "\(group.id) was already seen in \(seen.name), which is not older than \(fixed.name)"
  }

  // MARK: Apps

  package func addApp(_ name: String, secret: String?) throws {
    try store.apps.add(
      name, secret: secret.map(AppCenterLogs.canonicalID))
  }

  package func adoptApp(secret start: String, as name: String) throws {
    try AppAdoption(in: store, signer: Signer(rules: .standard))
      .run(secret: start.lowercased(), into: name)
  }

  package func renameApp(_ old: String, to name: String) throws {
    try store.apps.rename(old, to: name)
  }

  package func setPrefix(_ prefix: String, of app: String) throws {
    try store.apps.setPrefix(prefix, of: app)
  }

  package func setLinking(_ policy: LinkPolicy, of app: String) throws {
    try store.apps.setLinking(policy, of: app)
  }

  package func setTracker(_ tracker: TicketTracker?, of app: String) throws {
    try store.apps.setTracker(tracker, of: app)
  }

  package func setProtection(_ protection: ReportProtection, of app: String) throws {
    try store.apps.setProtection(protection, of: app)
  }

  package func setRetention(_ retention: Retention, of app: String) throws {
    try store.retention.setLimits(retention, of: app)
  }

  // MARK: Releases

  package func releases(of app: String?) throws -> [ReleaseRecord] {
    try store.releases.list(of: app)
  }

  package func addReleases(_ releases: [Release], to app: String) throws -> [ReleaseRecord] {
    try store.releases.add(releases, to: app)
  }

  package func removeReleases(_ releases: [Release], of app: String) throws -> [ReleaseRecord] {
    try store.releases.remove(releases, of: app)
  }

  package func orderReleases(_ releases: [Release], of app: String) throws -> [ReleaseRecord] {
    return releases.isEmpty
      ? try store.releases.resetOrder(of: app) : try store.releases.setOrder(of: app, releases)
  }

  // MARK: Debug files

  package func debugFiles() throws -> [DebugFileRecord] { try store.debugFiles.list() }

  package func debugFiles(of id: String, architecture: String?) throws -> [JSONValue] {
    try StoredDebugFiles.documents(of: id, architecture: architecture, in: store)
  }

  package func missingImages(
    of query: Query?, app: String?, limit: Int?
  ) throws -> (images: [MissingImage], total: Int) {
    if let app, try apps().contains(where: { $0.name == app }) != true {
      throw try store.apps.unknown(app)
    }
    if let query { try withholding.check(query, of: app) }
    return try store.debugFiles.missing(of: query, app: app, limit: limit)
  }

  // MARK: Figures

  package func stats(of app: String?) throws -> StoreStatistics {
    let accounts = try store.ledger.accounts(app: app)
    let apps = try accounts.compactMap { account in
      try account.app.map { name in
        AppStats(account, app: name, groups: try store.apps.groupCount(of: name))
      }
    }
    return StoreStatistics(
      apps: apps,
      refusedWithoutApp: accounts.filter { $0.app == nil }
        .reduce(0) { $0 + $1.refused.amount.count },
      debugFiles: try store.debugFiles.totals(),
      space: app == nil ? try SpaceUse(ofHome: home) : nil)
  }

  package func ledger(of app: String?) throws -> Ledger {
    return try store.ledger.get(app: app)
  }

  package func crashFree(
    of app: String?, from first: Timestamp?, to last: Timestamp?, version: String?
  ) throws -> [AppCrashFree] {
    let names = try apps().map(\.name).filter { app == nil || $0 == app }
    if let app, names.isEmpty { throw try store.apps.unknown(app) }
    return try names.map { name in
      AppCrashFree(
        app: name,
        figures: try store.sessions.crashFree(
          app: name, from: first, to: last, release: version.map { Release($0) }))
    }
  }

  // MARK: Tokens

  private func tokensTable() throws -> TokensTable {
    TokensTable(in: try ServerStore(opening: home))
  }

  package func tokens() throws -> [Token] { try tokensTable().all() }

  package func makeToken(
    label: String, scopes: Set<TokenScope>, app: String?, for length: TimeLength?
  ) throws -> (token: Token, text: String) {
    // A token for a misspelt app would see nothing, without a reason.
    let app = try app.map(store.apps.existingName(of:))
    return try tokensTable().make(
      label: label, scopes: scopes, app: app, expires: length?.end(from: .now), now: .now)
  }

  package func revokeToken(_ id: String) throws {
    guard try tokensTable().revoke(id, now: .now) else {
      throw ServiceError(
        "no token has the id \(id.printable), or it was already revoked", .notFound)
    }
  }

  package init(
    home: String, store: CrashStore,
    archive: @escaping @Sendable (ReportRecord, CrashStore) throws -> ByteView
  ) {
    self.home = home
    self.store = store
    self.archive = archive
  }
}
