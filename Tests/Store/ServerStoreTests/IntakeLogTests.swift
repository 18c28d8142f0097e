import Bytes
import Database
import Glibc
import Identifiers
import TestSupport
import Testing

@testable import ServerStore

/// An acknowledged submission is in a log until it is done, whichever process is killed.
@Suite("The intake log")
struct IntakeLogTests {
  private let folder = ScratchFolder()
  private var home: String { folder.path + "/home" }

  private func queue(_ limits: IntakeLimits = IntakeLimits()) throws -> IntakeQueue {
    IntakeQueue(in: try ServerStore(checking: home), limits: limits)
  }

  private func record(_ text: String) -> IntakeRecord {
    IntakeRecord(
      route: "reports", received: Timestamp(seconds: 1_700_000_000), facts: ["name": text],
      body: ByteView(text.utf8))
  }

  private func logs() throws -> [String] {
    try IntakeLogFile.names(in: home + "/intake").map { home + "/intake/" + $0 }
  }

  private func texts(_ queue: IntakeQueue) throws -> [String] {
    let lease = try WorkerLease(in: queue.store)
    let records = try queue.next(for: lease)
    _ = try queue.next(for: lease, finishing: records.done, atMost: 0)
    return records.map { $0.record.body.text }
  }

  @Test("A log is deleted when it is closed and all in it is done, not before")
  func removal() throws {
    let queue = try queue()
    try queue.submit(record("one"))
    #expect(try logs().count == 1)
    #expect(try texts(queue) == ["one"])
    try queue.submit(record("two"))
    queue.rotateLog()
    #expect(try logs().count == 1)
    let lease = try WorkerLease(in: queue.store)
    let taken = try queue.next(for: lease)
    #expect(taken.map { $0.record.body.text } == ["two"])
    #expect(try queue.next(for: lease).isEmpty)
    #expect(try logs().count == 1)
    #expect(try queue.next(for: lease, finishing: taken.done).isEmpty)
    #expect(try logs().isEmpty)
    #expect(try queue.counts().done == 2)
    // A name of a deleted log is forgotten; nothing is read twice.
    #expect(try queue.next(for: lease).isEmpty)
  }

  @Test("Logs are closed by size and by age, and are read in order")
  func closing() throws {
    var limits = IntakeLimits()
    limits.logBytes = 300
    limits.logSeconds = 1
    let queue = try queue(limits)
    let sent = (0..<12).map { "\($0)" + String(repeating: "x", count: 50) }
    for text in sent { try queue.submit(record(text)) }
    #expect(try logs().count > 3)
    #expect(try texts(queue) == sent)
    // The last one closes by its age.
    for _ in 0..<100 where try !logs().isEmpty {
      usleep(100_000)
      #expect(try texts(queue).isEmpty)
    }
    #expect(try logs().isEmpty)
  }

  @Test("A submission that a killed writer had begun to write does not count")
  func tornEnd() throws {
    do {
      let queue = try queue()
      try queue.submit(record("whole"))
      try queue.submit(record("torn"))
    }
    let log = try #require(try logs().first)
    let whole = try ByteView(mapping: log).array
    let size = whole.count
    let second = try #require(whole.indices.last { whole[$0...].starts(with: "MayI".utf8) })
    for cut in stride(from: 1, to: size - IntakeLog.headLength, by: 7) {
      let copy = folder.path + "/cut-\(cut)"
      mkdir(copy, 0o700)
      mkdir(copy + "/intake", 0o700)
      var bytes = Array(whole.dropLast(cut))
      // It had acknowledged everything before the truncated record.
      let told = bytes.count >= second ? second : IntakeLog.headLength
      withUnsafeBytes(of: UInt64(told).littleEndian) { bytes.replaceSubrange(0..<8, with: $0) }
      let name = String(log.split(separator: "/").last ?? "")
      _ = folder.write("cut-\(cut)/intake/\(name)", bytes)
      let queue = IntakeQueue(in: try ServerStore(checking: copy))
      let count = try queue.counts().waiting
      let read = try texts(queue)
      #expect(read == Array(["whole"].prefix(read.count)))
      #expect(count == read.count)
      #expect(read.count == (size - cut >= second ? 1 : 0))
      #expect(try queue.counts().quarantined == 0)
    }
  }

  @Test(
    "A changed log keeps the submissions before the change, and is kept for inspection")
  func damage() throws {
    do {
      let queue = try queue()
      for text in ["first", "second", "third"] { try queue.submit(record(text)) }
    }
    let log = try #require(try logs().first)
    var bytes = try ByteView(mapping: log).array
    let place = try #require(bytes.indices.last { bytes[$0...].starts(with: "second".utf8) })
    bytes[place] ^= 1
    unlink(log)
    _ = folder.write("home/intake/" + (log.split(separator: "/").last ?? ""), bytes)
    let queue = try queue()
    #expect(try texts(queue) == ["first"])
    let aside = try queue.quarantined()
    #expect(aside.count == 1)
    #expect(aside.first?.problem.contains("does not match its checksum") == true)
    let rest = try #require(try queue.body(ofQuarantined: aside.first?.id ?? 0))
    #expect(rest.text.contains("third"))
    #expect(try texts(queue).isEmpty)
    #expect(try logs().isEmpty)
  }

  @Test(
    "A length that was changed, and an end that was lost, lose nothing in silence",
    arguments: [true, false])
  func lostEnd(isCut: Bool) throws {
    do {
      let queue = try queue()
      for text in ["first", "second", "third"] { try queue.submit(record(text)) }
    }
    let log = try #require(try logs().first)
    var bytes = try ByteView(mapping: log).array
    let marks = bytes.indices.filter { bytes[$0...].starts(with: "MayI".utf8) }
    // The length of the second's body is far beyond the end; or the third is half missing.
    if isCut { bytes.removeLast(5) } else { bytes[marks[1] + 10] = 0x7f }
    unlink(log)
    _ = folder.write("home/intake/" + (log.split(separator: "/").last ?? ""), bytes)
    let queue = try queue()
    #expect(try texts(queue) == (isCut ? ["first", "second"] : ["first"]))
    let aside = try queue.quarantined()
    #expect(aside.count == 1)
    #expect(aside.first?.problem.contains("it ends within what was acknowledged") == true)
    let rest = try #require(try queue.body(ofQuarantined: aside.first?.id ?? 0))
    #expect(rest.text.contains("third"))
    #expect(try texts(queue).isEmpty)
    #expect(try logs().isEmpty)
    #expect(try queue.quarantined().count == 1)
  }

  /// The disk space of a file, in bytes.
  private func room(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_blocks) * 512 : -1
  }

  /// A queue with one log, in which the first of five submissions, of 100 KB each, are done.
  private func halfDone(_ count: Int, freed: Int = 1) throws -> (IntakeQueue, [QueuedRecord]) {
    var limits = IntakeLimits()
    limits.freedBytes = freed
    let queue = try queue(limits)
    for number in 0..<5 {
      let body = "\(number)" + String(repeating: "x", count: 100_000)
      try queue.submit(
        IntakeRecord(
          route: "reports", received: Timestamp(seconds: 1_700_000_000), body: ByteView(body.utf8)))
    }
    let lease = try WorkerLease(in: queue.store)
    let taken = try queue.next(for: lease, atMost: count)
    return (queue, try queue.next(for: lease, finishing: taken.done))
  }

  private func first(_ records: [QueuedRecord]) -> [Character] {
    records.compactMap { $0.record.body.text.first }
  }

  @Test("The space of done submissions is freed while the rest of their log waits")
  func freed() throws {
    let (queue, rest) = try halfDone(3)
    let log = try #require(try logs().first)
    #expect((190_000..<260_000).contains(room(log)))
    #expect(first(rest) == ["3", "4"])
    #expect(rest.allSatisfy { $0.record.body.count == 100_001 })
    // The writer continues after it.
    try queue.submit(record("5"))
    #expect(try queue.counts().waiting == 1 && queue.counts().working == 2)
    // Read by another process; and by one whose database knows nothing of the log.
    #expect(try self.queue().counts() == queue.counts())
    let copy = folder.path + "/copy"
    mkdir(copy, 0o700)
    mkdir(copy + "/intake", 0o700)
    let bytes = try ByteView(mapping: log).array
    _ = folder.write("copy/intake/" + (log.split(separator: "/").last ?? ""), bytes)
    let other = IntakeQueue(in: try ServerStore(checking: copy))
    #expect(try other.counts().waiting == 3)
    let records = try other.next(for: try WorkerLease(in: other.store))
    #expect(first(records) == ["3", "4", "5"])
    #expect(try other.quarantined().isEmpty)
    // It is deleted as a whole when all of it is done.
    let lease = try WorkerLease(in: queue.store)
    let last = try queue.next(for: lease)
    _ = try queue.next(for: lease, finishing: rest.done + last.done)
    #expect(room(log) < 20_000)
    queue.rotateLog()
    try queue.removeLogs()
    #expect(try logs().isEmpty)
    #expect(try queue.counts().done == 6)
  }

  @Test("Small ranges, and those after a waiting submission, are not freed")
  func notFreed() throws {
    do {
      _ = try halfDone(3, freed: 1 << 20)
      #expect(room(try #require(try logs().first)) > 500_000)
    }
    unlink(home + "/server.db")
    for log in try logs() { unlink(log) }
    let (queue, rest) = try halfDone(1)
    // The second waits again: only the first is freed, though the others are done.
    let lease = try WorkerLease(in: queue.store)
    try queue.giveBack([rest[0]])
    let more = try queue.next(for: lease, finishing: Array(rest.dropFirst()).done)
    #expect(first(more) == ["1"])
    let log = try #require(try logs().first)
    #expect((390_000..<450_000).contains(room(log)))
  }

  @Test("A body read while its range was freed is missing, and not zeros")
  func freedMeanwhile() throws {
    var limits = IntakeLimits()
    limits.freedBytes = 1
    let queue = try queue(limits)
    for text in ["one", "two"] { try queue.submit(record(text)) }
    let lease = try WorkerLease(in: queue.store)
    let taken = try queue.next(for: lease, atMost: 1)
    let row = try queue.store.read { database in
      let rows = try database.prepare(
        "SELECT \(IntakeQueue.StoredBody.columns) FROM intake WHERE state = 1")
      #expect(try rows.step())
      return try IntakeQueue.StoredBody(rows)
    }
    #expect(try queue.body(row).text == "one")
    let more = try queue.next(for: lease, finishing: taken.done)
    #expect(first(more) == ["t"])
    let error = #expect(throws: FileError.self) { _ = try queue.body(row) }
    #expect(error?.code == ENOENT)
  }

  @Test("A changed gap is not a gap: referenced submissions are read, and the rest is kept")
  func damagedGap() throws {
    let (queue, rest) = try halfDone(3)
    let log = try #require(try logs().first)
    let file = open(log, O_RDWR | O_CLOEXEC)
    defer { close(file) }
    #expect(pwrite(file, [0xff, 0xff], 2, 18) == 2)
    #expect(IntakeLogGap.end(in: try ByteView(mapping: log).array) == IntakeLog.headLength)
    try queue.giveBack(rest)
    let lease = try WorkerLease(in: queue.store)
    let again = try queue.next(for: lease)
    #expect(first(again) == ["3", "4"])
    #expect(again.allSatisfy { $0.record.body.count == 100_001 })
    try queue.submit(record("5"))
    #expect(first(try queue.next(for: lease, finishing: again.done)) == ["5"])
  }

  @Test("Quarantined submissions stay when their log is deleted, and can be retried")
  func quarantined() throws {
    let queue = try queue()
    try queue.submit(record("odd"))
    queue.rotateLog()
    let lease = try WorkerLease(in: queue.store)
    let taken = try queue.next(for: lease)
    try queue.quarantined(try #require(taken.first), problem: "unknown")
    #expect(try queue.next(for: lease).isEmpty)
    #expect(try logs().isEmpty)
    #expect(try queue.retry() == 1)
    #expect(try texts(queue) == ["odd"])
  }

  @Test("Two servers write to one home, each its own log")
  func twoWriters() throws {
    let queues = [try queue(), try queue()]
    for number in 0..<20 { try queues[number % 2].submit(record("\(number)")) }
    #expect(try logs().count == 2)
    #expect(try queues[0].counts().waiting == 20)
    #expect(try Set(texts(queues[1])) == Set((0..<20).map(String.init)))
    #expect(try queues[1].counts().accepted == 20)
  }

  @Test("An unreadable log folder is not an empty one: nothing is forgotten")
  func unreadableFolder() throws {
    let queue = try queue()
    try queue.submit(record("one"))
    try queue.submit(record("two"))
    let lease = try WorkerLease(in: queue.store)
    let first = try queue.next(for: lease, atMost: 1)
    _ = try queue.next(for: lease, finishing: first.done, atMost: 0)
    let folder = home + "/intake"
    #expect(rename(folder, folder + ".away") == 0)
    #expect(throws: FileError.self) { try queue.reclaim() }
    #expect(throws: FileError.self) { try queue.removeLogs() }
    #expect(rename(folder + ".away", folder) == 0)
    try queue.reclaim()
    // The log's recorded position stays: nothing is read a second time.
    #expect(try queue.counts().accepted == 2 && queue.counts().stored == 1)
    #expect(try texts(queue) == ["two"])
  }
}
