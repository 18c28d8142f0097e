import CrashModel
import Database
import Identifiers
import TestSupport
import Testing

@testable import CrashStore

/// Submissions that are stored together.
@Suite("Batches of submissions") struct StoringBatchTests {
  static func store(_ folder: ScratchFolder) throws -> CrashStore {
    var options = Connection.Options()
    options.countsWork = true
    return try CrashStore(opening: folder.path("home"), options: options)
  }

  /// A report of one of twenty groups, as programs send them: with a stack, images, an installation, tags.
  static func report(_ number: Int) -> CrashReport {
    let bug = number % 20
    var report = StoreFixture.report(
      "key \(bug)", alternatives: bug % 3 == 0 ? ["other \(bug)"] : [],
      version: "1.\(number % 4)", install: "install \(number)", seconds: Int64(number) * 60,
      os: ["iOS", "macOS"][number % 2])
    report.tags = [ReportTag("shop"): "\(number % 5)"]
    report.user = "user \(number)"
    report.reason.message = "index \(number) is out of range"
    report.images = (1...4).map { module in
      var image = LoadedImage(
        name: "Module \(module)", debugID: DebugID(uuid: [UInt8(module), UInt8(number % 2)]))
      image.symbols = SymbolStatus(module % 2 == 0 ? .found : .missing, tried: [])
      return image
    }
    report.signature?.steps = ["Cart\(bug)::total", "loop", "main"].enumerated().map {
      SignatureStep(
        frame: $0, subject: $1, result: $1, frameClass: FrameClass.app.rawValue, rule: "",
        used: $0 == 0)
    }
    return report
  }

  static func prepared(_ numbers: Range<Int>) throws -> [PreparedSubmission] {
    try numbers.map { try StoreFixture.prepared("r\($0)", [report($0)]) }
  }

  /// The number of statements that storing runs; rows that are written together count as one.
  static func statements(
    _ store: CrashStore, _ body: () throws -> Void
  ) throws -> Int {
    func all() throws -> Int {
      let costs = try store.connection.withLock { $0.statementCosts }
        .merging(store.readers.statementCosts) { $0 + $1 }
      return costs.values.reduce(0) { $0 + $1.runs }
    }
    let before = try all()
    try body()
    return try all() - before
  }

  @Test("Reports of known groups take the same few statements, however many they are")
  func statements() throws {
    let folder = ScratchFolder()
    let store = try Self.store(folder)
    try store.reports.add(Self.prepared(0..<400))
    let few = try Self.statements(store) {
      try store.reports.add(Self.prepared(1_000..<1_020), isLimited: true)
    }
    let many = try Self.statements(store) {
      try store.reports.add(Self.prepared(2_000..<2_800), isLimited: true)
    }

    #expect(few < 60)
    #expect(many < few + 10)
    let groups = try store.groups.list().items
    #expect(groups.count == 20)
    try StoreFixture.check(store)
  }

  @Test("Submissions that are known take the same few statements, too")
  func duplicates() throws {
    let folder = ScratchFolder()
    let store = try Self.store(folder)
    let first = try store.reports.add(Self.prepared(0..<400))
    var again: [Receipt] = []
    let statements = try Self.statements(store) {
      again = try store.reports.add(Self.prepared(0..<400))
    }

    #expect(statements < 20)
    let isNew = again.contains { !$0.isDuplicate }
    #expect(!isNew)
    let groups = [first, again].map { $0.flatMap { $0.reports.map(\.group) } }
    #expect(groups[0] == groups[1])
  }

  @Test(
    "A home with the last number that there is refuses reports, and says where",
    arguments: [
      "INSERT INTO search_sets (id, digest, members) VALUES (?1, x'00', x'')",
      """
      INSERT INTO submissions (id, app, digest, source, received, bytes, app_given)
      VALUES (?1, 1, x'00', '', 0, 0, 0)
      """,
    ])
  func lastNumber(insertion: String) throws {
    let folder = ScratchFolder()
    let store = try Self.store(folder)
    try store.reports.add(Self.prepared(0..<1))
    try store.write(.global) { try $0.run(insertion, Int.max) }
    do {
      try store.reports.add(Self.prepared(1..<2))
      Issue.record("it was stored")
    } catch let error as StoreError {
      #expect("\(error)".contains("9223372036854775807"))
    }
  }
}
