import Bytes
import CrashModel
import CrashStore
import Glibc
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

  @Test("What the disk has lost keeps no backup from being made once it is discarded")
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
    let intake = try #require(opendir(folder.path("home/intake")))
    defer { closedir(intake) }
    while let entry = readdir(intake) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".body") { unlink(folder.path("home/intake/\(name)")) }
    }
    let error = #expect(throws: IntakeError.self) { try queue.forEachUnfiled { _, _ in } }
    #expect(error?.description.contains("submission 1 of the queue") == true)
    // A worker sets it aside.
    #expect(try queue.next(for: WorkerLease(in: server)).isEmpty)
    #expect(throws: IntakeError.self) { try queue.forEachUnfiled { _, _ in } }
    #expect(try SetAsideShelf(queue, in: store).discard(1))
    try queue.forEachUnfiled { submission, _ in Issue.record("\(submission)") }
    #expect(try store.ledger().faults.isEmpty)
    let account = try #require(try store.ledger().accounts.first { $0.app == "Tern" })
    #expect(account.refused.amount.count == 1 && account.refused.amount.bytes == 20)
  }
}
