import Bytes
import Database
import Synchronization
import TestSupport
import Testing

@testable import CrashStore

/// Concurrent readers, and the one writer.
@Suite struct ReaderTests {
  @Test("A slow read blocks neither another read nor a write")
  func slowRead() throws {
    let fixture = try StoreFixture()
    let store = fixture.store
    try store.reports.add([StoreFixture.prepared("one", [StoreFixture.report("a")])])
    let seen = Mutex<[String]>([])
    try store.read { slow in
      let before = try slow.requiredInteger("SELECT count(*) FROM reports")
      // Others read and write while this one is in the middle.
      runThreads(2) {
        do {
          let count = try store.read { try $0.requiredInteger("SELECT count(*) FROM reports") }
          seen.withLock { $0.append("read \(count)") }
        } catch {
          seen.withLock { $0.append("\(error)") }
        }
      }
      runThreads(1) {
        do {
          try store.reports.add([StoreFixture.prepared("two", [StoreFixture.report("b")])])
          seen.withLock { $0.append("written") }
        } catch {
          seen.withLock { $0.append("\(error)") }
        }
      }
      // Rows written meanwhile are not in its snapshot.
      #expect(try slow.requiredInteger("SELECT count(*) FROM reports") == before)
    }
    #expect(seen.withLock { $0 } == ["read 1", "read 1", "written"])
    #expect(try store.read { try $0.requiredInteger("SELECT count(*) FROM reports") } == 2)
  }

  @Test("More readers than connections wait for each other and all read")
  func manyReaders() throws {
    let fixture = try StoreFixture()
    let store = fixture.store
    try store.reports.add([StoreFixture.prepared("one", [StoreFixture.report("a")])])
    let counts = Mutex<[Int]>([])
    runThreads(ReaderPool.limit * 4) {
      let count = try? store.read { try $0.requiredInteger("SELECT count(*) FROM reports") }
      counts.withLock { $0.append(count ?? -1) }
    }
    #expect(counts.withLock { $0 } == [Int](repeating: 1, count: ReaderPool.limit * 4))
  }

  @Test("A reader cannot write")
  func readOnly() throws {
    let fixture = try StoreFixture()
    #expect(throws: DatabaseError.self) {
      try fixture.store.read { try $0.run("DELETE FROM apps") }
    }
  }

  @Test("A failed transaction leaves nothing in the process's caches")
  func failedWrite() throws {
    struct Stopped: Error {}
    let fixture = try StoreFixture()
    let store = fixture.store
    let term = SearchTerm(field: .os, text: "Plan 9")
    #expect(throws: Stopped.self) {
      try store.write(.global) { database in
        let number = try SearchIndex(store.searchCache).number(of: term, in: database)
        #expect(store.searchCache[term] == number)
        throw Stopped()
      }
    }
    #expect(store.searchCache[term] == nil)
    let number = try store.write(.global) {
      try SearchIndex(store.searchCache).number(of: term, in: $0)
    }
    #expect(store.searchCache[term] == number)
    #expect(
      try store.read { try $0.text("SELECT text FROM search_terms WHERE id = ?1", number) }
        == "Plan 9")
  }
}
