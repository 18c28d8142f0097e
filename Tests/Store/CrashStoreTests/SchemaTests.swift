import Database
import TestSupport
import Testing
import TriageModel

@testable import CrashStore

@Suite("The schema of a home, and its next version")
struct SchemaTests {
  private let fixture: StoreFixture
  private let path: String

  /// Makes a home of this version, with a report.
  init() throws {
    fixture = try StoreFixture()
    path = fixture.store.home + "/mayday.db"
    try fixture.file("a", [StoreFixture.report("k1")])
  }

  /// The migrations of a program that changed the schema.
  private func migrations(adding sql: String) -> Migrations {
    Migrations(application: Schema.application, steps: Schema.steps + [sql])
  }

  private func version() throws -> Int { try Connection(opening: path).schemaVersion }

  private var newest: Int { Schema.steps.count }

  @Test("A new home has the newest version")
  func first() throws {
    #expect(Schema.migrations.version == newest)
    #expect(try version() == newest)
  }

  @Test("A migration runs once, and what the home has stays")
  func next() throws {
    let next = migrations(
      adding: """
        ALTER TABLE apps ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey';
        CREATE TABLE runs (number INTEGER NOT NULL);
        INSERT INTO runs (number) VALUES (1);
        """)
    for _ in 1...3 { try next.apply(to: Connection(opening: path)) }
    let database = try Connection(opening: path)
    #expect(try version() == newest + 1)
    #expect(try database.integer("SELECT count(*) FROM runs") == 1)
    #expect(try database.text("SELECT colour FROM apps WHERE name = 'Tern'") == "grey")
    #expect(try database.integer("SELECT count(*) FROM reports") == 1)
  }

  @Test("A migration that fails changes nothing")
  func failure() throws {
    let wrong = migrations(
      adding: """
        CREATE TABLE runs (number INTEGER NOT NULL);
        DELETE FROM counters;
        INSERT INTO nowhere (number) VALUES (1);
        """)
    #expect(throws: DatabaseError.self) { try wrong.apply(to: Connection(opening: path)) }
    #expect(try version() == newest)
    let database = try Connection(opening: path)
    #expect(
      try database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'runs'") == 0)
    #expect(try CrashStore(checking: fixture.store.home).groups.get("TERN-1").reports == 1)
    try fixture.check()
  }

  @Test("A home of the next version is refused, naming both versions, and left alone")
  func newer() throws {
    try migrations(adding: "CREATE TABLE runs (number INTEGER NOT NULL)")
      .apply(to: Connection(opening: path))
    let error = #expect(throws: DatabaseError.self) {
      try CrashStore(opening: fixture.store.home)
    }
    #expect(error?.kind == .wrongVersion)
    #expect(
      error?.description == path
        + ": made by a newer version of the program: its schema version is \(newest + 1); this version of Mayday"
        + " reads up to \(newest)")
    #expect(try version() == newest + 1)
  }
}
