import Bytes
import CrashModel
import Crypto
import Database
import Files
import Identifiers
import ReportDocument
import TestSupport
import Testing
import TriageModel

@testable import CrashStore

/// The same history, in a process that stores many submissions at once, reads what is known of all of them and
/// remembers what it has seen, and in processes that store them one by one and know nothing: both homes are the
/// same, row by row.
@Suite("Histories") struct HistoryTests {
  /// A submission with its reports.
  private struct Made {
    let app: String
    let text: String
    let reports: [CrashReport]
    let received: Timestamp
    /// The text of an attachment.
    let log: String?

    func prepared() throws -> PreparedSubmission {
      let ids = ReportID.ids(of: ByteView(text.utf8), app: app, count: reports.count)
      var prepared = try PreparedSubmission(
        Submission(bytes: ByteView(text.utf8), source: text, received: received, app: app),
        reports: zip(ids, reports).map { id, report in
          (report, ByteView(report.document(id: id, received: received)))
        })
      if let log { prepared.attach(try PreparedAttachment("log.txt", ByteView(log.utf8))) }
      return prepared
    }
  }

  /// Numbers choose among the groups and reports that are there when it is done.
  private enum Step {
    case add([Made], isLimited: Bool)
    case debugFile(Int)
    case reprocess([Int])
    case resolve(Int), ignore(Int, users: Int)
    case merge(Int, Int), unmerge(Int), undo(Int)
    case splitKey(Int, Int), splitVersion(Int, Int)
    case link(LinkPolicy, app: Int)
    case remove([Int])
    case expire(Retention, app: Int)
    case erase(ErasureSubject)
    case clear(app: Int)
  }

  private static let apps = ["Tern", "Other"]
  private static let modules = 1...4
  private static let end = Timestamp(seconds: StoreFixture.start.seconds + 8 * 86_400)

  private static func id(ofModule number: Int) -> DebugID { DebugID(uuid: [UInt8(number), 9]) }

  private static func report(_ random: inout SplitMix, isLate: Bool = false) -> CrashReport {
    let key = random.below(8)
    let isWaiting = !isLate && random.below(3) == 0
    var report = StoreFixture.report(
      isWaiting ? "p\(key % 3)" : "k\(key)",
      alternatives: !isWaiting && key < 3 ? ["k\(key + 4)"] : [], provisional: isWaiting,
      waitsFor: isWaiting ? [id(ofModule: 1 + key % 3)] : [], version: "\(1 + random.below(3)).0",
      install: random.below(5) == 0 ? nil : "\(random.below(4))",
      seconds: Int64(random.below(6 * 86_400)), os: random.pick(["iOS", "macOS", ""]))
    report.user = random.pick(["anna", "jo", nil])
    report.reason.message = random.pick(["out of range", "said \(random.below(3))", nil])
    report.tags = random.below(3) == 0 ? [ReportTag("shop"): "\(random.below(3))"] : [:]
    report.images = modules.map { number in
      var image = LoadedImage(name: "Module \(number)", debugID: id(ofModule: number))
      image.symbols = SymbolStatus(isLate || random.below(2) == 0 ? .found : .missing, tried: [])
      return image
    }
    let calls = (0..<4).map { "f\((key + $0 * (1 + random.below(2))) % 9)" }
    report.signature?.steps += calls.enumerated().map { index, call in
      SignatureStep(
        frame: index, subject: call, result: call, frameClass: FrameClass.app.rawValue, rule: "",
        used: index == 0)
    }
    // Longer titles of a key, and readings that a build may refute.
    if random.below(4) == 0 { report.signature?.text += " of \(random.below(3))" }
    if report.signature?.alternativeKeys.isEmpty == false, random.below(2) == 0 {
      report.signature?.steps.append(
        SignatureStep(
          frame: nil, subject: Signature.alternativeSubject, result: "", frameClass: "",
          rule: Signature.weakRule, used: false))
    }
    return report
  }

  /// A report as it is once its debug files have arrived.
  private static func late(_ report: CrashReport, _ id: String) -> CrashReport {
    var random = SplitMix(seed: UInt64(id.prefix(12), radix: 16) ?? 0)
    let isWaiting = report.signature?.isProvisional == true
    var late = isWaiting ? Self.report(&random, isLate: true) : report
    (late.app, late.time, late.install, late.user) = (
      report.app, report.time, report.install, report.user
    )
    // A later version may read another time.
    if random.below(4) == 0 { late.time = late.time.map { Timestamp(seconds: $0.seconds - 7_200) } }
    for index in late.images.indices {
      late.images[index].symbols = SymbolStatus(.found, tried: [])
    }
    return late
  }

  /// - Parameter hasLimits: Whether some reports beyond a limit are only counted.
  private static func step(
    _ number: Int, hasLimits: Bool = true, _ random: inout SplitMix
  ) -> Step {
    switch number < 3 ? 0 : random.below(30) {
    case 0..<11:
      let isLimited = random.below(3) == 0 && hasLimits
      // Which reports are beyond a limit is decided before anything of a batch is stored.
      let count = isLimited ? 0 : random.below(random.pick([7, 7, 7, 40]))
      let made = (0...count).map { index in
        // Some bytes come again, in the same batch or later.
        let text =
          random.below(6) == 0
          ? "submission \(random.below(number + 1)) 0" : "submission \(number) \(index)"
        let seconds = Int64(random.below(isLimited ? 3_600 : 6 * 86_400))
        return Made(
          app: random.below(4) == 0 ? apps[1] : apps[0], text: text,
          reports: (0..<random.below(4)).map { _ in report(&random) },
          received: Timestamp(seconds: StoreFixture.start.seconds + seconds),
          log: random.below(5) == 0 ? "log \(random.below(4))" : nil)
      }
      return .add(made, isLimited: isLimited)
    case 11: return .debugFile(random.below(modules.count))
    case 12..<16:
      return .reprocess((0...random.below(4)).map { _ in random.below(1_000) })
    case 16: return .resolve(random.below(1_000))
    case 17: return .ignore(random.below(1_000), users: 1 + random.below(3))
    case 18..<20: return .merge(random.below(1_000), random.below(1_000))
    case 20: return .unmerge(random.below(1_000))
    case 21: return .undo(random.below(1_000))
    case 22: return .splitKey(random.below(1_000), random.below(1_000))
    case 23: return .splitVersion(random.below(1_000), 1 + random.below(3))
    case 24:
      return .link(
        LinkPolicy(random.pick(["on", "off", "0.70"])) ?? .standard, app: random.below(2))
    case 25: return .remove((0...random.below(2)).map { _ in random.below(1_000) })
    case 26:
      let retention = Retention(
        days: 2 + random.below(5), perGroup: random.below(2) == 0 ? 2 : nil)
      return .expire(retention, app: random.below(2))
    case 27..<29:
      return .erase(
        random.below(2) == 0
          ? .user([random.pick(["anna", "jo"])]) : .install(["\(random.below(4))"]))
    default: return .clear(app: random.below(2))
    }
  }

  /// A home, and what its commands returned.
  private struct Home {
    let folder = ScratchFolder()
    var store: CrashStore
    /// Whether submissions are stored together, by one process.
    let isBatched: Bool
    var returned: [String] = []
    /// The reports that came, by their ids.
    private var made: [String: (report: CrashReport, received: Timestamp)] = [:]

    init(isBatched: Bool) throws {
      self.isBatched = isBatched
      store = try Self.open(folder, isBatched)
      try store.retention.setDailyLimit(2)
    }

    /// The one that stores one by one also undoes each transaction and runs it again.
    private static func open(_ folder: ScratchFolder, _ isBatched: Bool) throws -> CrashStore {
      let path = folder.path("home")
      return try isBatched
        ? CrashStore(opening: path) : CrashStore(checking: path, readsAhead: false)
    }

    mutating func run(_ step: Step) throws {
      if !isBatched { store = try Self.open(folder, isBatched) }
      do {
        try returned.append(apply(step))
      } catch let error as ActionError {
        returned.append("\(error)")
      } catch let error as StoreError {
        returned.append("\(error)")
      }
    }

    /// Continues with a restored backup of the home.
    mutating func restore(_ number: Int) throws {
      store = try store.restored(as: folder.path("restored \(number)"))
    }

    private func replace(_ ids: [String]) throws {
      let replacements = try ids.compactMap { id in
        try made[id].map { report, received in
          let late = HistoryTests.late(report, id)
          return try PreparedReplacement(
            of: id, received: received, by: late,
            document: ByteView(late.document(id: id, received: received)),
            arrivals: store.debugFiles.arrivals())
        }
      }
      #expect(replacements.count == ids.count)
      let portion = isBatched ? ids.count : 1
      for start in stride(from: 0, to: ids.count, by: max(portion, 1)) {
        try store.reports.replace(
          replacements[start..<min(start + portion, ids.count)].map { .replaced($0) })
      }
      while try store.groups.settle() {}
    }

    private mutating func apply(_ step: Step) throws -> String {
      if case .add(let submissions, let isLimited) = step {
        let prepared = try submissions.map { try $0.prepared() }
        let receipts =
          try isBatched
          ? store.reports.add(prepared, isLimited: isLimited)
          : prepared.flatMap { try store.reports.add([$0], isLimited: isLimited) }
        for (submission, receipt) in zip(submissions, receipts) where !receipt.isDuplicate {
          for (report, stored) in zip(submission.reports, receipt.reports) {
            made[stored.report] = (report, submission.received)
          }
        }
        return receipts.map { "\($0)" }.joined(separator: "\n")
      }
      let groups = try store.groups.list().items.map(\.id).sorted()
      let reports = try store.read { database -> [String] in
        let rows = try database.prepare("SELECT name FROM reports ORDER BY name")
        var names: [String] = []
        while try rows.step() { try names.append(rows.text("name")) }
        return names
      }
      guard !groups.isEmpty, !reports.isEmpty else { return "nothing" }
      func group(_ number: Int) -> String { groups[number % groups.count] }
      func names(_ numbers: [Int]) -> [String] {
        Array(Set(numbers.map { reports[$0 % reports.count] })).sorted()
      }
      switch step {
      case .add: break
      case .debugFile(let module):
        let bytes = ByteView("debug file \(module)".utf8)
        try store.debugFiles.add(
          bytes,
          records: [
            DebugFileRecord(
              debugID: HistoryTests.id(ofModule: module + 1), codeID: nil, architecture: .arm64,
              kind: "debug-info", name: "Module \(module + 1)", digest: SHA256.hex(of: bytes),
              size: bytes.count, added: StoreFixture.start)
          ])
        try replace(store.reports.toReprocess(limit: .max, newestFirst: false))
      case .reprocess(let numbers):
        let ids = names(numbers)
        try store.write(.global) { database in
          for id in ids {
            try database.run(
              """
              INSERT INTO redo (app, report) SELECT app, id FROM reports WHERE name = ?1
              ON CONFLICT DO NOTHING
              """, id)
          }
        }
        try replace(ids)
      case .resolve(let number):
        try store.triage.resolve([group(number)], .inRelease(Release("2.0")), by: "ann")
      case .ignore(let number, let users):
        try store.triage.ignore(
          [group(number)], IgnoreCondition(reports: users * 2, users: users), by: "ann")
      case .merge(let one, let other):
        guard group(one) != group(other) else { return "nothing" }
        try store.triage.merge([group(other)], into: group(one), by: "ann")
      case .unmerge(let number):
        let parts = try store.groups.list().items.flatMap(\.merged).sorted()
        guard !parts.isEmpty else { return "nothing" }
        try store.triage.unmerge([parts[number % parts.count]], by: "ann")
      case .undo(let number): try store.triage.undo([group(number)], by: "bob")
      case .splitKey(let number, let key):
        let keys = try store.triage.keys(ofGroup: group(number)).map(\.key)
        guard !keys.isEmpty else { return "nothing" }
        try store.triage.split(group(number), keys: [keys[key % keys.count]], by: "ann")
      case .splitVersion(let number, let version):
        try store.triage.split(group(number), where: "version:>=\(version).0", by: "ann")
      case .link(let policy, let app):
        try store.apps.setLinking(policy, of: HistoryTests.apps[app])
      case .remove(let numbers):
        return "\(try store.retention.remove(reports: names(numbers), at: HistoryTests.end))"
      case .expire(let retention, let app):
        return
          "\(try store.retention.expire(retention, of: HistoryTests.apps[app], at: HistoryTests.end))"
      case .erase(let subject):
        return "\(try store.retention.erase(subject, at: HistoryTests.end))"
      case .clear(let app): return "\(try store.apps.clear(app: HistoryTests.apps[app]))"
      }
      return "done"
    }

    /// The groups that do not show what docs/reference/store.md says: as the exemplar, the report with the most
    /// symbols, among equals the one with the smallest id; as the reason, that of the latest.
    func misshown() throws -> [String] {
      try store.read { database in
        let rows = try database.prepare(
          """
          SELECT title || ' shows ' || exemplar || ', ' || coalesce(reason, 'none') FROM groups
          WHERE redirect IS NULL AND (
            exemplar != (SELECT name FROM reports WHERE grp = groups.id
              ORDER BY symbols DESC, name LIMIT 1)
            OR coalesce(reason, '') != (SELECT coalesce(reason, '') FROM reports
              WHERE grp = groups.id ORDER BY time DESC, coalesce(reason, '') DESC LIMIT 1)
              AND NOT EXISTS (SELECT 1 FROM past_reports JOIN origins ON id = origin
                WHERE grp = groups.id))
          """)
        var groups: [String] = []
        while try rows.step() { groups.append(rows.text(0)) }
        return groups
      }
    }

    /// All rows of tables, except those of the index of trigrams.
    ///
    /// - Parameters:
    ///   - begun: Times since then are those of the clock, which differ.
    ///   - isKept: Whether only tables that are in backups count.
    func rows(since begun: Timestamp, isKept: Bool = false) throws -> [String] {
      let clock = begun.microseconds...WallClock.microseconds
      return try store.read { database in
        var lines: [String] = []
        for table in isKept ? StoreTable.kept : StoreTable.all
        where !Self.unlike.contains(table.name) {
          // Keys of apps are random.
          let columns = try database.columns(of: table.name).map(\.name).filter {
            $0 != "intake_key"
          }
          let quoted = columns.map { "quote(\($0))" }.joined(separator: ", ")
          let rows = try database.prepare(
            "SELECT \(quoted) FROM \(table.name) ORDER BY \(columns.joined(separator: ", "))")
          while try rows.step() {
            let values = columns.indices.map { index in
              rows.text(index).replacing(/\d{16}/) { match in
                Int(match.output).map(clock.contains) == true ? "now" : match.output
              }
            }
            lines.append("\(table.name) " + values.joined(separator: " "))
          }
        }
        return lines
      }
    }

    /// The trigrams, and which parts of the index are settled, which follows from the sizes of batches.
    private static let unlike: Set<String> = [
      "search_grams", "search_columns", "search_segments", "search_stale", "search_changed",
    ]
  }

  /// Does the same in two homes, where it must return the same.
  private static func run(
    _ step: Step, in one: inout Home, _ other: inout Home, _ when: String
  ) throws {
    try one.run(step)
    try other.run(step)
    let (left, right) = (one.returned.last ?? "", other.returned.last ?? "")
    let isSame = left == right
    try #require(isSame, "\(when): \(firstDifference(left, right))")
  }

  private static func firstDifference(_ one: String, _ other: String) -> String {
    let lines = zip(one.split(separator: "\n"), other.split(separator: "\n"))
    return lines.first { $0 != $1 }.map { "\($0)\nagainst\n\($1)" } ?? "more lines"
  }

  @Test(
    "Batches of any size leave the same home, whatever else happens",
    arguments: 0..<UInt64(TestSize.of(small: 12, all: 200)))
  func batches(number: UInt64) throws {
    try compareBatches(seed: TestSize.seed &* 1_000_003 &+ number)
  }

  /// Keys that a batch made weak readings of, and that a build had for the first time; reports of a joined group
  /// with a key that was only a reading; reprocessed reports that changed places between releases.
  @Test("Histories that once went wrong", arguments: [7_000_106, 1_000_021, 153_000_488])
  func known(seed: UInt64) throws { try compareBatches(seed: seed) }

  private func compareBatches(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let begun = Timestamp(microseconds: WallClock.microseconds)
    var (one, other) = (try Home(isBatched: true), try Home(isBatched: false))
    let count = 10 + random.below(30)
    for number in 0...count {
      // In the end, nothing waits.
      let step = number < count ? Self.step(number, &random) : .debugFile(0)
      try Self.run(step, in: &one, &other, "seed \(seed), step \(number)")
    }
    let (left, right) = (try one.rows(since: begun), try other.rows(since: begun))
    let differences = Set(left).symmetricDifference(right).sorted()
    #expect(differences.prefix(9) == [], "seed \(seed)")
    #expect(!left.isEmpty)
    try StoreFixture.check(one.store, mayBeLeft: true)
    #expect(try one.misshown() == [], "seed \(seed)")
  }

  @Test(
    "A restored home goes on as the original, whatever happens before and after",
    arguments: 0..<UInt64(TestSize.of(small: 6, all: 100)))
  func restored(number: UInt64) throws {
    try compareRestored(seed: TestSize.seed &* 1_000_003 &+ number)
  }

  @Test("Bytes that come again in one batch, behind a report that moves others")
  func knownRestored() throws { try compareRestored(seed: 7_000_038) }

  private func compareRestored(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let begun = Timestamp(microseconds: WallClock.microseconds)
    var (one, other) = (try Home(isBatched: true), try Home(isBatched: true))
    let count = 10 + random.below(30)
    for number in 0...count {
      let step = number < count ? Self.step(number, hasLimits: false, &random) : .debugFile(0)
      try Self.run(step, in: &one, &other, "seed \(seed), step \(number)")
      if random.below(6) == 0 { try other.restore(number) }
    }
    let left = try one.rows(since: begun, isKept: true)
    let right = try other.rows(since: begun, isKept: true)
    let differences = Set(left).symmetricDifference(right).sorted()
    #expect(differences.prefix(9) == [], "seed \(seed)")
    try StoreFixture.check(other.store, mayBeLeft: true)
  }
}
