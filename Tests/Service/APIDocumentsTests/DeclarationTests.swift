import Bytes
import CrashModel
import CrashService
import CrashStore
import Documents
import Identifiers
import JSON
import Query
import ReportDocument
import ServerStore
import Statistics
import TestSupport
import Testing
import TriageModel

@testable import APIDocuments

/// Every document that a client reads, with all of its members set.
@Suite("Declarations of documents")
struct DeclarationTests {
  private static let time = Timestamp("2026-03-01T12:30:00Z") ?? .zero
  private static let day = Timestamp("2026-03-02T00:00:00Z") ?? .zero

  static let group: GroupSummary = {
    var group = withoutTicket
    group.ticket = GroupTicket(url: "https://git.example.org/tern/issues/7", state: .closed)
    return group
  }()

  private static let withoutTicket = GroupSummary(
    id: "TERN-1", app: "Tern",
    signature: Signature(
      text: "a | b", key: "0f", category: .hang, rules: "v1", isProvisional: true),
    reason: "SIGSEGV", kind: .hang,
    status: GroupStatus(
      .ignored, time: time, author: "ann",
      fix: GroupFix(.inRelease, Release(version: "1.5.0", build: "600")),
      ignore: IgnoreCondition(reports: 1, users: 2, until: time)), assignee: "bob",
    merged: ["TERN-2"], reports: 3, installs: 2, firstSeen: time, lastSeen: time,
    versions: [VersionCount(version: "1.0 (1)", reports: 3)], exemplar: "aa")

  private static let report = ReportSummary(
    id: "aa", group: "TERN-1", app: "Tern", format: .sanitizer, kind: .oom, time: time,
    received: time, version: "1.0", build: "1", os: "iOS 17.2", device: "iPhone15,2",
    reason: "SIGSEGV", signature: "a | b", symbols: .partial, source: "a.ips")

  private static let event = GroupEvent(
    number: 3, group: "TERN-1", time: time, author: "ann", event: "noted", detail: "x",
    undone: 4, isAction: true)

  private static let ranking = GroupBreakdown.Ranking(
    top: [GroupBreakdown.Share(name: "iOS 17.2", reports: 2)], others: 1, reportsOfOthers: 4)

  private static let breakdown = GroupBreakdown(
    reportsOfApp: 9,
    versions: [GroupBreakdown.Version(name: "1.0", reports: 3, firstDay: day, lastDay: day)],
    systems: ranking, devices: ranking, days: [GroupBreakdown.Day(start: day, reports: 3)])

  private static let total = LedgerTotal(
    amount: LedgerAmount(count: 1, bytes: 2),
    parts: [LedgerTotal.ReasonAmount(reason: "age", amount: LedgerAmount(count: 1, bytes: 2))])

  /// Documents of reports without bytes.
  private static let counts = LedgerTotal(
    amount: LedgerAmount(count: 1),
    parts: [LedgerTotal.ReasonAmount(reason: "age", amount: LedgerAmount(count: 1))])

  private static let account = LedgerAccount(
    app: "Tern", received: LedgerAmount(count: 1, bytes: 2),
    stored: LedgerAmount(count: 3, bytes: 4), counted: total, duplicates: total, refused: total,
    kept: LedgerAmount(count: 5, bytes: 6), expired: total,
    removed: LedgerAmount(count: 7, bytes: 8), reportsStored: 9, reportsKept: 10,
    reportsExpired: counts, reportsRemoved: 11, reportsCounted: counts, reportsLeftOut: counts)

  private static let statistics = StoreStatistics(
    apps: [
      AppStats(
        app: "Tern", groups: 1, reports: 2, reportsKept: 3,
        submissions: LedgerAmount(count: 4, bytes: 5), refused: 6)
    ], refusedWithoutApp: 7, debugFiles: LedgerAmount(count: 8, bytes: 9),
    space: SpaceUse(disk: 10, database: 11, contents: 12, debugFiles: 13, caches: 14))

  private static let debugID = DebugID(uuid: (0..<16).map { UInt8($0) }, age: 2)

  private static let image = MissingImage(
    debugID: debugID, codeID: CodeID("0011"), architecture: Architecture("arm64"), name: "libx",
    path: "/usr/lib/libx.so", isOwn: true, hasDebugFile: true, reports: 1, groups: 2,
    provisionalGroups: 3,
    builds: [
      MissingImage.Build(app: "Tern", release: Release(version: "1.0", build: "1"))
    ],
    systems: [MissingImage.System(name: "Linux", version: "6", build: "b", model: "m")])

  private static let token = Token(
    id: "ab", label: "x", scopes: [.ingest, .read], app: "Tern", created: time, expires: time,
    revoked: time, used: time, account: "ann")

  private static var ledger: Ledger {
    var ledger = Ledger()
    ledger.accounts = [account]
    ledger.faults = [LedgerFault(app: "Tern", what: "kept", ledger: -1, counted: 2)]
    return ledger
  }

  private static var crashFree: AppCrashFree {
    var figures = CrashFree()
    (figures.sessions, figures.crashedSessions) = (10, 1)
    (figures.installs, figures.crashedInstalls) = (5, 2)
    (figures.crashes, figures.hangs, figures.outOfMemory) = (3, 6, 7)
    (figures.installsWithSessions, figures.crashesWithoutInstall) = (4, 8)
    return AppCrashFree(app: "Tern", figures: figures)
  }

  private static var regressions: AppRegressions {
    var regressions = AppRegressions(app: "Tern")
    (regressions.basis, regressions.since) = (.sessions, day)
    regressions.builds = [Release("1.0 (1)"), Release("2.0")]
    (regressions.tested, regressions.comparisons, regressions.total) = (1, 2, 3)
    regressions.newest = Release("2.0")
    let release = Release("1.0 (1)")
    let item = FirstBadBuild(
      group: "TERN-1", title: "a", state: .regressed, release: release, last: release, isNew: true,
      new: .init(marked: 1, of: 2), former: .init(marked: 3, of: 4), installs: 5, pValue: 0.25,
      confidence: 0.75)
    regressions.groups = [item]
    regressions.whole = item
    return regressions
  }

  private static var correlations: Correlations {
    var correlations = Correlations(group: "TERN-1", app: "Tern", title: "a")
    (correlations.cases, correlations.otherCases, correlations.tested) = (1, 2, 3)
    var item = Correlation(
      field: "os", value: "iOS", cases: 1, allCases: 2, otherCases: 3, allOtherCases: 4,
      installs: 5,
      expectedShare: 0.5, pValue: 0.25, adjustedPValue: 0.5)
    item.synonyms = ["device:a"]
    correlations.items = [item]
    return correlations
  }

  private static var releaseFigures: ReleaseFigures {
    var figures = ReleaseFigures(
      app: "Tern", release: Release("1.0 (1)"),
      days: ReleaseFigures.Days(first: day, last: day))
    figures.builds = ["1"]
    (figures.reports, figures.groups, figures.installs) = (1, 2, 3)
    (figures.firstSeen, figures.lastSeen) = (time, time)
    figures.crashFree = crashFree.figures
    figures.adoption = [
      ReleaseFigures.Day(start: day, sessions: 1, allSessions: 2, installs: 3, allInstalls: 4)
    ]
    var groupCounts = DistributionFigures.Group(id: "a", name: "Beta")
    (groupCounts.downloads, groupCounts.installs) = (9, 10)
    figures.distribution.groups = [groupCounts]
    var dayCounts = DistributionFigures.Day(start: day, group: "Beta")
    (dayCounts.downloads, dayCounts.installs) = (11, 12)
    figures.distribution.days = [dayCounts]
    let group = ReleaseFigures.Group(id: "TERN-1", signature: "a", state: .regressed, reports: 2)
    figures.newGroups = ReleaseFigures.TopItems(items: [group], total: 5)
    figures.regressions = ReleaseFigures.TopItems(items: [group], total: 6)
    figures.fixedGroups = ReleaseFigures.TopItems(items: [group], total: 7)
    figures.missing = ReleaseFigures.TopItems(items: [image], total: 8)
    return figures
  }

  private static func parsed(_ value: some Documented) throws -> JSONValue {
    var writer = JSONWriter()
    writer.write(value)
    return try JSONDocument.parse(ByteView(writer.takeBytes())).value
  }

  /// - Parameter value: With every member set.
  private static func check<Value: Documented & Equatable>(_ value: Value) throws {
    let written = try parsed(value)
    let names = Value.declaration.schemaMembers.map(\.name)
    #expect(written.object?.map(\.key) == names, "\(Value.self)")
    #expect(try Value.declaration.read(written) == value, "\(Value.self)")
    for name in Value.declaration.schemaMembers.filter(\.isRequired).map(\.name) {
      let others = written.object?.filter { $0.key != name } ?? []
      let read = Result { try Value.declaration.read(.object(others)) }
      switch read {
      case .failure(let error):
        #expect(error as? DocumentError == DocumentError(.missing, at: name))
      // Derived members may be missing.
      case .success(let found): #expect(found == value, "\(Value.self).\(name)")
      }
    }
  }

  @Test("A written document reads back as the same value, and a missing member is named")
  func roundTrips() throws {
    try Self.check(Self.group)
    try Self.check(Self.report)
    try Self.check(Self.event)
    try Self.check(Self.breakdown)
    try Self.check(GroupKey(key: "0f", signature: "a", reports: 2, versions: ["1.0"]))
    try Self.check(
      ReportVersions(
        report: "aa", group: "TERN-1",
        versions: [
          ReportVersion(
            number: 1, replaced: Self.time, group: "TERN-2", arrived: [Self.debugID],
            document: String(repeating: "0", count: 64))
        ]))
    try Self.check(TrendPoint(day: Self.day, reports: 3))
    var app = AppRecord(
      name: "Tern", prefix: "TERN", intakeKey: "k",
      retention: Retention(days: 1, bytes: 2, perGroup: 3), secrets: [],
      linking: LinkPolicy("0.70"))
    app.tracker = TicketTracker(
      .gitlab, "https://git.example.org/tern", token: "", reports: 3, users: 2)
    app.protection[.user] = .triage
    try Self.check(app)
    try Self.check(
      ReleaseRecord(
        app: "Tern", release: Release(version: "1.0", build: "1"), isPlaced: true, added: Self.time,
        firstSeen: Self.time, lastSeen: Self.time, reports: 2))
    try Self.check(
      DebugFileRecord(
        debugID: Self.debugID, codeID: CodeID("0011"), architecture: Architecture("arm64"),
        kind: "symbols", name: "x.debug", digest: "00", size: 3, added: Self.time))
    try Self.check(Self.ledger)
    try Self.check(Self.account)
    try Self.check(Self.statistics)
    try Self.check(Self.crashFree)
    try Self.check(Self.releaseFigures)
    try Self.check(Self.regressions)
    try Self.check(Self.correlations)
    try Self.check(Self.token)
    try Self.check(NewToken(text: "secret", token: Self.token))
    try Self.check(
      QuarantinedSubmission(
        id: 1, route: "report", received: Self.time, facts: ["name": "a"], size: 2, attempts: 3,
        problem: "p", isCounted: false))
  }

  @Test("Omitted members read back as nil")
  func absentMembers() throws {
    var group = Self.group
    group.reason = nil
    group.status = GroupStatus(.resolved, fix: GroupFix(.time))
    group.assignee = nil
    group.merged = []
    group.installs = nil
    group.firstSeen = nil
    group.lastSeen = nil
    #expect(try GroupSummary.declaration.read(Self.parsed(group)) == group)
    var account = Self.account
    account.app = nil
    #expect(try LedgerAccount.declaration.read(Self.parsed(account)) == account)
    var histogram = Histogram(emptyBy: "", countsGroups: false)
    histogram.rows = [Histogram.Row(value: "", reports: 1, groups: 2)]
    #expect(try Histogram.declaration.read(Self.parsed(histogram)) == histogram)
  }

  @Test("A missing image's advice follows from the rest of it")
  func missingImage() throws {
    let written = try Self.parsed(Self.image)
    #expect(try MissingImage.declaration.read(written) == Self.image)
    #expect(written["advice"]?["kind"]?.string == "distribution")
  }

  @Test("A group's page reads back with its report")
  func groupPage() throws {
    let stored = StoredReport(
      id: "aa", received: Self.time, group: "TERN-1", app: "Tern",
      report: CrashReport(format: .appCenter))
    let page = GroupOverview(
      group: Self.group, breakdown: Self.breakdown, recent: [Self.report],
      history: [Self.event], exemplar: stored)
    let read = try GroupOverview.declaration.read(Self.parsed(page))
    #expect(read.group == page.group)
    #expect(read.breakdown == page.breakdown)
    #expect(read.recent == page.recent)
    #expect(read.history == page.history)
    #expect(read.exemplar == page.exemplar)
  }

  @Test("A thing has one shape in all documents about crashes")
  func oneShape() {
    func members(_ schema: APISchema?) -> Set<String>? {
      guard case .object(let members, _) = schema else {
        guard case .component(let component) = schema else { return nil }
        return Set(component.members.map(\.name))
      }
      return Set(members.map(\.name))
    }
    func member(_ name: String, of document: String) -> APISchema? {
      guard
        case .object(let all, _) = APISchema.components.first(where: { $0.name == document })?
          .schema
      else { return nil }
      return all.first { $0.name == name }?.schema
    }
    for name in ["app", "os", "device", "reason", "signature"] {
      let known = members(member(name, of: "Report"))
      #expect(known?.isEmpty == false)
      for document in ["Group", "GroupSummary", "ReportSummary", "GroupKey"] {
        guard let schema = member(name, of: document) else { continue }
        let found = members(schema)
        #expect(
          found?.isSubset(of: known?.union(["text"]) ?? []) == true, "\(document).\(name)")
      }
    }
    // The app's own code, and files, have one name each.
    for component in APISchema.components {
      for (path, _) in Self.members(of: component.schema, component.name) {
        #expect(!path.hasSuffix(".own"), "\(path)")
        #expect(!path.hasSuffix(".source") || path == "Frame.source", "\(path)")
      }
    }
  }

  @Test("A secret of an app is neither shown nor written in full")
  func secrets() throws {
    let app = AppRecord(
      name: "Tern", prefix: "TERN", intakeKey: "k", retention: Retention(),
      secrets: ["2d1f6c0a-0000"])
    #expect(try Self.parsed(app)["app_secrets"]?[0]?.string == "2d1f6c0a…")
    let submission = QuarantinedSubmission(
      id: 1, route: "report", received: Self.time, facts: ["secret": "s", "name": "a"], size: 2,
      attempts: 3, problem: "p", isCounted: false)
    #expect(try Self.parsed(submission)["facts"]?.object?.map(\.key) == ["name"])
  }

  /// Every named schema, and those of nested objects.
  private static func members(of schema: APISchema, _ path: String) -> [(String, APIMember)] {
    switch schema {
    case .object(let members, _):
      members.flatMap {
        [("\(path).\($0.name)", $0)] + Self.members(of: $0.schema, "\(path).\($0.name)")
      }
    case .list(let element, _, _), .map(let element): Self.members(of: element, path + "[]")
    default: []
    }
  }

  @Test("Each example fits its schema")
  func examples() throws {
    // No example refers to a schema by its name.
    let validator = SchemaValidator(.object([]))
    var count = 0
    for component in APISchema.components {
      for (path, member) in Self.members(of: component.schema, component.name) {
        guard let example = member.example else { continue }
        var writer = JSONWriter()
        member.schema.write(to: &writer)
        let schema = try JSONDocument.parse(ByteView(writer.takeBytes())).value
        #expect(validator.faults(of: example, against: schema).isEmpty, "\(path)")
        count += 1
      }
    }
    #expect(count > 50)
  }
}
