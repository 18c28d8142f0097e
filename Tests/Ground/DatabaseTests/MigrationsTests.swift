import Database
import Synchronization
import TestSupport
import Testing

@Suite struct MigrationsTests {
  let folder = ScratchFolder()
  private static let mark: Int32 = 0x7465_7374
  private let steps = ["CREATE TABLE a (x)", "CREATE TABLE b (x)", "CREATE TABLE c (x)"]

  private func tables(_ connection: borrowing Connection) throws -> String? {
    try connection.text("SELECT group_concat(name) FROM sqlite_schema")
  }

  @Test("Each step runs once, from any version on", arguments: 0...3)
  func steps(count: Int) throws {
    let connection = try Connection(opening: folder.path("m.db"))
    for last in [count, count, 3] {
      try Migrations(application: Self.mark, steps: Array(steps.prefix(last)))
        .apply(to: connection)
    }
    #expect(try tables(connection) == "a,b,c")
    #expect(try connection.integer("PRAGMA user_version") == 3)
  }

  @Test("Created by many at once, it is created once")
  func together() throws {
    for round in 0..<20 {
      let path = folder.path("m\(round).db")
      let failures = Mutex<[String]>([])
      runThreads(4) {
        do {
          let connection = try Connection(opening: path)
          try Migrations(application: Self.mark, steps: ["CREATE TABLE a (x)"])
            .apply(to: connection)
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
      #expect(failures.withLock { $0 } == [])
    }
  }

  @Test("A failed step undoes those before it")
  func failure() throws {
    let connection = try Connection(opening: folder.path("m.db"))
    #expect(throws: DatabaseError.self) {
      try Migrations(application: Self.mark, steps: [steps[0], "CREATE TABLE a (y)"])
        .apply(to: connection)
    }
    #expect(try tables(connection) == nil)
  }

  @Test("A database of a newer version is refused, naming both, and left unchanged")
  func newer() throws {
    let connection = try Connection(opening: folder.path("m.db"))
    try Migrations(application: Self.mark, steps: steps).apply(to: connection)
    let error = #expect(throws: DatabaseError.self) {
      try Migrations(application: Self.mark, steps: [steps[0]]).apply(to: connection)
    }
    #expect(error?.kind == .wrongVersion)
    #expect(
      error?.description.hasSuffix("its schema version is 3; this version of Mayday reads up to 1")
        == true)
    #expect(try connection.integer("PRAGMA user_version") == 3)
  }

  @Test("The database of another program is refused")
  func other() throws {
    let connection = try Connection(opening: folder.path("m.db"))
    try connection.execute("CREATE TABLE other (x)")
    let error = #expect(throws: DatabaseError.self) {
      try Migrations(application: Self.mark, steps: steps).apply(to: connection)
    }
    #expect(error?.kind == .wrongVersion)
  }
}
