import Database
import TestSupport
import Testing

@Suite struct NamedColumnTests {
  private enum Apple {}

  private let folder = ScratchFolder()
  private let connection: SharedConnection

  init() throws {
    let connection = try Connection(opening: folder.path("test.db"))
    try connection.execute(
      "CREATE TABLE apples (id INTEGER PRIMARY KEY, name TEXT, weight REAL, ripe INTEGER, bytes BLOB)"
    )
    try connection.insert(
      into: "apples", ["name": "Cox", "ripe": true, "weight": 1.5, "bytes": [1, 2] as [UInt8]])
    self.connection = SharedConnection(connection)
  }

  @Test("Columns are read by name, in any order")
  func names() throws {
    try connection.withLock { connection in
      for sql in [
        "SELECT id, name, weight, ripe, bytes FROM apples",
        "SELECT a.bytes, a.ripe, a.weight, a.name, a.id FROM apples AS a",
        "SELECT count(*) AS count, ripe, bytes, max(weight) AS weight, name, id FROM apples",
      ] {
        // The second time the statement comes from the cache, with its names.
        for _ in 0..<2 {
          let rows = try connection.prepare(sql)
          #expect(try rows.step())
          let id: RowID<Apple> = try rows.id("id")
          #expect(try id == RowID(1) && rows.text("name") == "Cox" && rows.double("weight") == 1.5)
          #expect(
            try rows.bool("ripe") && rows.optionalInt("ripe") == 1 && rows.blob("bytes") == [1, 2])
          #expect(try !rows.isNull("name") && rows.withBlob("bytes") { $0.count } == 2)
          #expect(try rows.int(rows.column("ripe")) == 1)
        }
      }
    }
  }

  @Test("A missing column is an error with its name and the statement")
  func missingColumn() throws {
    let sql = "SELECT name, weight AS heft FROM apples"
    try connection.withLock { connection in
      // The second time the statement comes from the cache.
      for _ in 0..<2 {
        let rows = try connection.prepare(sql)
        #expect(try rows.step())
        let error = #expect(throws: DatabaseError.self) { _ = try rows.double("weight") }
        #expect(error?.message == "the statement has no column \"weight\"")
        #expect(error?.sql == sql && error?.path == connection.path && error?.kind == .other)
        #expect(throws: DatabaseError.self) { _ = try rows.column("ripe") }
        // The statement still returns its rows.
        #expect(try rows.text("name") == "Cox" && rows.double("heft") == 1.5)
      }
      let rows = try connection.prepare(sql)
      #expect(try rows.step())
      #expect(throws: DatabaseError.self) { _ = try rows.optionalBlob("bytes") }
      #expect(throws: DatabaseError.self) { _ = try rows.id("id", of: Apple.self) }
      #expect(throws: DatabaseError.self) { try rows.withBlob("bytes") { _ in } }
    }
  }

  @Test("A row is written by the names of its columns")
  func insert() throws {
    try connection.withLock { connection in
      try connection.insert(
        into: "apples", ["id": RowID<Apple>(7), "name": "Idared", "weight": 2.0])
      let rows = try connection.prepare("SELECT id, name, weight FROM apples ORDER BY id")
      var found: [String] = []
      while try rows.step() {
        try found.append("\(rows.int("id")) \(rows.text("name")) \(rows.double("weight"))")
      }
      #expect(found == ["1 Cox 1.5", "7 Idared 2.0"])
    }
  }

  @Test("The conflict clause for an existing row is given with the values")
  func conflict() throws {
    try connection.withLock { connection in
      #expect(throws: DatabaseError.self) {
        try connection.insert(into: "apples", ["id": 1, "name": "Elstar"])
      }
      try connection.insert(
        into: "apples", ["id": 1, "name": "Elstar"],
        onConflict: "ON CONFLICT (id) DO UPDATE SET name = excluded.name")
      #expect(try connection.text("SELECT name FROM apples") == "Elstar")
    }
  }
}
