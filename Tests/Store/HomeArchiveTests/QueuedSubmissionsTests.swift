import Bytes
import CrashStore
import ServerStore
import TestSupport
import Testing

@testable import HomeArchive

/// Submissions that were acknowledged and are not stored, in archives.
@Suite("Submissions that are not stored", .serialized)
struct QueuedSubmissionsTests {
  private let fixture: ArchiveFixture
  private let queue: IntakeQueue

  init() throws {
    fixture = try ArchiveFixture()
    try fixture.fill()
    queue = IntakeQueue(in: try ServerStore(opening: fixture.folder.path("home")))
    for text in ["one", "", "three"] {
      try queue.submit(
        IntakeRecord(
          route: "reports", received: ArchiveFixture.start, facts: ["name": text],
          body: ByteView(text.utf8)))
    }
  }

  private func backup() throws -> String {
    let path = fixture.folder.path("q.tar.zst")
    let counts = try HomeArchiveWriter(.everything, engine: "test 1", queue: queue).write(
      fixture.store, to: path, replacing: true)
    #expect(counts.queued == 3)
    return path
  }

  private func restore(_ archive: String, to name: String = "new") throws -> IntakeQueue {
    _ = try HomeArchiveReader(archive).restore(to: fixture.folder.path(name), isForced: false)
    return IntakeQueue(in: try ServerStore(opening: fixture.folder.path(name)))
  }

  private func bodies(_ queue: IntakeQueue) throws -> [String] {
    var bodies: [String] = []
    try queue.forEachQueued { bodies.append($1.text) }
    return bodies
  }

  @Test("They are restored unchanged, and the same home gives the same archive")
  func roundTrip() throws {
    let archive = try backup()
    let names = try fixture.members(archive).map(\.name)
    #expect(
      names.filter { $0.hasPrefix("intake/") }
        == [1, 2, 3].flatMap { ["intake/\($0).json", "intake/\($0)"] })
    let bytes = fixture.folder.bytes("q.tar.zst")
    let new = try restore(archive)
    #expect(try bodies(new) == ["one", "", "three"])
    _ = try HomeArchiveWriter(.everything, engine: "test 1", queue: new).write(
      CrashStore(opening: fixture.folder.path("new")), to: archive, replacing: true)
    #expect(fixture.folder.bytes("q.tar.zst") == bytes)
    // The backup leaves nothing in the queue, and takes nothing out of it.
    #expect(try bodies(queue) == ["one", "", "three"])
    #expect(try fixture.folder.names("home/caches") == [])
  }

  @Test("An import leaves them where they are, and shows how many")
  func importing() throws {
    let other = try CrashStore(opening: fixture.folder.path("other"))
    let counts = try HomeArchiveReader(backup()).merge(into: other)
    let reports = try fixture.store.reports.list().count
    #expect(counts.queued == 3 && counts.reports == reports)
    #expect(try fixture.folder.names("other").allSatisfy { !$0.hasPrefix("server") })
  }

  @Test("What was changed, is missing or misplaced is named, and nothing is left of the home")
  func damage() throws {
    let members = try fixture.members(backup())
    let first = try #require(members.firstIndex { $0.name == "intake/1.json" })
    func refused(
      _ words: String, _ change: (inout [(name: String, bytes: [UInt8])]) -> Void
    ) throws {
      var changed = members
      change(&changed)
      let path = try fixture.pack(changed)
      let error = #expect(throws: HomeArchiveError.self, "\(words)") {
        try restore(path, to: "bad")
      }
      #expect(error?.description.contains(words) == true, "\(words): \(error?.description ?? "")")
      #expect(try fixture.folder.names("").filter { $0.hasPrefix("bad") } == [])
    }
    try refused("intake/1 does not match intake/1.json") { $0[first + 1].bytes = [1] }
    try refused("instead of intake/1") { $0.remove(at: first + 1) }
    try refused("intake/1 is not a submission") { $0.remove(at: first) }
    try refused("is not a submission") { $0.removeSubrange(first + 4..<first + 6) }
    try refused("repeated or out of order") {
      $0.swapAt(first, first + 4)
      $0.swapAt(first + 1, first + 5)
    }
    try refused("do not match the manifest") { members in
      members[first].bytes = Array(
        String(decoding: members[first].bytes, as: UTF8.self)
          .replacing("\"one\"", with: "\"two\"").utf8)
    }
    try refused("belongs in no archive") { $0.append(("intake/4.json", [])) }
  }
}
