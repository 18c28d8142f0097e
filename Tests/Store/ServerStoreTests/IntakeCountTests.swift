import Bytes
import Database
import Identifiers
import TestSupport
import Testing

@testable import ServerStore

@Suite("The counts of the intake queue by state")
struct IntakeCountTests {
  private let folder = ScratchFolder()

  private struct Line: Equatable, Comparable {
    let state: Int
    let count: Int
    let bytes: Int

    static func < (left: Line, right: Line) -> Bool { left.state < right.state }
  }

  /// States without submissions do not count.
  private func lines(
    _ sql: String, in database: borrowing Connection
  ) throws -> [Line] {
    let rows = try database.prepare(sql)
    var lines: [Line] = []
    while try rows.step() {
      try lines.append(
        Line(state: rows.int("state"), count: rows.int("count"), bytes: rows.int("bytes")))
    }
    return lines.filter { $0.count != 0 || $0.bytes != 0 }.sorted()
  }

  private func compare(_ store: ServerStore, after step: String) throws {
    let (kept, counted) = try store.read { database in
      (
        try lines("SELECT state, count, bytes FROM intake_states", in: database),
        try lines(
          "SELECT state, count(*) AS count, sum(size) AS bytes FROM intake GROUP BY state",
          in: database)
      )
    }
    #expect(kept == counted, "after \(step)")
  }

  private func record(_ number: Int, _ random: inout SplitMix) -> IntakeRecord {
    IntakeRecord(
      route: "reports", received: Timestamp(seconds: Int64(number)),
      facts: ["number": "\(number % 7)"],
      body: ByteView([UInt8](repeating: 7, count: random.below(200))))
  }

  @Test(
    "They are what a recount gives after each of many random operations",
    arguments: [1, 2] as [UInt64])
  func random(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var limits = IntakeLimits()
    limits.bodyInLog = 100
    limits.attempts = 3
    let store = try ServerStore(checking: folder.path("home"))
    let queue = IntakeQueue(in: store, limits: limits)
    var lease = try WorkerLease(in: store)
    var taken: [QueuedRecord] = []
    var kinds: [String: Int] = [:]
    for step in 0..<1500 {
      let kind: String
      switch random.below(14) {
      case 0...3:
        kind = "submit"
        for number in 0...random.below(3) { try queue.submit(record(number, &random)) }
      case 4, 5:
        kind = "take"
        taken += try queue.next(
          for: lease, atMost: 1 + random.below(5), bytes: 1 + random.below(300))
      case 6, 7:
        kind = "finish"
        let done = taken.prefix(random.below(4))
        taken.removeFirst(done.count)
        taken += try queue.next(for: lease, finishing: Array(done).done, atMost: 1)
      case 8:
        kind = "give back"
        let back = taken.suffix(random.below(4))
        taken.removeLast(back.count)
        try queue.giveBack(Array(back), isTried: random.below(2) == 0)
      case 9:
        kind = "quarantine"
        if let one = taken.popLast() { try queue.quarantined(one, problem: "no report") }
      case 10:
        kind = "retry"
        let ids = try queue.quarantined().map(\.id)
        _ = try queue.retry(random.below(4) == 0 ? nil : ids.filter { _ in random.below(3) == 0 })
      case 11:
        kind = "discard"
        if let one = try queue.quarantined().first { _ = try queue.discard(one.id) }
      case 12:
        kind = "erase"
        let number = "\(random.below(7))"
        _ = try queue.erase(isDry: false) { $0["number"] == number }
        if let one = taken.popLast() { try queue.erase([one]) }
      default:
        kind = "reclaim"
        lease = try WorkerLease(in: store)
        taken = []
        _ = try queue.reclaim()
      }
      kinds[kind, default: 0] += 1
      try compare(store, after: "\(kind), step \(step)")
    }
    #expect(kinds.count == 9 && kinds.values.allSatisfy { $0 > 10 })
    #expect(try store.read { try $0.requiredInteger("SELECT count(*) FROM intake") } > 0)
  }

  @Test("A backup's submissions are counted as they are loaded")
  func load() throws {
    let home = folder.path("home")
    let loader = try IntakeLoader(into: home)
    for number in 1...5 {
      let isLoaded = try loader.add(
        ArchivedSubmission(
          id: number, route: "reports", received: number, facts: [:], attempts: 0,
          problem: number > 3 ? "no report" : nil, isCounted: false,
          identity: IntakeID([UInt8(number)])),
        body: ByteView([1, 2, 3]))
      #expect(isLoaded)
    }
    try loader.finish()
    let store = try ServerStore(checking: home)
    try compare(store, after: "loading")
    let counts = try IntakeQueue(in: store).counts()
    #expect(counts.waiting == 3 && counts.waitingBytes == 9)
    #expect(counts.quarantined == 2 && counts.quarantinedBytes == 6)
  }
}
