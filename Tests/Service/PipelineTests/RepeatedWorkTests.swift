import Archives
import Bytes
import CrashInput
import Database
import Files
import Grouping
import Identifiers
import Synchronization
import TestSupport
import Testing

@testable import CrashStore
@testable import Pipeline
@testable import ServerStore

/// Submissions that a worker stored, and could not remove from the queue before it was killed.
@Suite("Work that is repeated") struct RepeatedWorkTests {
  private let folder = ScratchFolder()

  init() { UnpackProgram.path = BuiltProgram.mayday }

  private static func report(_ number: Int) throws -> [UInt8] {
    try ByteView(mapping: Samples.path("apple-ips/abort-1.0.0-macos-x86_64.ips")).array
      + [UInt8](repeating: 10, count: number)
  }

  /// New and known reports, refused files, and an attachment whose report is missing, in archives and apart.
  private static func bodies() throws -> [[UInt8]] {
    var zip = ZipBuilder()
    zip.add("a.ips".utf8, try report(0))
    zip.add("b.ips".utf8, try report(1))
    zip.add("note.bin".utf8, Array("no report".utf8))
    zip.add("b-again.ips".utf8, try report(1))
    zip.add("a.ips.attachments/log.txt", "of a known report")
    zip.add("c.ips.attachments/log.txt", "of the next report")
    zip.add("lost.ips.attachments/log.txt", "of none")
    zip.add("c.ips".utf8, try report(2))
    zip.add("note-again.bin".utf8, Array("no report".utf8))
    let bytes = zip.bytes
    return [try report(0), bytes, Array("no report".utf8), try report(0), bytes, try report(3)]
  }

  private struct Killed: Error {}

  /// Stores submissions, one report a transaction, as a worker does that is killed before one of them.
  ///
  /// - Parameter stored: The number of transactions before that.
  /// - Returns: Whether anything in each was new, and whether the worker was killed.
  private func ingest(
    _ bodies: [[UInt8]], into store: CrashStore, killedAfter stored: Int = .max, app: String?
  ) throws -> (isNew: [Bool], isKilled: Bool) {
    let ids = bodies.indices.map { IntakeID([UInt8($0)]) }
    let begun = try store.ledger.progress(of: ids)
    let progress = ids.map { begun[$0] ?? IntakeProgress($0) }
    let ingest = Ingest(
      into: store,
      processor: ReportProcessor(
        symbolicator: Samples.symbolicator, signer: Signer(rules: .standard), scrubber: nil,
        app: app),
      app: app, width: 2, isLimited: true, part: 1, progress: { progress[$0] }
    ) { _ in 100 }
    var isNew = progress.map(\.isNew)
    var transactions = 0
    do {
      _ = try ingest.run(
        received: Timestamp(seconds: 1_700_000_000),
        storing: { _, _ in
          if transactions == stored { throw Killed() }
          transactions += 1
        }, onResult: { isNew[$0.ordinal] = isNew[$0.ordinal] || $0.isNew }
      ) { bring in
        let walker = InputWalker()
        for (index, body) in bodies.enumerated() {
          let step = walker.read(
            ByteView(body), named: "submission \(index)", ordinal: index, progress: {}
          ) { bring($0) }
          if step == .stop { return }
        }
      }
    } catch is Killed {
      return (isNew, true)
    }
    return (isNew, false)
  }

  @Test(
    "However far a killed worker came, the ledger is as if it had not been",
    arguments: [true, false])
  func anywhere(isAppGiven: Bool) throws {
    let app = isAppGiven ? "Tern" : nil
    let bodies = try Self.bodies()
    let plain = try CrashStore(opening: folder.path("plain"))
    let whole = try ingest(bodies, into: plain, app: app)
    let expected = try plain.ledger.get()
    #expect(expected.faults.isEmpty && !whole.isKilled)
    let counts = expected.accounts.map { ($0.stored.count, $0.duplicates.amount.count) }
    #expect(counts.reduce(0) { $0 + $1.0 } == 4 && counts.reduce(0) { $0 + $1.1 } > 4)
    var stored = 0
    while true {
      let store = try CrashStore(opening: folder.path("home-\(stored)"))
      let first = try ingest(bodies, into: store, killedAfter: stored, app: app)
      // Killed a second time, one transaction later.
      _ = try ingest(bodies, into: store, killedAfter: stored + 1, app: app)
      let last = try ingest(bodies, into: store, app: app)
      let ledger = try store.ledger.get()
      #expect(ledger.accounts == expected.accounts && ledger.faults.isEmpty, "after \(stored)")
      #expect(last.isNew == whole.isNew, "after \(stored)")
      if !first.isKilled { break }
      stored += 1
    }
    #expect(stored > 5)
  }

  @Test("Two arrivals of the same bytes within a microsecond are two; one that is repeated is one")
  func sameTime() throws {
    let store = try CrashStore(opening: folder.path("home"))
    let server = try ServerStore(opening: folder.path("home"))
    let queue = IntakeQueue(in: server)
    func submit(_ second: Int64) throws {
      try queue.submit(
        IntakeRecord(
          route: IntakeProtocol.reports, received: Timestamp(seconds: second),
          facts: [IntakeFact.app: "Tern"], body: ByteView(try Self.report(0))))
    }
    func worker() throws -> IntakeWorker {
      try IntakeWorker(
        from: queue, of: server, into: store, signer: Signer(rules: .standard), width: 1)
    }
    try submit(1_700_000_000)
    try submit(1_700_000_000)
    // The clock was set back meanwhile.
    try submit(1_600_000_000)
    for _ in 0..<2 {
      do {
        let killed = try worker()
        #expect(try killed.step().submissions > 0)
      }
      _ = try queue.reclaim()
    }
    let last = try worker()
    while try !last.step().isNothing {}
    try last.finish()
    let counts = try queue.counts()
    #expect(counts.accepted == 3 && counts.stored == 1 && counts.duplicates == 2)
    let account = try #require(try store.ledger.get().accounts.first)
    #expect(account.received.count == 3 && account.stored.count == 1)
    #expect(account.duplicates.amount.count == 2)
    #expect(try store.ledger.get().faults.isEmpty)
  }

  @Test("What left the queue is forgotten, but not while a backup is made")
  func forgotten() throws {
    let store = try CrashStore(opening: folder.path("home"))
    let server = try ServerStore(opening: folder.path("home"))
    let queue = IntakeQueue(in: server)
    for body in [try Self.report(0), Array("no report".utf8)] {
      try queue.submit(
        IntakeRecord(
          route: IntakeProtocol.reports, received: Timestamp(seconds: 1_700_000_000),
          facts: [IntakeFact.app: "Tern"], body: ByteView(body)))
    }
    let worker = try IntakeWorker(
      from: queue, of: server, into: store, signer: Signer(rules: .standard), width: 1)
    func known() throws -> Int {
      try store.read { try $0.requiredInteger("SELECT count(*) FROM intake_progress") }
    }
    do {
      let hold = try store.archive.hold()
      while try !worker.step().isNothing {}
      try worker.finish()
      #expect(try known() == 2)
      withExtendedLifetime(hold) {}
    }
    // The second is quarantined: somebody may try it again.
    try worker.finish()
    #expect(try known() == 1 && queue.counts().quarantined == 1)
    #expect(try queue.retry() == 1)
    while try !worker.step().isNothing {}
    let account = try #require(try store.ledger.get().accounts.first)
    #expect(account.received.count == 2 && account.refused.amount.count == 1)
    #expect(try Quarantine(queue, in: store).discard(2))
    try worker.finish()
    #expect(try known() == 0)
  }

  @Test("A submission that was discarded, and not deleted before a process was killed, counts once")
  func discarded() throws {
    let store = try CrashStore(opening: folder.path("home"))
    func discard(_ id: UInt8) throws {
      try store.ledger.discard(
        Refusal(source: "submission 7", reason: "quarantined and discarded", digest: [1]),
        of: IntakeID([id]), app: "Tern", time: Timestamp(seconds: 1_700_000_000))
    }
    try discard(1)
    try discard(1)
    var account = try #require(try store.ledger.get().accounts.first)
    #expect(account.received.count == 1 && account.refused.amount.count == 1)
    // The same bytes, once more.
    try discard(2)
    account = try #require(try store.ledger.get().accounts.first)
    #expect(account.received.count == 2 && account.duplicates.amount.count == 1)
  }
}
