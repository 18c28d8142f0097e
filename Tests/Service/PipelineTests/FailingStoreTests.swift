import Bytes
import CrashModel
import CrashStore
import Database
import Glibc
import Grouping
import Identifiers
import Pipeline
import ReportDocument
import ServerStore
import SymbolSources
import TestSupport
import Testing
import TriageModel

/// An error of the store is not an answer: nothing is stored as "missing", nothing is cached, and
/// after the repair everything is as if nothing had happened.
@Suite("A store that fails temporarily") struct FailingStoreTests {
  private static let received = Timestamp(seconds: 1_790_000_000)
  private static let sample = Samples.path("apple-ips/null-read-1.1.0-macos-arm64.ips")
  private static let symbols = Samples.debugFile("apple/1.1.0/macos/Tern.app.dSYM")

  private let folder = ScratchFolder()
  private var home: String { folder.path("home") }

  /// Failures of a debug file look-up, each with its repair.
  enum Fault: CaseIterable {
    /// The database returns an error.
    case noTable
    /// The debug file cannot be opened: a circular link.
    case ring

    var files: (String) throws -> [String] {
      { home in
        let found = DebugFileScanner().scan([FailingStoreTests.symbols]).files
        return Set(found.map(\.digest)).map { "\(home)/blobs/\($0.prefix(2))/\($0)" }
      }
    }

    func begin(in home: String) throws {
      switch self {
      case .noTable: try Self.run("ALTER TABLE debug_files RENAME TO hidden_files", home)
      case .ring:
        for file in try files(home) {
          try #require(rename(file, file + ".away") == 0)
          try #require(symlink(file, file) == 0)
        }
      }
    }

    func end(in home: String) throws {
      switch self {
      case .noTable: try Self.run("ALTER TABLE hidden_files RENAME TO debug_files", home)
      case .ring:
        for file in try files(home) { try #require(rename(file + ".away", file) == 0) }
      }
    }

    private static func run(_ sql: String, _ home: String) throws {
      try Connection(opening: home + "/mayday.db").execute(sql)
    }
  }

  private func addSymbols(to store: CrashStore) throws {
    for file in DebugFileScanner().scan([Self.symbols]).files {
      try store.add(file)
    }
  }

  private func status(_ store: CrashStore) throws -> [SymbolStatus.Verdict] {
    try store.reports.list().items.flatMap { summary in
      try CrashReport(document: store.reports.get(summary.id).document).images
        .filter { $0.name == "Tern" }.compactMap { $0.symbols?.verdict }
    }
  }

  private func submit(_ queue: IntakeQueue) throws {
    try queue.submit(
      IntakeRecord(
        route: IntakeProtocol.reports, received: Self.received, facts: [IntakeFact.app: "Tern"],
        body: ByteView(mapping: Self.sample)))
  }

  @Test("A submission whose debug files cannot be looked up is retried, not stored as missing")
  func intake() throws {
    for fault in Fault.allCases {
      let folder = ScratchFolder()
      let home = folder.path("home")
      let store = try CrashStore(opening: home)
      let server = try ServerStore(opening: home)
      let queue = IntakeQueue(in: server)
      try addSymbols(to: store)
      try submit(queue)
      let worker = try IntakeWorker(
        from: queue, of: server, into: store, signer: Signer(rules: .standard), width: 1)
      try fault.begin(in: home)
      for _ in 0..<3 {
        #expect(throws: (any Error).self) { try worker.step() }
        #expect(try store.reports.totals().reports == 0 && queue.counts().waiting == 1)
      }
      try fault.end(in: home)
      // By the same worker: it has cached nothing.
      #expect(try worker.step().reports == 1)
      try worker.finish()
      #expect(try status(store) == [.found])
      #expect(try queue.counts().quarantined == 0)
      #expect(try store.ledger.get().faults.isEmpty)
    }
  }

  @Test("Reports that wait for a debug file stay on the list while the store fails")
  func reprocessing() throws {
    for fault in Fault.allCases {
      let folder = ScratchFolder()
      let home = folder.path("home")
      let store = try CrashStore(opening: home)
      let server = try ServerStore(opening: home)
      let queue = IntakeQueue(in: server)
      try submit(queue)
      let worker = try IntakeWorker(
        from: queue, of: server, into: store, signer: Signer(rules: .standard), width: 1)
      #expect(try worker.step().reports == 1)
      #expect(try status(store) == [.missing])
      try addSymbols(to: store)
      try fault.begin(in: home)
      #expect(throws: (any Error).self) {
        try ReprocessingJob(in: store, signer: Signer(rules: .standard)).run()
      }
      #expect(try store.reports.waitingCount() == 1 && store.reports.reprocessingProblems().isEmpty)
      try fault.end(in: home)
      #expect(try ReprocessingJob(in: store, signer: Signer(rules: .standard)).run() == 1)
      #expect(try status(store) == [.found])
    }
  }

  @Test("A debug file that was damaged on disk and is added again explains waiting reports")
  func mended() throws {
    let store = try CrashStore(opening: home)
    let server = try ServerStore(opening: home)
    let queue = IntakeQueue(in: server)
    try addSymbols(to: store)
    for file in try Fault.ring.files(home) { #expect(truncate(file, 100) == 0) }
    try submit(queue)
    let worker = try IntakeWorker(
      from: queue, of: server, into: store, signer: Signer(rules: .standard), width: 1)
    #expect(try worker.step().reports == 1)
    #expect(try status(store) == [.damaged])
    try addSymbols(to: store)
    #expect(try worker.step().reprocessed == 1)
    #expect(try status(store) == [.found])
    // Added once more it is unchanged: nothing is to be done.
    try addSymbols(to: store)
    #expect(try store.reports.waitingCount() == 0)
  }

  @Test("A group is not split by documents that cannot be read now")
  func splitting() throws {
    let store = try CrashStore(opening: home)
    let server = try ServerStore(opening: home)
    let queue = IntakeQueue(in: server)
    try submit(queue)
    let worker = try IntakeWorker(
      from: queue, of: server, into: store, signer: Signer(rules: .standard), width: 1)
    #expect(try worker.step().reports == 1)
    let group = try #require(try store.groups.list(GroupQuery()).items.first).id
    let contents = try Connection(opening: home + "/blobs/small.db")
    try contents.execute("ALTER TABLE contents RENAME TO hidden")
    #expect(throws: DatabaseError.self) {
      try store.triage.split(group, where: "version:1.1.0", by: "anna")
    }
    try contents.execute("ALTER TABLE hidden RENAME TO contents")
    #expect(throws: ActionError.self) {
      // Now it is readable, and shows that every report matches.
      try store.triage.split(group, where: "version:1.1.0", by: "anna")
    }
  }

  @Test("Missing required rows are damage, not zero")
  func missingRows() throws {
    let store = try CrashStore(opening: home)
    _ = try store.debugFiles.arrivals()
    try Connection(opening: home + "/mayday.db").execute("DELETE FROM arrivals")
    let error = #expect(throws: DatabaseError.self) { try store.debugFiles.arrivals() }
    #expect(error?.kind == .corrupt)
  }
}
