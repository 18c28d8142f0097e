import Bytes
import Database
import Glibc
import Identifiers
import TestSupport
import Testing

@testable import ServerStore

@Suite("What identifies a submission in the store")
struct IntakeIdentityTests {
  private let folder = ScratchFolder()
  private var home: String { folder.path("home") }

  private func submit(_ texts: [String], to queue: IntakeQueue) throws {
    for text in texts {
      try queue.submit(
        IntakeRecord(
          route: "reports", received: Timestamp(seconds: 1_700_000_000),
          body: ByteView(text.utf8)))
    }
  }

  private func removeDatabase() {
    for name in ["server.db", "server.db-wal", "server.db-shm"] { unlink(home + "/" + name) }
  }

  @Test("Two arrivals of the same bytes at the same time have two, which stay")
  func stable() throws {
    let large = String(repeating: "x", count: IntakeLimits().bodyInLog + 1)
    let queue = IntakeQueue(in: try ServerStore(checking: home))
    try submit(["a", "a", large, large], to: queue)
    let lease = try WorkerLease(in: queue.store)
    var taken = try queue.next(for: lease)
    let first = taken.map(\.identity)
    #expect(Set(first).count == 4 && first.allSatisfy { $0.bytes.count == 16 })
    #expect(try queue.queued(first) == Set(first))
    // Bodies are moved from the logs, and the submissions come again.
    for record in taken { try queue.quarantined(record, problem: "no report") }
    #expect(try taken.map { try queue.identity(of: $0.id) } == first)
    #expect(try queue.retry() == 4)
    taken = try queue.next(for: lease)
    #expect(taken.map(\.identity) == first)
    #expect(try queue.next(for: lease, finishing: taken.done).isEmpty)
    #expect(try queue.queued(first).isEmpty && queue.identity(of: taken[0].id) == nil)
  }

  @Test("Without the database of the server, the same submissions are found in the logs")
  func databaseLost() throws {
    let first = try taken(afterSubmitting: ["a", "b"])
    removeDatabase()
    #expect(try taken(afterSubmitting: []) == first)
  }

  /// Takes all, as a worker that is killed.
  private func taken(afterSubmitting texts: [String]) throws -> [IntakeID] {
    let queue = IntakeQueue(in: try ServerStore(opening: home))
    try submit(texts, to: queue)
    return try queue.next(for: try WorkerLease(in: queue.store)).map(\.identity)
  }

  @Test("A server of an earlier version accepted some: in rows, and in a log that has none yet")
  func earlier() throws {
    try IntakeQueue(in: ServerStore(opening: home)).submit(
      IntakeRecord(
        route: "reports", received: Timestamp(seconds: 1_700_000_001), body: ByteView("new".utf8)))
    removeDatabase()
    do {
      let old = try Connection(opening: home + "/server.db")
      try ServerSchema.migrations.apply(to: old, upTo: 4)
      for text in ["one", "two"] {
        try old.run(
          "INSERT INTO intake (received, route, facts, size, body) VALUES (?1, 'reports', '{}', 3, ?2)",
          1_700_000_000_000_000, Array(text.utf8))
      }
      try old.execute("UPDATE intake_states SET count = 2, bytes = 6 WHERE state = 0")
    }
    let queue = IntakeQueue(in: try ServerStore(opening: home))
    let taken = try queue.next(for: try WorkerLease(in: queue.store))
    #expect(taken.map(\.record.body.text) == ["one", "two", "new"])
    #expect(Set(taken.map(\.identity)).count == 3)
    #expect(taken.allSatisfy { $0.identity.bytes.count == 16 })
    #expect(try taken.map { try queue.identity(of: $0.id) } == taken.map(\.identity))
  }
}
