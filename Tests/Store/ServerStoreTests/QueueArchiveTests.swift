import Bytes
import Identifiers
import TestSupport
import Testing

@testable import ServerStore

/// Submissions of a queue in a backup.
@Suite("The queue in backups")
struct QueueArchiveTests {
  private let folder = ScratchFolder()

  private func queue(_ name: String = "home") throws -> IntakeQueue {
    var limits = IntakeLimits()
    limits.bodyInLog = 1_000
    return IntakeQueue(in: try ServerStore(checking: folder.path(name)), limits: limits)
  }

  private func submit(_ texts: [String], to queue: IntakeQueue) throws {
    for (index, text) in texts.enumerated() {
      try queue.submit(
        IntakeRecord(
          route: "reports", received: Timestamp(seconds: 1_700_000_000 + Int64(index)),
          facts: ["name": "\(index) \u{1f426}\n\"", "app": "Tern"], body: ByteView(text.utf8)))
    }
  }

  @Test("Waiting, running and quarantined submissions are restored unchanged in another queue")
  func roundTrip() throws {
    let queue = try queue()
    let large = String(repeating: "large ", count: 100_000)
    try submit(["quarantined", "taken", "", large, "waits"], to: queue)
    let lease = try WorkerLease(in: queue.store)
    let taken = try queue.next(for: lease, atMost: 2)
    try queue.quarantined(taken[0], problem: "no report", isCounted: true)
    // Also those without a row yet.
    try submit(["last"], to: queue)

    let loader = try IntakeLoader(into: folder.path("new"))
    var bodies: [String] = []
    try queue.forEachQueued { submission, body in
      let document = ByteView(submission.document(ofBody: body.count, digest: "ab"))
      let read = try #require(ArchivedSubmission.read(document))
      #expect(read.submission == submission && read.count == body.count && read.digest == "ab")
      bodies.append(body.text)
      #expect(try loader.add(read.submission, body: body))
      #expect(try !loader.add(read.submission, body: body))
    }
    #expect(bodies == ["quarantined", "taken", "", large, "waits", "last"])
    try loader.finish()

    let new = try self.queue("new")
    let aside = try new.quarantined()
    #expect(try aside == queue.quarantined())
    #expect(try new.body(ofQuarantined: aside[0].id)?.text == "quarantined")
    var counts = try new.counts()
    #expect(counts.accepted == 6 && counts.waiting == 5 && counts.quarantined == 1)
    let other = try WorkerLease(in: new.store)
    let first = try new.next(for: other)
    #expect(first.map(\.record.body.text) == ["", large, "waits", "last"])
    #expect(first[0].record.facts == ["name": "2 \u{1f426}\n\"", "app": "Tern"])
    #expect(first[0].record.received == Timestamp(seconds: 1_700_000_002))
    // It may have been stored: it is restored alone, and as one that was taken before.
    let second = try new.next(for: other, finishing: first.done)
    #expect(second.map(\.record.body.text) == ["taken"] && second[0].attempts == 2)
    #expect(try new.next(for: other, finishing: second.done).isEmpty)
    // A later submission has a number of its own.
    try submit(["new"], to: new)
    #expect(try #require(new.next(for: other).first).id > taken[1].id + 4)
    counts = try new.counts()
    #expect(counts.accepted == 7 && counts.done == 5)
  }

  @Test("Submissions stored, quarantined or erased meanwhile are there or done; none is missed")
  func meanwhile() throws {
    let queue = try queue()
    let texts = (0..<300).map { "\($0)" + String(repeating: "x", count: $0 % 5 == 0 ? 2_000 : 1) }
    try submit(texts, to: queue)
    let lease = try WorkerLease(in: queue.store)
    var done: Set<String> = []
    var seen: [String] = []
    try queue.forEachQueued { submission, body in
      // Each time a few of the next ones, whose rows may have been read.
      if seen.count % 10 == 0 {
        queue.rotateLog()
        let taken = try queue.next(for: lease, atMost: 40)
        for (index, record) in taken.enumerated() where index % 4 == 0 {
          try queue.quarantined(record, problem: "no report")
        }
        let rest = taken.enumerated().filter { $0.offset % 4 != 0 }.map(\.element)
        done.formUnion(rest.map(\.record.body.text))
        #expect(try queue.next(for: lease, finishing: rest.done, atMost: 0).isEmpty)
        // The log is deleted, and quarantined submissions are elsewhere.
        try queue.removeLogs()
      }
      seen.append(body.text)
    }
    #expect(Set(seen).union(done) == Set(texts))
    #expect(Set(seen).count == seen.count)
    #expect(done.count > 200 && seen.count > 75)
  }

  @Test("Other data is not taken for a submission")
  func hostile() {
    let whole = ArchivedSubmission(
      id: 7, route: "reports", received: 1, facts: ["a": "b"], attempts: 0, problem: nil,
      isCounted: false, identity: IntakeID([0xab]))
    let text = ByteView(whole.document(ofBody: 3, digest: "ab")).text
    #expect(ArchivedSubmission.read(ByteView(text.utf8))?.submission == whole)
    for (member, values) in [
      "\"id\": 7": ["0", "-1", "9223372036854775807", "7.5", "\"7\"", "null"],
      "\"route\": \"reports\"": ["1", "null"],
      "\"received\": 1": ["-1", "9223372036854775807"],
      "\"a\": \"b\"": ["7", "\"b\", \"a\": \"c\""],
      "\"attempts\": 0": ["-1", "9999999999"],
      "\"counted\": false": ["0"],
      "\"identity\": \"ab\"": ["7", "\"abc\"", "null"],
      "\"bytes\": 3": ["-3"],
      "\"sha256\": \"ab\"": ["3"],
    ] {
      #expect(text.contains(member))
      let name = member.prefix { $0 != ":" }
      for value in values {
        let bad = text.replacing(member, with: "\(name): \(value)")
        #expect(ArchivedSubmission.read(ByteView(bad.utf8)) == nil, "\(name) \(value)")
      }
    }
    // A backup of an older version has none: each reading makes one.
    let old = text.replacing("  \"identity\": \"ab\",\n", with: "")
    #expect(old != text)
    let made = (0..<2).compactMap { _ in ArchivedSubmission.read(ByteView(old.utf8))?.submission }
    #expect(made.count == 2 && made[0].identity != made[1].identity)
    for bad in ["", "[]", "{}", "null", String(text.dropLast(4))] {
      #expect(ArchivedSubmission.read(ByteView(bad.utf8)) == nil, "\(bad)")
    }
  }
}
