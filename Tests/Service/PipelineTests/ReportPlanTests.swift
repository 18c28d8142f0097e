import Bytes
import CrashInput
import Database
import Grouping
import Identifiers
import Pipeline
import SymbolSources
import TestSupport
import Testing
import TriageModel

@testable import CrashStore
@testable import ServerStore

/// The plan of every statement that runs while reports are stored and reprocessed, in all databases of a home.
///
/// No home keeps statistics, so that a plan is the same in a home of any size. Whoever runs `ANALYZE` in one
/// must not get worse plans either.
@Suite("Plans of the statements that run for each report")
struct ReportPlanTests {
  static let folder = "plans"
  private static let golden = GoldenFolder(folder, in: GoldenFolder())
  private static let title = "with statistics of a large home"

  private typealias Allowance = StatementPlans.Allowance

  private static func allow(
    _ steps: [String], in statements: [String] = [""], because reason: String
  ) -> [Allowance] {
    steps.flatMap { step in
      statements.map { Allowance(step, in: $0, because: reason) }
    }
  }

  /// Steps that read a whole table or sort, and cost little in a home of any size.
  private static let small: [[Allowance]] = [
    allow(["SCAN sides", "SCAN spans"], because: "two rows that the statement makes"),
    allow(
      ["SCAN arrivals", "SCAN apps", "SCAN search_stale"],
      because: "few rows: numbers, apps, and work that is left"),
    allow(
      [
        "SCAN erasures", "SCAN intake_charges", "SCAN intake_logs", "SCAN intake_totals",
        "SCAN intake_states",
      ], because: "few rows, read once for a batch"),
    allow(
      ["SCAN taken", "SEARCH taken"],
      because: "the origins that were split off one"),
    allow(
      ["SCAN others"], in: ["LIMIT 2000"], because: "a bounded number of reports of one stack"),
    allow(["SCAN redo"], because: "the reports that wait, until the first, or once for a batch"),
    allow(
      ["USE TEMP B-TREE"],
      in: [
        "SELECT * FROM counted_reports WHERE origin", "SELECT DISTINCT name, reason FROM refused",
        "SELECT DISTINCT origins.id", "count(DISTINCT home) FROM origins WHERE grp",
        "SELECT report, debug_id FROM waiting JOIN", "FROM debug_files WHERE debug_id",
        "FROM apps WHERE name = ?1 OR", "JOIN key_links", "SELECT reading FROM key_readings",
        "FROM regroup", "FROM session_events", "FROM releases WHERE app",
        "FROM search_past WHERE counted > 0",
      ], because: "what one report, key, image or app has"),
    allow(
      ["USE TEMP B-TREE"], in: ["FROM key_stacks WHERE app = ?1 AND functions = ?2"],
      because: "only with statistics: the stacks with the same two functions"),
  ]

  /// Steps that read all reports of a group or of an origin, each time that some of them move, which few
  /// arriving reports cause.
  private static let ofMoves: [[Allowance]] = [
    allow(
      ["USE TEMP B-TREE"],
      in: [
        "AS moved", "SELECT DISTINCT (id >> 13) + 1048576 FROM search_past WHERE origin",
        "SELECT DISTINCT id >> 13 FROM reports", "ORDER BY length(signature) DESC",
        "SELECT reports.key, count(*) AS count", "PARTITION BY version, build",
        "SET (exemplar, exemplar_symbols, kind, category)", "SET (reason, reason_time)",
      ], because: "once for a move"),
    allow(
      ["SCAN newest", "SCAN (subquery-3)"], in: ["PARTITION BY version, build"],
      because: "once for a move"),
  ]

  /// Steps that read more than they should, and get slower as a home grows.
  private static let slow: [[Allowance]] = [
    allow(
      ["SCAN reports", "SCAN counters", "SCAN group_installs"], in: ["DELETE FROM origins"],
      because: "once for two groups that become one: references to origins have no index"),
    allow(
      ["SCAN reports"], in: ["WITH RECURSIVE taken"],
      because: "once for a move, and only with statistics"),
  ]

  @Test(
    "Each uses the expected index; none reads a whole table or sorts, with and without statistics")
  func plans() throws {
    let folder = ScratchFolder()
    let work = try StoringWork(in: folder.path("home"))
    try work.run()
    var all: [StatementPlans] = []
    for (name, connection, statements) in try work.databases() {
      let text = try connection.withLock { connection -> String in
        let isKept = try connection.integer(
          "SELECT 1 FROM sqlite_schema WHERE name GLOB 'sqlite_stat*'")
        #expect(isKept == nil)
        let plain = try StatementPlans(of: statements, on: connection)
        try StatementPlans.setStatistics(
          try ByteView(reading: "\(Self.golden.path)/\(name).statistics", limit: 1 << 20).text,
          of: connection)
        // Only a new connection knows nothing else.
        let large = try StatementPlans(
          of: statements, on: Connection(opening: connection.path))
        all += [plain, large]
        return plain.text(besides: large, Self.title)
      }
      #expect(Self.golden.difference(of: text, from: "\(name).txt") == nil)
    }
    #expect(all.reduce(0) { $0 + $1.count } > 400)
    let allowances = Self.small + Self.ofMoves + Self.slow
    #expect(StatementPlans.faults(of: all, allowing: allowances.flatMap(\.self)) == [])
  }

  @Test(
    "A whole table, a sort and an index for one run are found, and so is an allowance for nothing")
  func faults() throws {
    let folder = ScratchFolder()
    let connection = try Connection(opening: folder.path("database"))
    try connection.execute("CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT)")
    let plans = try StatementPlans(
      of: [
        "SELECT id FROM things WHERE id = ?1", "DELETE FROM things WHERE name = ?1",
        "UPDATE things SET name = '' WHERE id IN (SELECT id FROM things WHERE name = 'a')",
        "SELECT name FROM things WHERE id > ?1 ORDER BY name",
        "SELECT one.id FROM things AS one JOIN things AS other ON other.name = one.name",
      ], on: connection)
    let faults = StatementPlans.faults(
      of: [plans],
      allowing: [
        .init("SCAN things", in: "DELETE", because: "a test"),
        .init("SCAN others", because: "a test"),
      ])
    #expect(faults.count == 5, "\(faults)")
    #expect(faults.last == "SCAN others, : is not there")
    for part in ["USE TEMP B-TREE", "AUTOMATIC", "SCAN one", "SCAN things: UPDATE"] {
      #expect(faults.contains { $0.contains(part) }, "\(part)")
    }
  }
}

/// Reports of all kinds of ways into a home, each stored, counted, refused, stored before, or reprocessed.
private final class StoringWork {
  private let store: CrashStore
  private let server: ServerStore
  private let queue: IntakeQueue
  /// The statements that ran in each database while reports were stored.
  private var statements: [String: Set<String>] = [:]
  private var second: Int64 = 1_790_000_000

  init(in home: String) throws {
    var options = Connection.Options()
    options.countsWork = true
    var contents = ContentStore.options
    contents.countsWork = true
    store = try CrashStore(opening: home, options: options, contentOptions: contents)
    server = try ServerStore(opening: home, options: options)
    queue = IntakeQueue(in: server)
  }

  func databases() throws -> [(name: String, connection: SharedConnection, statements: Set<String>)]
  {
    [
      ("mayday", store.connection, statements["mayday"] ?? []),
      ("server", server.connection, statements["server"] ?? []),
      ("contents", store.contents.database, statements["contents"] ?? []),
    ]
  }

  private func costs() throws -> [String: [String: StatementCost]] {
    var costs: [String: [String: StatementCost]] = [:]
    for (name, connection, _) in try databases() {
      costs[name] = try connection.withLock { $0.statementCosts }
    }
    costs["mayday"]?.merge(try store.readers.statementCosts) { $0 + $1 }
    return costs
  }

  /// Notes the statements that run in `body`.
  private func noting(_ body: () throws -> Void) throws {
    let before = try costs()
    try body()
    for (name, costs) in try costs() {
      let ran = costs.filter { $1.runs > before[name]?[$0]?.runs ?? 0 }
      statements[name, default: []].formUnion(ran.keys)
    }
  }

  private func submit(_ route: String, _ body: [UInt8], _ facts: [String: String]) throws {
    second += 1
    var facts = facts
    facts[IntakeFact.submission] = "submission \(second)"
    facts[IntakeFact.client] = "client"
    facts[IntakeFact.share] = facts[IntakeFact.app] ?? "Tern"
    try queue.submit(
      IntakeRecord(
        route: route, received: Timestamp(seconds: second), facts: facts, body: ByteView(body)))
  }

  private func work() throws {
    let worker = try IntakeWorker(
      from: queue, of: server, into: store, signer: Signer(rules: .standard), width: 1,
      slice: .seconds(600))
    while try !worker.step().isNothing {}
    try worker.finish()
  }

  private func submitSamples(_ folder: String, copies: Int = 1, app: String? = "Tern") throws {
    for name in Samples.all(in: folder) {
      let bytes = try Samples.bytes(name)
      for copy in 0..<copies {
        try submit(
          IntakeProtocol.reports, bytes + [UInt8](repeating: 10, count: copy),
          app.map { [IntakeFact.app: $0] } ?? [:])
      }
    }
  }

  private func sendLogs(_ logs: [String]) throws {
    let body = "{\"logs\":[\(logs.joined(separator: ","))]}"
    try submit(
      IntakeProtocol.appCenter, Array(body.utf8),
      [
        IntakeFact.secret: "5B1E6C1C-3C51-4E0B-9F4E-2E3C7E0B7A10",
        IntakeFact.install: "0D1E2F3A-0000-4000-8000-000000000001",
      ])
  }

  private func log(_ type: String, _ id: Int, _ members: String) -> String {
    """
    {"type":"\(type)","id":"A3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0\(100 + id)",
    "sid":"B3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0A11","timestamp":"2026-03-02T10:12:01Z",
    "device":{"osName":"Android","appVersion":"1.2.0"}\(members)}
    """
  }

  private func crash(_ id: Int) -> String {
    let frames = "[{\"className\":\"a.B\",\"methodName\":\"c\",\"lineNumber\":3}]"
    return log("managedError", id, ",\"exception\":{\"type\":\"E\",\"frames\":\(frames)}")
  }

  private func attachment(_ id: Int) -> String {
    log(
      "errorAttachment", 50 + id,
      """
      ,"errorId":"A3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0\(100 + id)","fileName":"log.txt",
      "contentType":"text/plain","data":"aGVsbG8="
      """)
  }

  func run() throws {
    try store.retention.setDailyLimit(2)
    try noting {
      for family in ["apple-ips", "minidump", "sanitizer", "java-trace"] {
        try submitSamples(family)
      }
      try submitSamples("apple-crash", app: nil)
      try submit(IntakeProtocol.reports, Array("no report".utf8), [IntakeFact.app: "Tern"])
      try sendLogs([log("startSession", 90, ""), log("event", 91, ",\"name\":\"tap\"")])
      for id in 0..<4 {
        try sendLogs([attachment(id)])
        try sendLogs([crash(id)])
        try sendLogs([attachment(id)])
      }
      try work()
      // What is beyond the limit of the day is counted; the rest is known.
      try submitSamples("sanitizer", copies: 4)
      try work()
      // Of a worker that gave one back, found more in another than was counted, and died.
      try submit(IntakeProtocol.reports, Array("one".utf8), [:])
      try submit(IntakeProtocol.reports, Array("another".utf8), [:])
      let lease = try WorkerLease(in: server)
      let taken = try queue.next(for: lease, atMost: 2)
      try queue.giveBack([taken[0]])
      let charge = IntakeCharge(client: "client", app: "", reports: 1, bytes: 1)
      let done = FinishedRecord(taken[1], isNew: true, work: 1, charge: charge)
      _ = try queue.next(for: lease, finishing: [done], atMost: 0)
      try submitSamples("go-panic")
      _ = try queue.next(for: WorkerLease(in: server))
      _ = try queue.reclaim()
      try work()
    }
    try decide()
    try noting {
      try submitSamples("python-traceback")
      try submitSamples("apple-ips", copies: 5)
      try work()
      try ingestFiles()
    }
    for name in ["apple/1.1.0/ios/Tern", "apple/1.1.0/ios/Tern.app.dSYM"] {
      for file in DebugFileScanner().scan([Samples.debugFile(name)]).files { try store.add(file) }
    }
    try noting { try work() }
    let text = "function:abort class=glue"
    let rules = GroupingRules.standard.with(try CustomRules(parsing: text))
    _ = try store.rules.apply(
      builtIn: rules.version, text: text, digest: rules.digest, to: "Tern", by: "ann")
    try noting { try work() }
    #expect(try store.reports.totals().reports > 100)
    #expect(try store.reports.totals().counted > store.reports.totals().reports)
    #expect(try queue.counts().quarantined > 0 && queue.counts().duplicates > 0)
  }

  /// Decisions after which storing asks more: regressions, ignored groups, and splits.
  private func decide() throws {
    let groups = try store.groups.list().map(\.id).sorted()
    try store.triage.resolve([groups[0], groups[1]], .inRelease(Release("0.1")), by: "ann")
    for group in groups.prefix(12) {
      _ = try? store.triage.split(group, where: "version:1.*", by: "ann")
    }
    _ = try store.triage.merge([groups[13]], into: groups[14], by: "ann")
  }

  private func ingestFiles() throws {
    let files = try Samples.all(in: "appcenter").prefix(8).map { try Samples.bytes($0) }
    for app in ["Tern", nil] {
      _ = try Ingest(into: store, processor: Samples.processor(app: app), app: app, width: 1).run(
        received: Timestamp(seconds: second)
      ) { bring in
        for (ordinal, bytes) in files.enumerated() {
          let path = "\(ordinal).json"
          _ = bring(
            InputFile(path: path, content: .success(ByteView(bytes)), ordinal: 2 * ordinal))
          _ = bring(
            InputFile(
              path: "\(ordinal).log", content: .success(ByteView("a log".utf8)),
              ordinal: 2 * ordinal + 1,
              companion: Companion(of: path, called: Array("log".utf8), isAttachment: true)))
        }
      }
    }
  }
}
