import TestSupport
import Testing

@testable import Database

@Suite struct ReaderPoolTests {
  private let folder = ScratchFolder()

  @Test("A connection is opened for each concurrent reader, and the first is reused")
  func opening() throws {
    let path = folder.path("test.db")
    let writer = SharedConnection(try Connection(opening: path))
    try writer.withLock { try $0.execute("CREATE TABLE t (a); INSERT INTO t VALUES (7)") }
    let pool = ReaderPool(of: path, options: Connection.Options())
    #expect(pool.openCount == 0)
    for _ in 0..<3 {
      #expect(try pool.read { try $0.integer("SELECT a FROM t") } == 7)
    }
    #expect(pool.openCount == 1)
    try pool.read { _ in
      let number = try pool.read { try $0.integer("SELECT a FROM t") }
      #expect(number == 7)
    }
    #expect(pool.openCount == 2)
  }

  @Test("A reader does not create a missing database")
  func missing() throws {
    let pool = ReaderPool(of: folder.path("none.db"), options: Connection.Options())
    #expect(throws: DatabaseError.self) { try pool.read { try $0.integer("SELECT 1") } }
  }
}
