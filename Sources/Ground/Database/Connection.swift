/// One connection to a database: a file that SQLite reads and writes; closed when it goes out of scope.
///
/// It is used by one thread at a time; several connections, in one process or in several, work on the same
/// file concurrently: readers never wait, writers wait for one another.
public struct Connection: ~Copyable {
  let driver: any DatabaseDriver
  let state: ConnectionState
  /// The path as it was given.
  public let path: String
  private let checksTransactions: Bool

  /// How a database is opened.
  public struct Options: Sendable {
    /// Milliseconds to wait for another process's transaction.
    public var patience: Int32 = 30_000
    /// The most pages the file may grow to, 4 KiB each; `nil` for what SQLite and the disk allow.
    public var maximumPages: Int?
    /// The page size in bytes, for a new database.
    public var pageSize = 4_096
    /// The most bytes of pages cached in memory.
    public var cacheSize = 128 << 20
    /// Pages after which the write-ahead log is checkpointed; sooner where little disk space is left.
    public var logPages = 16_384
    /// Whether each transaction is run, rolled back and run again, and its tables are recorded: in this way
    /// tests find transactions that cannot be repeated.
    package var checksTransactions = false
    /// Whether the work of each statement is counted; see ``Connection/statementCosts``.
    package var countsWork = false
    /// Returns the free bytes on the disk that holds a path.
    public var free: Free = LogBound.freeOnDisk

    public init() {}
  }

  public typealias Free = @Sendable (_ path: String) -> UInt64

  /// Opens the database; creates it if it does not exist.
  ///
  /// A committed transaction is on the disk: the write-ahead log is synced each time.
  ///
  /// - Throws: ``DatabaseError`` when the file cannot be opened or is not a database.
  public init(opening path: String, options: Options = Options()) throws(DatabaseError) {
    driver = try SQLiteDriver(opening: path, options)
    self.path = path
    checksTransactions = options.checksTransactions
    state = ConnectionState(path: path, countsWork: options.countsWork)
  }

  /// Opens an existing database for reading only; see ``ReaderPool``.
  ///
  /// - Throws: ``DatabaseError`` when the file cannot be opened or is not a database.
  init(reading path: String, options: Options) throws(DatabaseError) {
    driver = try SQLiteDriver(reading: path, options)
    self.path = path
    checksTransactions = false
    state = ConnectionState(path: path, countsWork: options.countsWork)
  }

  /// A prepared statement with its parameters bound.
  ///
  /// - Throws: ``DatabaseError`` with the SQL that the database refused.
  public borrowing func prepare(
    _ sql: String, _ values: [any SQLBindable] = []
  ) throws(DatabaseError) -> Statement {
    let statement = try take(sql)
    var index = 1
    for value in values {
      try statement.bind(value.sqlValue, at: index)
      index += 1
    }
    return statement
  }

  /// A prepared statement without values.
  borrowing func take(_ sql: String) throws(DatabaseError) -> Statement {
    let entry = state.statements.entry(for: sql)
    let prepared: PreparedStatement
    if let idle = entry.take() {
      prepared = idle
    } else {
      prepared = PreparedStatement(try driver.prepare(sql))
      #if DEBUG
        StatementRecorder.note(sql)
      #endif
    }
    if checksTransactions { state.changedTables.formUnion(prepared.driver.changedTables) }
    return Statement(prepared, of: entry)
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

  /// The first column of the first row as a number, where there must be one: a count, or a row that another
  /// row refers to.
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

  /// Runs statements without parameters, one after another.
  ///
  /// - Throws: ``DatabaseError`` for the first that fails.
  public borrowing func execute(_ script: String) throws(DatabaseError) {
    try driver.execute(script)
  }

  /// How many rows the last statement changed.
  public var changes: Int { driver.changes }

  /// The number of the row that was inserted last.
  public var lastRow: Int { driver.lastRow }

  /// The tables changed by statements of the transaction; empty unless ``Options/checksTransactions`` is set.
  package var changedTables: Set<String> { state.changedTables }

  /// The cost of each statement since the connection was opened, by its SQL; empty unless
  /// ``Options/countsWork`` is set.
  package var statementCosts: [String: StatementCost] { state.costs?.all ?? [:] }

  /// Runs `body` atomically.
  ///
  /// `body` may run more than once: a database with several concurrent writers may reject a transaction,
  /// which is then repeated. So it must change nothing but the database, set the variables that it captures
  /// at its start, and depend on nothing left by an earlier run.
  ///
  /// The write lock is taken at the start, so that two processes never find out half way that one of them has
  /// to start over.
  ///
  /// - Parameter undone: Called when a run was rolled back, to discard what was learned in it.
  /// - Throws: What `body` throws, after a rollback; ``DatabaseError`` when the transaction cannot begin or
  ///   end.
  public borrowing func transaction<Result>(
    undone: () -> Void = {}, _ body: (borrowing Connection) throws -> Result
  ) throws -> Result {
    if checksTransactions { try rehearse(undone, body) }
    try driver.beginWriting()
    do {
      let result = try body(self)
      try driver.commit()
      return result
    } catch {
      driver.rollBack()
      undone()
      throw error
    }
  }

  /// Runs `body` and rolls it back.
  private borrowing func rehearse<Result>(
    _ undone: () -> Void, _ body: (borrowing Connection) throws -> Result
  ) throws {
    state.changedTables = []
    try driver.beginWriting()
    defer {
      driver.rollBack()
      undone()
    }
    _ = try body(self)
  }

  /// Runs `body` so that all its reads see one state of the database.
  ///
  /// - Throws: What `body` throws.
  public borrowing func snapshot<Result>(
    _ body: (borrowing Connection) throws -> Result
  ) throws -> Result {
    try driver.beginReading()
    defer { if driver.isInTransaction { try? driver.commit() } }
    return try body(self)
  }
}
