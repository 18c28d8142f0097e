internal import Files
internal import CSQLite
internal import Glibc

/// One connection to a database file; closed when it goes out of scope.
///
/// It is used by one thread at a time; more of them, in one process or in several, work on the same
/// file side by side: readers never wait, writers wait for one another.
public struct Connection: ~Copyable {
  private let database: DatabaseHandle
  private let cache: StatementCache
  private var handle: OpaquePointer { database.pointer }
  /// The path as it was given.
  public let path: String

  /// How a database is opened.
  public struct Options: Sendable {
    /// Milliseconds to wait for another process's transaction.
    public var patience: Int32 = 30_000
    /// The most pages the file may grow to, 4 KiB each; `nil` for what SQLite and the disk allow.
    public var maximumPages: Int?
    /// Bytes of a page, of a new database.
    public var pageSize = 4_096
    /// The most bytes of pages that are kept in memory.
    public var cacheSize = 128 << 20
    /// Pages after which the write-ahead log is brought into the database; sooner where the disk has
    /// little left.
    public var logPages = 16_384
    /// How many bytes are free on the disk of a path.
    public var free: Free = LogBound.freeOnDisk

    public init() {}
  }

  public typealias Free = @Sendable (_ path: String) -> UInt64

  /// Opens the database, and makes it when it is not there.
  ///
  /// A transaction that was committed is on the disk: the write-ahead log is synced each time.
  ///
  /// - Throws: ``DatabaseError`` when the file cannot be opened or is no database.
  public init(opening path: String, options: Options = Options()) throws(DatabaseError) {
    self = try Self.prepared(path, options)
  }

  private init(database: DatabaseHandle, path: String) {
    self.database = database
    cache = StatementCache()
    self.path = path
  }

  private static func prepared(
    _ path: String, _ options: Options
  ) throws(DatabaseError) -> Connection {
    let connection = Connection(
      database: try DatabaseHandle(opening: path, LogBound(of: path, options)), path: path)
    sqlite3_extended_result_codes(connection.handle, 1)
    sqlite3_busy_timeout(connection.handle, options.patience)
    try connection.execute("PRAGMA page_size = \(options.pageSize)")
    try connection.useWriteAheadLog(patience: options.patience)
    try connection.execute("PRAGMA synchronous = FULL")
    try connection.execute("PRAGMA foreign_keys = ON")
    // The database may come from elsewhere: nothing in its schema runs code.
    try connection.execute("PRAGMA trusted_schema = OFF")
    // What is deleted is overwritten: an erased report must not be found in the pages of the file. How
    // the library was built must not decide it.
    _ = try connection.integer("PRAGMA secure_delete = ON")
    try connection.execute("PRAGMA temp_store = MEMORY")
    // Rows under random keys, such as digests, touch a page each: with few pages in memory and a short
    // log, a large database would read and write every one of them many times.
    try connection.execute("PRAGMA cache_size = -\(options.cacheSize >> 10)")
    connection.database.boundLog()
    if let pages = options.maximumPages {
      _ = try connection.integer("PRAGMA max_page_count = \(pages)")
    }
    return connection
  }

  /// Two processes that make the same database at once meet here, where SQLite does not wait by
  /// itself in every case.
  private borrowing func useWriteAheadLog(patience: Int32) throws(DatabaseError) {
    // Else the log, which cannot be made, is called one that cannot be opened.
    guard sqlite3_db_readonly(handle, "main") != 1 else {
      throw DatabaseError(
        SQLITE_READONLY, "attempt to write a readonly database", sql: nil, path: path)
    }
    var waited: Int32 = 0
    while true {
      do throws(DatabaseError) {
        // It writes to a database that is there already, which opening one must not do.
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

  /// A prepared statement with its parameters bound.
  ///
  /// - Throws: ``DatabaseError`` with the SQL that SQLite refused.
  public borrowing func prepare(
    _ sql: String, _ values: [any SQLBindable] = []
  ) throws(DatabaseError) -> Statement {
    let prepared: PreparedStatement
    if let idle = cache.take(sql) {
      prepared = idle
    } else {
      var new: OpaquePointer?
      let code = sqlite3_prepare_v3(
        handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &new, nil)
      guard code == SQLITE_OK, let new else { throw error(code, sql: sql) }
      prepared = PreparedStatement(new)
    }
    let statement = Statement(prepared, sql: sql, path: path, cache: cache)
    try statement.bind(values)
    return statement
  }

  /// Runs a statement whose rows do not matter.
  ///
  /// - Throws: ``DatabaseError`` when it fails.
  public borrowing func run(
    _ sql: String, _ values: any SQLBindable...
  ) throws(DatabaseError) {
    let statement = try prepare(sql, values)
    while try statement.step() {}
  }

  /// The first column of the first row as a number; `nil` without a row or for NULL.
  ///
  /// - Throws: ``DatabaseError`` when the statement fails.
  public borrowing func integer(
    _ sql: String, _ values: any SQLBindable...
  ) throws(DatabaseError) -> Int? {
    let statement = try prepare(sql, values)
    return try statement.step() ? statement.optionalInt(0) : nil
  }

  /// The first column of the first row as a number, where there must be one: a count, a row that another
  /// row names.
  ///
  /// - Throws: ``DatabaseError``, of kind ``DatabaseError/Kind/corrupt`` without a row or for NULL.
  public borrowing func requiredInteger(
    _ sql: String, _ values: any SQLBindable...
  ) throws(DatabaseError) -> Int {
    let statement = try prepare(sql, values)
    guard let number = try statement.first else { throw DatabaseError(missingIn: sql, path: path) }
    return number
  }

  /// The first column of the first row as text, where there must be one.
  ///
  /// - Throws: ``DatabaseError``, of kind ``DatabaseError/Kind/corrupt`` without a row or for NULL.
  public borrowing func requiredText(
    _ sql: String, _ values: any SQLBindable...
  ) throws(DatabaseError) -> String {
    let statement = try prepare(sql, values)
    guard try statement.step(), let text = statement.optionalText(0) else {
      throw DatabaseError(missingIn: sql, path: path)
    }
    return text
  }

  /// The first column of the first row as text; `nil` without a row or for NULL.
  ///
  /// - Throws: ``DatabaseError`` when the statement fails.
  public borrowing func text(
    _ sql: String, _ values: any SQLBindable...
  ) throws(DatabaseError) -> String? {
    let statement = try prepare(sql, values)
    return try statement.step() ? statement.optionalText(0) : nil
  }

  /// Runs statements without parameters, one after the other.
  ///
  /// - Throws: ``DatabaseError`` for the first that fails.
  public borrowing func execute(_ script: String) throws(DatabaseError) {
    let code = sqlite3_exec(handle, script, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, sql: script) }
  }

  /// How many rows the last statement changed.
  public var changes: Int { Int(sqlite3_changes64(handle)) }

  /// The number of the row that was inserted last.
  public var lastRow: Int { Int(sqlite3_last_insert_rowid(handle)) }

  /// Runs `body` as a whole or not at all.
  ///
  /// The right to write is taken at the start, so that two processes never find out half way that
  /// one of them has to begin again.
  ///
  /// - Throws: What `body` throws, after everything it did was undone; ``DatabaseError`` when the
  ///   transaction cannot begin or end.
  public borrowing func transaction<Result>(
    _ body: (borrowing Connection) throws -> Result
  ) throws -> Result {
    try execute("BEGIN IMMEDIATE")
    do {
      let result = try body(self)
      try execute("COMMIT")
      return result
    } catch {
      // After a full disk SQLite has undone it by itself, and says so when asked again.
      if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// Runs `body` so that all it reads is of one moment.
  ///
  /// - Throws: What `body` throws.
  public borrowing func snapshot<Result>(
    _ body: (borrowing Connection) throws -> Result
  ) throws -> Result {
    try execute("BEGIN")
    defer { if sqlite3_get_autocommit(handle) == 0 { try? execute("COMMIT") } }
    return try body(self)
  }

  private borrowing func error(_ code: Int32, sql: String?) -> DatabaseError {
    DatabaseError(
      code, String(cString: sqlite3_errmsg(handle)), sql: sql, path: path,
      cause: sqlite3_system_errno(handle))
  }
}

/// The library's handle. A class of its own, so that it is closed too when opening fails half way.
private final class DatabaseHandle {
  let pointer: OpaquePointer
  private let log: LogBound

  init(opening path: String, _ log: LogBound) throws(DatabaseError) {
    self.log = log
    var handle: OpaquePointer?
    // Not shared between threads, so that SQLite need not lock.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      let cause = handle.map { sqlite3_system_errno($0) } ?? 0
      sqlite3_close_v2(handle)
      throw DatabaseError(code, message, sql: nil, path: path, cause: cause)
    }
    pointer = handle
  }

  /// In the place of SQLite's own bound, which knows nothing of the disk.
  func boundLog() { log.attach(to: pointer) }

  // Closes at once, or as soon as the last statement is finalised.
  deinit {
    sqlite3_wal_hook(pointer, nil, nil)
    sqlite3_close_v2(pointer)
  }
}
