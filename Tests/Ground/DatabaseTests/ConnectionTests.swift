import Glibc
import Database
import Synchronization
import TestSupport
import Testing

@Suite struct ConnectionTests {
  let folder = ScratchFolder()
  private var path: String { folder.path("test.db") }

  private func open(_ options: Connection.Options = .init()) throws -> Connection {
    let connection = try Connection(opening: path, options: options)
    try connection.execute("CREATE TABLE IF NOT EXISTS t (a, b)")
    return connection
  }

  @Test("Values are read as they were written")
  func values() throws {
    let connection = try open()
    let blob: [UInt8] = [0, 255, 7]
    try connection.run("INSERT INTO t VALUES (?1, ?2)", Int64.max, "na\u{0}ïve")
    try connection.run("INSERT INTO t VALUES (?1, ?2)", blob, 1.5)
    try connection.run("INSERT INTO t VALUES (?1, ?2)", nil as Int?, "")
    try connection.run("INSERT INTO t VALUES (?1, ?2)", [UInt8](), true)
    let rows = try connection.prepare("SELECT a, b FROM t ORDER BY rowid")
    #expect(try rows.step())
    #expect(rows.int(0) == Int(Int64.max) && rows.text(1) == "na\u{0}ïve")
    #expect(try rows.step())
    #expect(rows.blob(0) == blob && rows.double(1) == 1.5)
    #expect(try rows.step())
    #expect(rows.isNull(0) && rows.optionalInt(0) == nil && rows.optionalText(1) == "")
    #expect(try rows.step())
    #expect(!rows.isNull(0) && rows.blob(0).isEmpty && rows.int(1) == 1)
    #expect(try !rows.step())
  }

  @Test("An error names the file, the message and the SQL")
  func errors() throws {
    let connection = try open()
    let error = #expect(throws: DatabaseError.self) { try connection.run("SELECT x FROM t") }
    #expect(error?.description == "\(path): no such column: x, in: SELECT x FROM t")
    #expect(throws: DatabaseError.self) { try connection.run("SELECT ?1", 1, 2) }
  }

  @Test("A transaction that throws changes nothing")
  func rollback() throws {
    let connection = try open()
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try connection.transaction { connection in
        try connection.run("INSERT INTO t VALUES (1, 2)")
        throw Failure()
      }
    }
    #expect(try connection.integer("SELECT count(*) FROM t") == 0)
    try connection.transaction { try $0.run("INSERT INTO t VALUES (1, 2)") }
    #expect(try connection.integer("SELECT count(*) FROM t") == 1)
  }

  @Test("A checked transaction is run, undone and run again, and its tables are known")
  func checkedTransaction() throws {
    var options = Connection.Options()
    options.checksTransactions = true
    let connection = try Connection(opening: folder.path("checked.db"), options: options)
    try connection.execute("CREATE TABLE a (x INTEGER); CREATE TABLE b (x INTEGER)")
    var runs = 0
    var undone = 0
    for _ in 0..<2 {
      try connection.transaction(undone: { undone += 1 }) { database in
        runs += 1
        try database.run("INSERT INTO a VALUES (?1)", runs)
        #expect(try database.integer("SELECT count(*) FROM b") == 0)
        #expect(database.changedTables == ["a"])
      }
    }
    #expect(runs == 4 && undone == 2)
    // Only the second run of each pair stays.
    #expect(try connection.integer("SELECT count(*) FROM a WHERE x IN (2, 4)") == 2)
    #expect(try connection.integer("SELECT count(*) FROM a") == 2)
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try connection.transaction { database in
        try database.run("INSERT INTO b VALUES (1)")
        throw Failure()
      }
    }
    #expect(try connection.integer("SELECT count(*) FROM b") == 0)
  }

  @Test("What was committed is synced")
  func durability() throws {
    let connection = try open()
    #expect(try connection.text("PRAGMA journal_mode") == "wal")
    #expect(try connection.integer("PRAGMA synchronous") == 2)
    #expect(try connection.integer("PRAGMA foreign_keys") == 1)
  }

  @Test("A full disk is an error that says so, and rolls back the transaction")
  func full() throws {
    var options = Connection.Options()
    options.maximumPages = 20
    let connection = try open(options)
    let error = #expect(throws: DatabaseError.self) {
      try connection.transaction { connection in
        for _ in 0..<100 {
          try connection.run("INSERT INTO t VALUES (?1, NULL)", [UInt8](repeating: 7, count: 4000))
        }
      }
    }
    #expect(error?.kind == .full)
    #expect(error?.description.contains("no room left (database or disk is full)") == true)
    #expect(try connection.integer("SELECT count(*) FROM t") == 0)
    try connection.run("INSERT INTO t VALUES (1, 1)")
  }

  private var logSize: Int64 {
    var status = stat()
    return stat(path + "-wal", &status) == 0 ? Int64(status.st_size) : -1
  }

  @Test(
    "Where the disk has little left, the log beside a database stays short; else it is kept",
    arguments: [UInt64(4) << 20, .max])
  func shortLog(free: UInt64) throws {
    var options = Connection.Options()
    options.free = { _ in free }
    let connection = try open(options)
    let reader = try open()
    for number in 0..<60 {
      try connection.transaction { connection in
        for _ in 0..<10 {
          try connection.run(
            "INSERT INTO t VALUES (?1, ?2)", number, [UInt8](repeating: 7, count: 4000))
        }
      }
    }
    #expect(free == .max ? logSize > 2 << 20 : logSize < 600 << 10)
    #expect(try reader.integer("SELECT count(*) FROM t") == 600)
  }

  @Test("A log with readers is truncated when they are done; commits do not wait for that")
  func logInUse() throws {
    var options = Connection.Options()
    options.free = { _ in 1 << 20 }
    let connection = try open(options)
    let reader = try open()
    let bytes = [UInt8](repeating: 7, count: 900 << 10)
    try reader.snapshot { reader in
      #expect(try reader.integer("SELECT count(*) FROM t") == 0)
      try connection.run("INSERT INTO t VALUES (1, ?1)", bytes)
      #expect(logSize > 900 << 10)
      #expect(try reader.integer("SELECT count(*) FROM t") == 0)
    }
    try connection.run("INSERT INTO t VALUES (2, 0)")
    #expect(logSize == 0)
    #expect(try reader.integer("SELECT count(*) FROM t") == 2)
  }

  @Test("A locked database is waited for, then named as locked")
  func locked() throws {
    let first = try open()
    var options = Connection.Options()
    options.patience = 50
    let second = try open(options)
    try first.transaction { _ in
      let error = #expect(throws: DatabaseError.self) {
        try second.transaction { try $0.run("INSERT INTO t VALUES (1, 1)") }
      }
      #expect(error?.kind == .locked)
      // Readers do not wait.
      let count = try second.integer("SELECT count(*) FROM t")
      #expect(count == 0)
    }
  }

  @Test("Text, a folder and a damaged file are not databases")
  func otherFiles() throws {
    folder.write("text", String(repeating: "no database ", count: 100).utf8)
    #expect(
      #expect(throws: DatabaseError.self) { _ = try Connection(opening: folder.path("text")) }?
        .kind == .corrupt)
    #expect(
      #expect(throws: DatabaseError.self) { _ = try Connection(opening: folder.path) }?.kind
        == .cannotOpen)
    #expect(
      #expect(throws: DatabaseError.self) { _ = try Connection(opening: "/nowhere/x.db") }?
        .kind == .cannotOpen)
  }

  @Test("Threads with a connection each write side by side")
  func sideBySide() throws {
    do { _ = try open() }
    let failures = Mutex<[String]>([])
    let path = path
    runThreads(4) {
      do {
        let connection = try Connection(opening: path)
        for index in 0..<50 {
          try connection.transaction { try $0.run("INSERT INTO t VALUES (?1, 0)", index) }
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try open().integer("SELECT count(*) FROM t") == 200)
  }
}
