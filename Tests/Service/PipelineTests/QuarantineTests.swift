import Bytes
import CrashStore
import Glibc
import Identifiers
import Pipeline
import ServerStore
import TestSupport
import Testing

@Suite struct QuarantineTests {
  @Test("The oldest are deleted, and the ledger shows it")
  func bound() throws {
    let folder = ScratchFolder()
    let store = try CrashStore(opening: folder.path("home"))
    let server = try ServerStore(opening: folder.path("home"))
    var limits = IntakeLimits()
    limits.quarantined = 3
    limits.quarantinedBytes = 30
    let queue = IntakeQueue(in: server, limits: limits)
    for number in 0..<8 {
      try queue.submit(
        IntakeRecord(
          route: "reports", received: Timestamp(seconds: 1_700_000_000),
          facts: ["app": "Tern"], body: ByteView("number \(number)".utf8)))
    }
    let lease = try WorkerLease(in: server)
    for record in try queue.next(for: lease) {
      try queue.quarantined(record, problem: "of no use", isCounted: record.id % 2 == 0)
    }
    let shelf = Quarantine(queue, in: store)
    #expect(try shelf.trim() == 5)
    #expect(try queue.quarantined().map(\.id) == [6, 7, 8])
    #expect(try shelf.trim() == 0)
    // Submissions counted before are not counted again.
    let account = try #require(try store.ledger.get().accounts.first { $0.app == "Tern" })
    #expect(account.refused.amount.count == 3 && account.refused.amount.bytes == 24)
    #expect(try shelf.discard(6) && !shelf.discard(6))
    #expect(try store.ledger.get().faults.isEmpty)
  }

  @Test("A flood with a public or invented secret displaces only its own submissions")
  func flood() throws {
    let folder = ScratchFolder()
    let store = try CrashStore(opening: folder.path("home"))
    let server = try ServerStore(opening: folder.path("home"))
    var limits = IntakeLimits()
    limits.quarantined = 8
    let queue = IntakeQueue(in: server, limits: limits)
    let known = (
      quiet: "5B1E6C1C-0000-0000-0000-000000000001", loud: "5B1E6C1C3C514E0B9F4E2E3C7E0B7A10"
    )
    try store.apps.add("Quiet", secret: AppCenterIntake.canonicalID(known.quiet))
    try store.apps.add("Loud", secret: AppCenterIntake.canonicalID(known.loud))
    // Senders of useful submissions are remembered by their start, but are still unknown.
    _ = try store.apps.app(forSecret: "stranger-0")
    func send(_ secret: String) throws {
      try queue.submit(
        IntakeRecord(
          route: IntakeProtocol.appCenter, received: Timestamp(seconds: 1_700_000_000),
          facts: [IntakeFact.secret: secret], body: ByteView("{".utf8)))
    }
    let shelf = Quarantine(queue, in: store)
    let lease = try WorkerLease(in: server)
    func file() throws -> Int {
      for record in try queue.next(for: lease) { try queue.quarantined(record, problem: "cut") }
      return try shelf.trim()
    }
    for _ in 0..<2 { try send(known.quiet) }
    for number in 0..<20 { try send("stranger-\(number)") }
    #expect(try file() == 14)
    #expect(try queue.quarantined().map(\.id) == [1, 2, 17, 18, 19, 20, 21, 22])
    // Unknown senders and the flooding one share the rest.
    for _ in 0..<100 { try send(known.loud) }
    #expect(try file() == 100)
    let left = try queue.quarantined().map { $0.facts[IntakeFact.secret] ?? "" }
    #expect(left.count { $0 == known.quiet } == 2 && left.count { $0 == known.loud } == 3)
    // By bytes, the sender of the largest is displaced, however few it has.
    limits.quarantinedBytes = 100
    let small = Quarantine(IntakeQueue(in: server, limits: limits), in: store)
    try queue.submit(
      IntakeRecord(
        route: IntakeProtocol.reports, received: Timestamp(seconds: 1_700_000_000),
        facts: [IntakeFact.app: "Quiet"], body: ByteView([UInt8](repeating: 1, count: 101))))
    for record in try queue.next(for: lease) { try queue.quarantined(record, problem: "what?") }
    #expect(try small.trim() == 1)
    #expect(try queue.quarantined().count == 8 && queue.counts().quarantinedBytes == 8)
    #expect(try store.ledger.get().faults.isEmpty)
  }

  @Test("Submissions lost on disk do not prevent a backup once they are discarded")
  func lost() throws {
    let folder = ScratchFolder()
    let store = try CrashStore(opening: folder.path("home"))
    let server = try ServerStore(opening: folder.path("home"))
    var limits = IntakeLimits()
    limits.bodyInLog = 4
    let queue = IntakeQueue(in: server, limits: limits)
    try queue.submit(
      IntakeRecord(
        route: "reports", received: Timestamp(seconds: 1_700_000_000), facts: ["app": "Tern"],
        body: ByteView("in a file of its own".utf8)))
    let bodies = try folder.names("home/intake").filter { $0.hasSuffix(".body") }
    #expect(bodies.count == 1)
    for name in bodies { #expect(unlink(folder.path("home/intake/\(name)")) == 0) }
    let error = #expect(throws: IntakeError.self) { try queue.forEachQueued { _, _ in } }
    #expect(error?.description.contains("submission 1 of the queue") == true)
    // A worker quarantines it.
    #expect(try queue.next(for: WorkerLease(in: server)).isEmpty)
    #expect(throws: IntakeError.self) { try queue.forEachQueued { _, _ in } }
    #expect(try Quarantine(queue, in: store).discard(1))
    try queue.forEachQueued { submission, _ in Issue.record("\(submission)") }
    #expect(try store.ledger.get().faults.isEmpty)
    let account = try #require(try store.ledger.get().accounts.first { $0.app == "Tern" })
    #expect(account.refused.amount.count == 1 && account.refused.amount.bytes == 20)
  }
}
