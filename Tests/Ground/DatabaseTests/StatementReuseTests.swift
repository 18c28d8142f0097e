import TestSupport
import Testing

@testable import Database

@Suite("Statements that run many times")
struct StatementReuseTests {
  private let folder = ScratchFolder()

  private func open(_ options: Connection.Options = .init()) throws -> Connection {
    let connection = try Connection(opening: folder.path("test.db"), options: options)
    try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)")
    return connection
  }

  @Test("A text is prepared once, wherever it is in memory, until there are too many")
  func entries() throws {
    var cache = StatementCache(path: "", costs: nil)
    let literal = "SELECT a, b FROM t WHERE a = ?1"
    let first = cache.entry(for: literal)
    #expect(cache.entry(for: literal) === first)
    let copy = ["SELECT a, b FROM t", "WHERE a = ?1"].joined(separator: " ")
    #expect(cache.entry(for: copy) === first)
    #expect(
      cache.entry(for: "SELECT 1") === cache.entry(for: ["SELECT", "1"].joined(separator: " ")))
    // Texts at any addresses, which share places with one another.
    let texts = (0..<StatementCache.limit - 2).map {
      "SELECT a, b FROM t WHERE a = ?1 AND b = \($0)"
    }
    for text in texts + texts { #expect(cache.entry(for: text).sql == text) }
    #expect(cache.entry(for: literal) === first)
    #expect(cache.entry(for: "one more than fit") !== first)
    let second = cache.entry(for: literal)
    #expect(second !== first && second.sql == literal)
    for text in texts + texts { #expect(cache.entry(for: text).sql == text) }
  }

  @Test("More texts than are kept all run, and are counted")
  func manyTexts() throws {
    var options = Connection.Options()
    options.countsWork = true
    let connection = try open(options)
    for _ in 0..<2 {
      for number in 0..<StatementCache.limit * 2 {
        let found = try connection.integer("SELECT \(number) + ?1", number)
        #expect(found == number * 2)
      }
    }
    let costs = connection.statementCosts
    #expect(costs.count == StatementCache.limit * 2)
    #expect(costs.values.allSatisfy { $0.runs == 2 && $0.steps > 0 })
  }

  @Test("A statement that is in use can be prepared again, and keeps no values of the last run")
  func nested() throws {
    let connection = try open()
    try connection.insertMany(
      into: "t", columns: ["a", "b"],
      [1, 2, 3].flatMap {
        [$0.sqlValue, "row \($0)".sqlValue]
      })
    let sql = "SELECT b FROM t WHERE a >= ?1 ORDER BY a"
    let outer = try connection.prepare(sql, [2])
    #expect(try outer.step())
    do {
      let inner = try connection.prepare(sql, [1])
      #expect(try inner.step() && inner.text(0) == "row 1")
    }
    #expect(outer.text(0) == "row 2")
    #expect(try outer.step() && outer.text(0) == "row 3")
    let empty = try connection.prepare(sql)
    #expect(try !empty.step())
  }

  @Test("Insertions of the same columns differ by their conflict, and by the order of columns")
  func insertions() throws {
    let connection = try open()
    for _ in 0..<2 {
      try connection.insert(
        into: "t", ["a": 1, "b": "one"], onConflict: "ON CONFLICT (a) DO NOTHING")
    }
    #expect(throws: DatabaseError.self) { try connection.insert(into: "t", ["a": 1, "b": "x"]) }
    try connection.insert(
      into: "t", ["b": "two", "a": 1],
      onConflict: "ON CONFLICT (a) DO UPDATE SET b = excluded.b")
    #expect(try connection.text("SELECT b FROM t") == "two")
    try connection.insert(into: "t", ["a": 2])
    #expect(try connection.integer("SELECT count(*) FROM t WHERE b IS NULL") == 1)
    var texts = InsertTexts()
    for number in 0..<1_200 {
      let table = "t\(number)"
      for _ in 0..<2 {
        let sql = texts.sql(into: table, ["a", "b"], onConflict: "ON CONFLICT DO NOTHING")
        #expect(sql == "INSERT INTO \(table) (a, b) VALUES (?1, ?2) ON CONFLICT DO NOTHING")
      }
    }
  }

  @Test("Many rows are added in order, each by the rules for one")
  func manyRows() throws {
    let connection = try open()
    try connection.insertMany(into: "t", columns: ["a", "b"], [])
    let rows = (1...100).flatMap { number -> [SQLValue] in
      [.integer(Int64(number)), number.isMultiple(of: 2) ? .null : .text("row \(number)")]
    }
    try connection.insertMany(into: "t", columns: ["a", "b"], rows)
    #expect(try connection.integer("SELECT count(*) FROM t") == 100)
    #expect(try connection.integer("SELECT count(*) FROM t WHERE b = 'row ' || a") == 50)
    try connection.insertMany(
      into: "t", columns: ["a", "b"], [.integer(1), .text("new"), .integer(101), .text("last")],
      onConflict: "ON CONFLICT (a) DO UPDATE SET b = excluded.b")
    #expect(try connection.text("SELECT b FROM t WHERE a = 1") == "new")
    #expect(connection.lastRow == 101)
    let error = #expect(throws: DatabaseError.self) {
      try connection.insertMany(
        into: "t", columns: ["a", "b"],
        [.integer(102), .null, .integer(1), .null, .integer(103), .null])
    }
    #expect(error?.sql == "INSERT INTO t (a, b) VALUES (?1, ?2)")
    #expect(try connection.integer("SELECT max(a) FROM t") == 102)
    // The statement can be used again after the failure.
    try connection.insertMany(into: "t", columns: ["a", "b"], [.integer(104), .null])
    #expect(try connection.integer("SELECT max(a) FROM t") == 104)
  }
}
