import Bytes
import Database
import Files
import Glibc
import Identifiers
import Synchronization
import TestSupport
import Testing

@testable import ServerStore

/// Other processes run between any two steps of a writer: acknowledged submissions stay.
@Suite("Pauses of writers")
struct IntakePauseTests {
  private let folder = ScratchFolder()
  private var home: String { folder.path + "/home" }

  private func record(_ text: String, filler: Int = 0) -> IntakeRecord {
    IntakeRecord(
      route: "reports", received: Timestamp(seconds: 1_700_000_000), facts: ["name": text],
      body: ByteView((text + " " + String(repeating: "x", count: filler)).utf8))
  }

  /// A worker of another process: stores all submissions, and deletes done ones.
  private final class Worker: Sendable {
    let home: String
    private let queue: IntakeQueue
    let stored = Mutex<[String]>([])

    init(_ home: String) throws {
      self.home = home
      // Done submissions are freed at once, even in the log that is being written.
      var limits = IntakeLimits()
      limits.freedBytes = 1
      queue = IntakeQueue(in: try ServerStore(checking: home), limits: limits)
    }

    func work() throws {
      // As after hours: files that are not locked count as leftovers.
      for name in try FolderNames.listed(home + "/intake") {
        var times = [
          timespec(tv_sec: 1_000_000, tv_nsec: 0), timespec(tv_sec: 1_000_000, tv_nsec: 0),
        ]
        if name.hasSuffix(".body") || name.hasSuffix(".new") {
          utimensat(AT_FDCWD, home + "/intake/" + name, &times, 0)
        }
      }
      try queue.reclaim()
      let lease = try WorkerLease(in: queue.store)
      while true {
        let records = try queue.next(for: lease)
        if records.isEmpty { break }
        stored.withLock { stored in
          for record in records { stored.append(record.record.facts["name"] ?? "") }
        }
        _ = try queue.next(for: lease, finishing: records.done, atMost: 0)
      }
      #expect(try queue.counts().quarantined == 0)
    }
  }

  @Test(
    "Nothing that was acknowledged is lost, whatever others do after any step",
    arguments: IntakeStep.allCases, [(0, 1), (600_000, 1), (20_000, 60_000)])
  func everyStep(step: IntakeStep, sizes: (filler: Int, log: Int)) throws {
    let filler = sizes.filler
    let worker = try Worker(home)
    let pauses = Mutex(0)
    var limits = IntakeLimits()
    // Every submission begins a log, or every third.
    limits.logBytes = sizes.log
    let queue = IntakeQueue(in: try ServerStore(checking: home), limits: limits) { reached in
      guard reached == step else { return }
      pauses.withLock { $0 += 1 }
      do { try worker.work() } catch { Issue.record(error) }
    }
    var accepted: [String] = []
    for number in 0..<6 {
      // A refused client retries.
      do {
        try queue.submit(record("\(number)", filler: filler))
        accepted.append("\(number)")
      } catch {}
    }
    // An unfinished file that looks hours old may be taken for a leftover: refused, not lost.
    if step != .made { #expect(accepted.count == 6) }
    #expect(pauses.withLock { $0 } >= (sizes.log == 1 ? 6 : 2))
    queue.rotateLog()
    try worker.work()
    #expect(Set(accepted).isSubset(of: Set(worker.stored.withLock { $0 })))
    try worker.work()
    #expect(
      try FolderNames.listed(home + "/intake").filter { !$0.hasPrefix("worker-") }.isEmpty)
  }

  @Test("A log deleted under its writer is written again before it is acknowledged")
  func removed() throws {
    let worker = try Worker(home)
    let left = Mutex(2)
    let intake = home + "/intake"
    let queue = IntakeQueue(in: try ServerStore(checking: home), limits: IntakeLimits()) {
      reached in
      guard reached == .published else { return }
      let isMeant = left.withLock { left in
        left -= 1
        return left >= 0
      }
      guard isMeant else { return }
      for name in FolderNames.of(intake) where name.hasSuffix(".log") {
        unlink(intake + "/" + name)
      }
    }
    try queue.submit(record("kept"))
    try worker.work()
    #expect(worker.stored.withLock { $0 } == ["kept"])
  }

  @Test("A log that is deleted each time is refused, not acknowledged")
  func alwaysRemoved() throws {
    let store = try ServerStore(checking: home)
    let intake = home + "/intake"
    let queue = IntakeQueue(in: store, limits: IntakeLimits()) { reached in
      guard reached == .synced else { return }
      for name in FolderNames.of(intake) where name.hasSuffix(".log") {
        unlink(intake + "/" + name)
      }
    }
    #expect(throws: IntakeError.self) { try queue.submit(record("lost")) }
    #expect(try queue.counts().accepted == 0)
  }

  // MARK: Untrusted numbers

  @Test(
    "An announced length of any size is refused, whatever waits",
    arguments: [UInt64(1) << 63 - 1, 1 << 63, .max])
  func lengths(size: UInt64) throws {
    let queue = IntakeQueue(in: try ServerStore(checking: home))
    #expect(throws: IntakeError.self) { try queue.admit(size) }
    try queue.submit(record("waits"))
    #expect(throws: IntakeError.self) { try queue.admit(size) }
    #expect(throws: IntakeError.self) { try queue.admit(size, isAnonymous: true) }
    try queue.admit(1_000)
  }

  @Test("Unauthenticated clients have half of the queue")
  func share() throws {
    var limits = IntakeLimits()
    limits.waiting = 4
    let queue = IntakeQueue(in: try ServerStore(checking: home), limits: limits)
    try queue.submit(record("1"), isAnonymous: true)
    try queue.submit(record("2"), isAnonymous: true)
    #expect(throws: IntakeError.self) { try queue.submit(record("3"), isAnonymous: true) }
    try queue.submit(record("3"))
    try queue.submit(record("4"))
    #expect(throws: IntakeError.self) { try queue.submit(record("5")) }
  }

  @Test("Rows with any numbers cause no crash", arguments: [Int.max, .min, -1, 1 << 62])
  func rows(number: Int) throws {
    let store = try ServerStore(checking: home)
    let queue = IntakeQueue(in: store)
    let lease = try WorkerLease(in: store)
    for text in ["a", "b", "c"] { try queue.submit(record(text)) }
    queue.rotateLog()
    let taken = try queue.next(for: lease, atMost: 1)
    try queue.quarantined(taken[0], problem: "a test")
    for text in ["d", "e"] { try queue.submit(record(text)) }
    _ = try queue.next(for: lease, atMost: 1)
    _ = try queue.countCaches(ready: 1, made: 1, damaged: 1)
    _ = try queue.erase(.user, named: ["x"])
    let columns = try store.read { database in
      var columns: [(String, String)] = []
      let rows = try database.prepare(
        """
        SELECT m.name, c.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c
        WHERE m.type = 'table' AND c.type = 'INTEGER' AND m.name NOT LIKE 'sqlite%' AND c.pk = 0
        """)
      while try rows.step() { columns.append((rows.text(0), rows.text(1))) }
      return columns
    }
    #expect(columns.count > 20)
    for (table, column) in columns where !["state", "revoked"].contains(column) {
      try? store.write { try $0.run("UPDATE \(table) SET \(column) = ?", number) }
    }
    // The only requirement for the results is that there is one, or an error.
    let other = IntakeQueue(in: try ServerStore(checking: home))
    _ = try? other.counts()
    _ = try? other.figures()
    _ = try? other.admit(1)
    _ = try? other.submit(record("f"))
    _ = try? other.reclaim()
    _ = try? other.quarantined()
    _ = try? other.body(ofQuarantined: 1)
    _ = try? other.erasures()
    let all = (try? other.next(for: lease)) ?? []
    _ = try? other.next(for: lease, finishing: all.done)
    try? other.forEachQueued { _, _ in }
    _ = try? other.retry()
    _ = try? other.discard(1)
    _ = try? other.erase(isDry: false) { _ in true }
    let tokens = TokensTable(in: store)
    let (_, text) = try tokens.make(label: "", scopes: [.read], now: Timestamp(seconds: 1))
    try store.write {
      try $0.run("UPDATE tokens SET created = ?1, used = ?1, expires = ?1", number)
    }
    _ = try? tokens.token(text, now: Timestamp(seconds: 1))
    _ = try? tokens.all()
  }

  @Test("Names in rows that leave the folder have no effect")
  func paths() throws {
    let store = try ServerStore(checking: home)
    let queue = IntakeQueue(in: store)
    let precious = folder.write("precious", Array("precious".utf8))
    try queue.submit(record("a"))
    let lease = try WorkerLease(in: store)
    _ = try queue.next(for: lease)
    try store.write { database in
      try database.run(
        "UPDATE intake SET worker = '../../precious', file = '../../precious', log = NULL")
    }
    try queue.reclaim()
    #expect(throws: (any Error).self) { try queue.forEachQueued { _, _ in } }
    _ = try queue.erase(isDry: false) { _ in true }
    #expect(access(precious, F_OK) == 0)
  }
}
