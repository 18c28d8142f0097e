import Bytes
import CrashStore
import Database
import Files
import Glibc
import ServerStore
import TestSupport
import Testing

/// The SQL of the store is prepared by SQLite and by PostgreSQL 15: every string literal of the source that
/// is a whole statement, every row that is inserted by the names of its columns, and the statements that the
/// program builds at run time, as recorded: see ``RecordedStatements``.
@Suite("Statements that SQLite and PostgreSQL prepare") struct PortableStatementTests {
  private static let targets = ["CrashStore", "ServerStore", "Uploads", "HomeArchive"]

  /// Their own statements are recorded, too.
  private static let tests = targets + ["Pipeline"]

  private static func sources() throws -> [SourceStatement] {
    try targets.flatMap {
      try SourceStatement.all(below: SourceTree.folder(of: $0))
    }.filter { !$0.description.contains("Schema") }
  }

  private static func statements() throws -> [String] {
    let texts = Set(try sources().compactMap(\.text)).map(completed)
    return Set(texts + (try RecordedStatements.all())).sorted()
  }

  /// A query of groups that show under another begins or ends with a common part.
  private static func completed(_ statement: String) -> String {
    let tree = "WITH RECURSIVE tree (id) AS ("
    if statement.hasPrefix(tree) {
      return statement.hasSuffix(")") ? statement + " SELECT id FROM tree" : statement
    }
    guard statement.contains(" FROM tree") else { return statement }
    return tree + "SELECT CAST(?1 AS BIGINT)) " + statement
  }

  @Test("SQL is only in the store and its database module")
  func walls() throws {
    for target in try SourceTree.names()
    where !(Self.targets + ["Database", "CSQLite"]).contains(target) {
      let found = try SourceStatement.all(below: SourceTree.folder(of: target))
      #expect(found.map(\.description) == [])
    }
  }

  /// Rows of the small contents are in a SQLite file of the blob folder, whatever the database.
  private static func isOfContents(_ statement: String) -> Bool {
    [" contents", " marks", " reused", " blocks", " unpacked"].contains { table in
      ["FROM", "INTO", "UPDATE"].contains { statement.contains($0 + table) }
    }
  }

  private static let temporary = [
    "CREATE TEMP TABLE part_reports (id INTEGER PRIMARY KEY)",
    "CREATE TEMP TABLE part_groups (id INTEGER PRIMARY KEY)",
    "CREATE TEMP TABLE part_debug_files (digest BLOB PRIMARY KEY)",
  ]

  /// The databases of a new home, with the tables of each.
  private static func databases(
    in folder: ScratchFolder
  ) throws -> [(database: SharedConnection, tables: [String])] {
    let home = folder.path("home")
    _ = try CrashStore(opening: home)
    _ = try ServerStore(opening: home)
    return try ["mayday.db", "server.db", "blobs/small.db"].map { name in
      let connection = try Connection(opening: home + "/" + name)
      if name == "mayday.db" { for table in temporary { try connection.execute(table) } }
      var tables: [String] = name == "mayday.db" ? temporary : []
      let rows = try connection.prepare(
        """
        SELECT sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
          AND name NOT LIKE 'search_grams%' ORDER BY name
        """)
      while try rows.step() { tables.append(rows.text(0)) }
      return (SharedConnection(connection), tables)
    }
  }

  @Test("Statements built at run time were recorded; `make statements` does it")
  func recorded() throws {
    let sources = try Self.sources().filter { $0.text == nil }
    #expect(sources.count > 50)
    if let path = RecordedStatements.source {
      let databases = try Self.databases(in: ScratchFolder())
      let ofTests = try Self.tests.flatMap {
        try SourceStatement.all(below: SourceTree.tests(of: $0))
      }
      try RecordedStatements.renew(
        from: path, for: Set(sources.map(\.pattern)),
        except: ofTests.map(\.pattern).filter { $0.length > 30 }
      ) { statement in
        databases.contains { database, _ in
          (try? database.withLock { _ = try $0.prepare(statement) }) != nil
        }
      }
    }
    let statements = try RecordedStatements.all()
    for source in sources {
      #expect(
        statements.contains { source.pattern.matches($0) || source.pattern.isPart(of: $0) },
        "no test runs \(source.description)")
    }
  }

  @Test("No statement has LIKE, which ignores case only in SQLite")
  func letterCase() throws {
    #expect(try Self.statements().filter { $0.contains(" LIKE ") } == [])
  }

  @Test("SQLite prepares every statement")
  func sqlite() throws {
    let databases = try Self.databases(in: ScratchFolder())
    let statements = try Self.statements()
    #expect(statements.count > 500)
    for statement in statements {
      var problem = ""
      let isPrepared = databases.contains { database, _ in
        do {
          try database.withLock { _ = try $0.prepare(statement) }
          return true
        } catch {
          problem = "\(error)"
          return false
        }
      }
      #expect(isPrepared, "\(problem)")
    }
  }

  @Test(
    "PostgreSQL prepares every statement",
    .enabled(if: PostgreSQL.isInstalled, "postgresql-15 is not installed"))
  func postgreSQL() throws {
    let folder = ScratchFolder()
    let postgreSQL = try #require(PostgreSQL(in: folder))
    let databases = try Self.databases(in: folder)
    // The small contents are not part of it.
    let tables = databases.prefix(2).flatMap(\.tables).map(PostgreSQL.table)
    let statements = try Self.statements().filter { !Self.isOfContents($0) }
    let script =
      tables
      + statements.enumerated().map { "PREPARE s\($0) AS " + PostgreSQL.statement($1) }
    let errors = postgreSQL.errors(of: script)
    for (index, error) in errors.sorted(by: { $0.key < $1.key }) {
      Issue.record("\(error): \(script.indices.contains(index) ? script[index] : "")")
    }
    // A wrong one is detected.
    #expect(postgreSQL.errors(of: ["PREPARE wrong AS SELECT nothing FROM apps"]).count == 1)
  }
}
