import Bytes
import Glibc
import Identifiers
import Synchronization
import TestSupport
import Testing
import Workers

@testable import ServerStore

@Suite("The intake queue")
struct IntakeQueueTests {
  private let folder = ScratchFolder()

  private func queue(_ limits: IntakeLimits = IntakeLimits()) throws -> IntakeQueue {
    IntakeQueue(in: try ServerStore(checking: folder.path + "/home"), limits: limits)
  }

  private func record(_ text: String, time: Int64 = 1_700_000_000) -> IntakeRecord {
    IntakeRecord(
      route: "reports", received: Timestamp(seconds: time), facts: ["source": text],
      body: ByteView(text.utf8))
  }

  private func texts(_ records: [QueuedRecord]) -> [String] {
    records.map { $0.record.body.text }
  }

  @Test("The oldest is handed out first, unchanged, and is deleted when done")
  func order() throws {
    let queue = try queue()
    for text in ["one", "two", "three"] { try queue.submit(record(text)) }
    let lease = try WorkerLease(in: queue.store)
    let first = try queue.next(for: lease, atMost: 2)
    #expect(texts(first) == ["one", "two"])
    #expect(first[0].record.facts == ["source": "one"])
    #expect(first[0].record.received == Timestamp(seconds: 1_700_000_000))
    #expect(first[0].attempts == 1)
    let second = try queue.next(for: lease, finishing: first.done)
    #expect(texts(second) == ["three"])
    #expect(try queue.next(for: lease, finishing: second.done).isEmpty)
    let counts = try queue.counts()
    #expect(counts.accepted == 3 && counts.done == 3 && counts.waiting + counts.working == 0)
  }

  @Test("Many threads add submissions at a time: each is there once")
  func manyThreads() throws {
    let queue = try queue()
    let failures = Workers.map(count: 400, width: 16) { index in
      do {
        try queue.submit(record("\(index)"))
        return 0
      } catch {
        return 1
      }
    }
    #expect(failures.reduce(0, +) == 0)
    let lease = try WorkerLease(in: queue.store)
    let all = try queue.next(for: lease, atMost: 1_000)
    #expect(texts(all).compactMap(Int.init).sorted() == Array(0..<400))
  }

  @Test("Submissions that nobody waits for are told about once each, when they are there")
  func withoutWaiting() throws {
    let queue = try queue()
    let arrivals = Atomic(0)
    queue.onArrival { arrivals.add(1, ordering: .relaxed) }
    let kept = Mutex<[Int]>([])
    let failures = Workers.map(count: 400, width: 8) { index in
      do {
        if index % 10 == 0 {
          try queue.submit(record("\(index)"))
          kept.withLock { $0.append(index) }
        } else {
          try queue.submit(record("\(index)")) { result in
            if case .success = result { kept.withLock { $0.append(index) } }
          }
        }
        return 0
      } catch {
        return 1
      }
    }
    #expect(failures.reduce(0, +) == 0)
    for _ in 0..<1_000 where kept.withLock({ $0.count }) < 400 { usleep(10_000) }
    #expect(kept.withLock { $0.sorted() } == Array(0..<400))
    #expect((1...400).contains(arrivals.load(ordering: .relaxed)))
    #expect(try queue.counts().waiting == 400)
    let lease = try WorkerLease(in: queue.store)
    let all = try queue.next(for: lease, atMost: 1_000)
    #expect(texts(all).compactMap(Int.init).sorted() == Array(0..<400))
  }

  @Test("What several queues of a home wrote is counted, by each of them, and after it was taken")
  func countedTogether() throws {
    let (one, two) = (try queue(), try queue())
    func expect(_ waiting: Int, _ bytes: Int) throws {
      for queue in [one, two, try self.queue()] {
        let counts = try queue.counts()
        #expect(counts.waiting == waiting && counts.waitingBytes == bytes)
      }
    }
    var (count, bytes) = (0, 0)
    for turn in 0..<6 {
      for queue in [one, two, one] {
        let text = String(repeating: "x", count: turn * 7 + 1)
        try queue.submit(record(text))
        count += 1
        bytes += text.utf8.count
        // Only every other time, so that what was not counted adds up.
        if turn % 2 == 1 { try expect(count, bytes) }
      }
      if turn == 3 { one.rotateLog() }
    }
    try expect(count, bytes)
    let lease = try WorkerLease(in: two.store)
    let taken = try two.next(for: lease, atMost: 5)
    bytes -= taken.reduce(0) { $0 + $1.record.body.count }
    try expect(count - 5, bytes)
    try one.submit(record("last"))
    try expect(count - 4, bytes + 4)
    #expect(try one.counts().accepted == count + 1)
  }

  @Test("A large body is a file, which is deleted with its submission")
  func largeBody() throws {
    var limits = IntakeLimits()
    limits.bodyInLog = 100
    let queue = try queue(limits)
    let text = String(repeating: "x", count: 1_000)
    try queue.submit(record(text))
    #expect(try bodies() == 1)
    let lease = try WorkerLease(in: queue.store)
    let taken = try queue.next(for: lease)
    #expect(texts(taken) == [text])
    _ = try queue.next(for: lease, finishing: taken.done)
    #expect(try bodies() == 0)
  }

  private func bodies() throws -> Int {
    try folder.names("home/intake").count { $0.hasSuffix(".body") }
  }

  @Test(
    "What a dead worker had comes back, alone and after what is new; the third time it is quarantined"
  )
  func deadWorkers() throws {
    let queue = try queue()
    for text in ["a", "b"] { try queue.submit(record(text)) }
    do {
      let lease = try WorkerLease(in: queue.store)
      #expect(texts(try queue.next(for: lease)) == ["a", "b"])
      #expect(try queue.reclaim() == (0, 0))
      withExtendedLifetime(lease) {}
    }
    #expect(try queue.reclaim() == (2, 0))
    try queue.submit(record("c"))
    for _ in 2...3 {
      let lease = try WorkerLease(in: queue.store)
      let new = try queue.next(for: lease)
      if !new.isEmpty, new[0].attempts == 1 {
        #expect(texts(new) == ["c"])
        #expect(texts(try queue.next(for: lease, finishing: new.done)) == ["a"])
      } else {
        #expect(texts(new) == ["b"])
      }
      withExtendedLifetime(lease) {}
      _ = try queue.reclaim()
    }
    for _ in 0..<4 {
      do {
        let lease = try WorkerLease(in: queue.store)
        _ = try queue.next(for: lease)
        withExtendedLifetime(lease) {}
      }
      _ = try queue.reclaim()
    }
    let aside = try queue.quarantined(atMost: 10)
    #expect(aside.map(\.facts) == [["source": "a"], ["source": "b"]])
    #expect(aside.allSatisfy { $0.problem == "its worker died 3 times" })
    #expect(try queue.counts().waiting == 0)
    #expect(try queue.counts().quarantined == 2)
    #expect(try queue.retry([aside[0].id]) == 1)
    #expect(try queue.discard(aside[1].id))
    #expect(try !queue.discard(aside[1].id))
    let counts = try queue.counts()
    #expect(counts.waiting == 1 && counts.waitingBytes == 1 && counts.quarantined == 0)
    let lease = try WorkerLease(in: queue.store)
    #expect(texts(try queue.next(for: lease)) == ["a"])
    #expect(try queue.counts().working == 1)
  }

  @Test("Submissions in logs are counted once, and the count is right while workers take some")
  func keptCount() throws {
    let queue = try queue()
    for text in ["one", "two", "three"] { try queue.submit(record(text)) }
    #expect(try queue.counts().waiting == 3)
    // Counted submissions are not read again: otherwise this would end the count.
    let log = try #require(IntakeLogFile.names(in: queue.store.bodies.path).first)
    let file = open(queue.store.bodies.path + "/" + log, O_RDWR | O_CLOEXEC)
    var first = [UInt8](repeating: 0, count: 4)
    #expect(pread(file, &first, 4, 8) == 4)
    #expect(pwrite(file, [0, 0, 0, 0], 4, 8) == 4)
    try queue.submit(record("four"))
    var counts = try queue.counts()
    #expect(counts.waiting == 4 && counts.waitingBytes == 15 && counts.accepted == 4)
    #expect(counts.oldest == Timestamp(seconds: 1_700_000_000))
    #expect(pwrite(file, first, 4, 8) == 4)
    close(file)
    try queue.store.write { _ = try queue.collect(atMost: 2, in: $0) }
    counts = try queue.counts()
    #expect(counts.waiting == 4 && counts.waitingBytes == 15)
    // Another process that sees the log for the first time.
    #expect(try self.queue().counts() == counts)
    let lease = try WorkerLease(in: queue.store)
    let all = try queue.next(for: lease, atMost: 10)
    #expect(texts(all) == ["one", "two", "three", "four"])
    #expect(try queue.counts().waiting == 0 && queue.counts().working == 4)
    try queue.submit(record("five"))
    #expect(try queue.counts().waiting == 1 && queue.counts().accepted == 5)
  }

  @Test("Above the limits nothing is accepted")
  func limits() throws {
    var limits = IntakeLimits()
    limits.waiting = 2
    limits.waitingBytes = 100
    let queue = try queue(limits)
    try queue.submit(record("one"))
    #expect(throws: IntakeError.queueFull(waiting: 1, bytes: 3)) { try queue.admit(98) }
    try queue.submit(record("two"))
    #expect(throws: IntakeError.queueFull(waiting: 2, bytes: 6)) {
      try queue.submit(record("three"))
    }
    #expect(try queue.counts().accepted == 2)
  }
}
