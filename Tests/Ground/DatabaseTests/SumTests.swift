import Database
import TestSupport
import Testing

@Suite("Sums in tables") struct SumTests {
  private static func database(_ folder: ScratchFolder) throws -> Connection {
    let database = try Connection(opening: folder.path("sums.db"))
    try database.execute(
      """
      CREATE TABLE sums (grp INTEGER NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL,
        PRIMARY KEY (grp, name)) STRICT, WITHOUT ROWID
      """)
    return database
  }

  private static func rows(_ database: borrowing Connection) throws -> [String] {
    let rows = try database.prepare("SELECT grp, name, count FROM sums ORDER BY grp, name")
    var lines: [String] = []
    while try rows.step() {
      try lines.append("\(rows.int("grp")) \(rows.text("name")) \(rows.int("count"))")
    }
    return lines
  }

  @Test("Amounts are added to rows that exist, and make those that do not")
  func added() throws {
    let folder = ScratchFolder()
    let database = try Self.database(folder)
    var sums = RowSums()
    sums.add(1, to: RowKey(.integer(2), .text("b")))
    sums.add(4, to: RowKey(.integer(1), .text("z")))
    sums.add(2, to: RowKey(.integer(2), .text("b")))
    #expect(
      try database.addManyFindingNew(sums, to: "sums", key: ["grp", "name"])
        == [RowKey(.integer(1), .text("z")), RowKey(.integer(2), .text("b"))])
    sums.add(-5, to: RowKey(.integer(1), .text("z")))
    sums.add(7, to: RowKey(.integer(1), .text("a")))
    #expect(
      try database.addManyFindingNew(sums, to: "sums", key: ["grp", "name"])
        == [RowKey(.integer(1), .text("a"))])
    #expect(try Self.rows(database) == ["1 a 7", "1 z 3", "2 b 6"])
    try database.addMany(sums, to: "sums", key: ["grp", "name"])
    #expect(try Self.rows(database) == ["1 a 14", "1 z 2", "2 b 9"])
  }

  @Test("Texts that Swift takes as equal have rows of their own")
  func spellings() throws {
    let folder = ScratchFolder()
    let database = try Self.database(folder)
    var sums = RowSums()
    sums.add(1, to: RowKey(.integer(1), .text("caf\u{e9}")))
    sums.add(1, to: RowKey(.integer(1), .text("cafe\u{301}")))
    try database.addMany(sums, to: "sums", key: ["grp", "name"])
    #expect(try Self.rows(database).count == 2)
  }

  @Test("Keys have the order of the database")
  func order() throws {
    let folder = ScratchFolder()
    let database = try Connection(opening: folder.path("keys.db"))
    try database.execute("CREATE TABLE keys (one ANY, other ANY) STRICT")
    let values: [SQLValue] = [
      .null, .integer(-3), .integer(2), .real(1.5), .text(""), .text("Z"), .text("a"),
      .text("\u{e9}"), .text("e\u{301}"), .blob([]), .blob([1]), .blob([1, 2]),
    ]
    var keys = values.flatMap { one in values.map { RowKey(one, $0) } }
    keys.shuffle()
    try database.insertMany(into: "keys", columns: ["one", "other"], keys.flatMap(\.values))
    let rows = try database.prepare("SELECT rowid FROM keys ORDER BY one, other")
    var sorted: [RowKey] = []
    while try rows.step() { sorted.append(keys[rows.int(0) - 1]) }
    #expect(sorted == keys.sorted())
  }
}
