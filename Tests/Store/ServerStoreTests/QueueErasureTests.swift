import Bytes
import Identifiers
import TestSupport
import Testing

@testable import ServerStore

@Suite struct QueueErasureTests {
  @Test("A waiting submission is deleted with its file; one in progress is not")
  func erase() throws {
    let folder = ScratchFolder()
    var limits = IntakeLimits()
    limits.bodyInLog = 4
    let queue = IntakeQueue(
      in: try ServerStore(checking: folder.path + "/home"), limits: limits)
    for (install, body) in [("a", "taken"), ("a", "waits long"), ("b", "stays"), ("a", "abc")] {
      try queue.submit(
        IntakeRecord(
          route: "appcenter", received: Timestamp(seconds: 1), facts: ["install": install],
          body: ByteView(body.utf8)))
    }
    let lease = try WorkerLease(in: queue.store)
    let taken = try queue.next(for: lease, atMost: 1)
    #expect(taken.count == 1)
    let dry = try queue.erase(isDry: true) { $0["install"] == "a" }
    #expect(dry == 2)
    let done = try queue.erase(isDry: false) { $0["install"] == "a" }
    #expect(done == 2)
    #expect(try queue.next(for: lease, finishing: taken.done).map(\.record.body.text) == ["stays"])
    let again = try queue.erase(isDry: false) { $0["install"] == "a" }
    #expect(again == 0)
  }

  @Test(
    "A line of a backup with a number that nothing has is refused",
    arguments: [
      (#"{"kind":"user","name":"jo","mark":1,"time":-9223372036854775808}"#, false),
      (#"{"kind":"user","name":"jo","mark":9223372036854775807,"time":1}"#, false),
      (#"{"kind":"user","name":"jo","mark":1,"time":1e18}"#, false),
      (#"{"kind":"user","name":"jo","mark":1,"time":1700000000000000}"#, true),
    ])
  func damaged(line: String, isRead: Bool) throws {
    let folder = ScratchFolder()
    let server = try ServerStore(checking: folder.path)
    do {
      try server.load(ByteView("\(line)\n".utf8), into: .erasures)
      #expect(isRead)
    } catch let error as ServerArchiveError {
      #expect(!isRead && error.description == "damaged archive: line 1 of erasures")
    }
    #expect(try IntakeQueue(in: server).erasures().count == (isRead ? 1 : 0))
  }

  @Test(
    "Lines of a backup are those that the next backup has",
    arguments: ServerStore.ArchivedTable.allCases)
  func lines(table: ServerStore.ArchivedTable) throws {
    let server = try ServerStore(opening: ScratchFolder().path)
    #expect(try server.lines(of: table).isEmpty)
    guard table == .erasures else { return }
    let line = ByteView(#"{"kind":"user","name":"jo","mark":1,"time":1700000000000000}"#.utf8)
    try server.load(line, into: table)
    #expect(try server.lines(of: table).text == line.text + "\n")
  }
}
