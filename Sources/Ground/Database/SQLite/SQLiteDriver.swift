internal import CSQLite
internal import Files

/// A SQLite database: a file, with a write-ahead log beside it.
final class SQLiteDriver: DatabaseDriver {
  private let handle: SQLiteHandle
  private let path: String
  /// Records which tables a statement changes, where that is enabled.
  private let changedTables: ChangedTables?

  private var pointer: OpaquePointer { handle.pointer }

  /// Opens the database; creates it if it does not exist.
  init(opening path: String, _ options: Connection.Options) throws(DatabaseError) {
    self.path = path
    changedTables = options.checksTransactions ? ChangedTables() : nil
    handle = try SQLiteHandle(opening: path, LogBound(of: path, options))
    changedTables?.attach(to: handle.pointer)
    sqlite3_extended_result_codes(pointer, 1)
    sqlite3_busy_timeout(pointer, options.patience)
    try execute("PRAGMA page_size = \(options.pageSize)")
    try useWriteAheadLog(patience: options.patience)
    try execute("PRAGMA synchronous = FULL")
    try execute("PRAGMA foreign_keys = ON")
    // The database may come from elsewhere: nothing in its schema may run code.
    try execute("PRAGMA trusted_schema = OFF")
    // Deleted content is overwritten: an erased report must not be found in the pages of the file. The
    // default depends on how the library was built.
    _ = try integer("PRAGMA secure_delete = ON")
    try execute("PRAGMA temp_store = MEMORY")
    // Rows under random keys, such as digests, each touch a page: with few pages in memory and a short log, a
    // large database would read and write every page many times.
    try execute("PRAGMA cache_size = -\(options.cacheSize >> 10)")
    handle.boundLog()
    if let pages = options.maximumPages {
      _ = try integer("PRAGMA max_page_count = \(pages)")
    }
  }

  /// Opens an existing database for reading only. The file is opened for writing all the same: a read-only
  /// connection could not checkpoint the log when it is the last to be closed.
  init(reading path: String, _ options: Connection.Options) throws(DatabaseError) {
    self.path = path
    changedTables = nil
    handle = try SQLiteHandle(opening: path, LogBound(of: path, options), isNew: false)
    sqlite3_extended_result_codes(pointer, 1)
    sqlite3_busy_timeout(pointer, options.patience)
    try execute("PRAGMA trusted_schema = OFF")
    try execute("PRAGMA temp_store = MEMORY")
    try execute("PRAGMA cache_size = -\(options.cacheSize >> 10)")
    try execute("PRAGMA query_only = ON")
  }

  /// Two processes that create the same database at once race here, where SQLite does not always wait by
  /// itself.
  private func useWriteAheadLog(patience: Int32) throws(DatabaseError) {
    // Otherwise the log, which cannot be created, would be reported as one that cannot be opened.
    guard sqlite3_db_readonly(pointer, "main") != 1 else {
      throw DatabaseError(
        SQLITE_READONLY, "attempt to write a readonly database", sql: nil, path: path)
    }
    var waited: Int32 = 0
    while true {
      do throws(DatabaseError) {
        // This would write to an existing database, which opening one must not do.
        if try integer("PRAGMA page_count") == 0 {
          try execute("PRAGMA auto_vacuum = INCREMENTAL")
        }
        let mode = try text("PRAGMA journal_mode = WAL")
        guard mode == "wal" else {
          throw DatabaseError(
            SQLITE_READONLY, "journal mode \(mode ?? "unknown") instead of wal",
            sql: "PRAGMA journal_mode = WAL", path: path)
        }
        return
      } catch {
        guard error.kind == .locked, waited < patience else { throw error }
        SteadyClock.pause(seconds: 0.01)
        waited += 10
      }
    }
  }

  func prepare(_ sql: String) throws(DatabaseError) -> any DriverStatement {
    try statement(sql)
  }

  private func statement(_ sql: String) throws(DatabaseError) -> SQLiteStatement {
    var statement: OpaquePointer?
    changedTables?.names = []
    let code = sqlite3_prepare_v3(
      pointer, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else { throw error(code, sql: sql) }
    return SQLiteStatement(
      statement, sql: sql, path: path, changing: changedTables?.names ?? [])
  }

  func execute(_ script: String) throws(DatabaseError) {
    let code = sqlite3_exec(pointer, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, sql: script) }
  }

  var changes: Int { Int(sqlite3_changes64(pointer)) }
  var lastRow: Int { Int(sqlite3_last_insert_rowid(pointer)) }

  func beginWriting() throws(DatabaseError) { try execute("BEGIN IMMEDIATE") }
  func beginReading() throws(DatabaseError) { try execute("BEGIN") }
  func commit() throws(DatabaseError) { try execute("COMMIT") }

  func rollBack() {
    // After a full disk SQLite has rolled back by itself, and returns an error when asked again.
    if isInTransaction { try? execute("ROLLBACK") }
  }

  var isInTransaction: Bool { sqlite3_get_autocommit(pointer) == 0 }

  /// The first column of the first row as a number; `nil` without a row or for NULL.
  private func integer(_ sql: String) throws(DatabaseError) -> Int? {
    let rows = try statement(sql)
    return try rows.step() && !rows.isNull(0) ? rows.integer(0) : nil
  }

  private func text(_ sql: String) throws(DatabaseError) -> String? {
    let rows = try statement(sql)
    return try rows.step() && !rows.isNull(0) ? rows.text(0) : nil
  }

  private func error(_ code: Int32, sql: String?) -> DatabaseError {
    DatabaseError(
      code, String(cString: sqlite3_errmsg(pointer)), sql: sql, path: path,
      cause: sqlite3_system_errno(pointer))
  }
}

extension SQLiteDriver {
  func schemaState() throws(DatabaseError) -> SchemaState {
    SchemaState(
      application: try integer("PRAGMA application_id") ?? 0,
      version: try integer("PRAGMA user_version") ?? 0,
      isEmpty: try integer("SELECT count(*) FROM sqlite_schema") == 0)
  }

  func setSchema(application: Int, version: Int) throws(DatabaseError) {
    try execute("PRAGMA application_id = \(application)")
    try execute("PRAGMA user_version = \(version)")
  }

  func columns(of table: String) throws(DatabaseError) -> [ColumnDescription] {
    let rows = try statement(
      "SELECT name, type, \"notnull\", pk FROM pragma_table_info(?1) ORDER BY cid")
    try rows.bind(.text(table), at: 1)
    var columns: [ColumnDescription] = []
    while try rows.step() {
      columns.append(
        ColumnDescription(
          name: rows.text(0), type: rows.text(1), isRequired: rows.integer(2) != 0,
          keyPosition: rows.integer(3)))
    }
    return columns
  }

  func stopCheckingReferences() throws(DatabaseError) { try execute("PRAGMA foreign_keys = OFF") }

  func tableWithMissingReference() throws(DatabaseError) -> String? {
    try text("SELECT \"table\" FROM pragma_foreign_key_check LIMIT 1")
  }

  /// An FTS5 table with trigrams and without contents: removed text has to be passed to it.
  func statements(of index: TextIndex) -> TextIndexStatements {
    let (name, table) = (index.name, index.table)
    return TextIndexStatements(
      add: "INSERT INTO \(name) (rowid, text) VALUES (?1, ?2)",
      remove: "INSERT INTO \(name) (\(name), rowid, text) VALUES ('delete', ?1, ?2)",
      find: """
        SELECT \(table).id, \(table).text FROM \(name) JOIN \(table) ON \(table).id = \(name).rowid
        WHERE \(name) MATCH ?1 AND \(name).rowid BETWEEN ?2 AND ?3
        """)
  }

  func condition(holding trigrams: [String]) -> String {
    trigrams.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: " AND ")
  }

  func integrityProblems() throws(DatabaseError) -> [String] {
    var problems: [String] = []
    let rows = try statement("PRAGMA quick_check(10)")
    while try rows.step() { problems.append(rows.text(0)) }
    return problems == ["ok"] ? [] : problems
  }

  func releaseSpace(pages: Int) throws(DatabaseError) -> Bool {
    guard try freePages() > 0 else { return false }
    try execute("PRAGMA incremental_vacuum(\(pages))")
    return try freePages() > 0
  }

  private func freePages() throws(DatabaseError) -> Int {
    let sql = "PRAGMA freelist_count"
    guard let pages = try integer(sql) else { throw DatabaseError(missingIn: sql, path: path) }
    return pages
  }

  func releaseMemory() { sqlite3_db_release_memory(pointer) }

  func truncateLog() throws(DatabaseError) {
    // An active reader keeps the log; it is truncated the next time.
    _ = try integer("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}

/// The library's handle. A separate class, so that it is closed even when opening fails half way.
private final class SQLiteHandle {
  let pointer: OpaquePointer
  private let log: LogBound

  init(opening path: String, _ log: LogBound, isNew: Bool = true) throws(DatabaseError) {
    self.log = log
    var handle: OpaquePointer?
    // Not shared between threads, so SQLite need not lock.
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (isNew ? SQLITE_OPEN_CREATE : 0)
    let code = sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      let cause = handle.map { sqlite3_system_errno($0) } ?? 0
      sqlite3_close_v2(handle)
      throw DatabaseError(code, message, sql: nil, path: path, cause: cause)
    }
    pointer = handle
  }

  /// Replaces SQLite's own checkpointing, which ignores the free disk space.
  func boundLog() { log.attach(to: pointer) }

  // Closes at once, or as soon as the last statement is finalised.
  deinit {
    sqlite3_wal_hook(pointer, nil, nil)
    sqlite3_close_v2(pointer)
  }
}
