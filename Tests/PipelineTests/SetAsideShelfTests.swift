import Bytes
import CrashModel
import CrashStore
import Pipeline
import ServerStore
import TestSupport
import Testing

@Suite struct SetAsideShelfTests {
  @Test("The oldest make room, and the ledger says so")
  func bound() throws {
    let folder = ScratchFolder()
    let store = try CrashStore(opening: folder.path("home"))
    let server = try ServerStore(opening: folder.path("home"))
    var limits = IntakeLimits()
    limits.setAside = 3
    limits.setAsideBytes = 30
    let queue = IntakeQueue(in: server, limits: limits)
    for number in 0..<8 {
      try queue.submit(
        IntakeRecord(
          route: "reports", received: Timestamp(seconds: 1_700_000_000),
          facts: ["app": "Tern"], body: ByteView("number \(number)".utf8)))
    }
    let lease = try WorkerLease(in: server)
    for record in try queue.next(for: lease) {
      try queue.setAside(record, problem: "of no use", isCounted: record.id % 2 == 0)
    }
    let shelf = SetAsideShelf(queue, in: store)
    #expect(try shelf.trim() == 5)
    #expect(try queue.setAside().map(\.id) == [6, 7, 8])
    #expect(try shelf.trim() == 0)
    // Those that were counted before are not counted once more.
    let account = try #require(try store.ledger().accounts.first { $0.app == "Tern" })
    #expect(account.refused.amount.count == 3 && account.refused.amount.bytes == 24)
    #expect(try shelf.discard(6) && !shelf.discard(6))
    #expect(try store.ledger().faults.isEmpty)
  }
}
