/// One connection to a database: a file that SQLite reads and writes; closed when it goes out of scope.
///
/// It is used by one thread at a time; more of them, in one process or in several, work on the same
/// file side by side: readers never wait, writers wait for one another.
public struct Connection: ~Copyable {
  let driver: any DatabaseDriver
  private let cache = StatementCache()
  /// The path as it was given.
  public let path: String
  private let checksTransactions: Bool

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
    /// Whether each transaction is run, undone and run again, and its tables are noted: tests find in
    /// this way a transaction that cannot be repeated.
    package var checksTransactions = false
    /// Whether the work of each statement is counted; see ``Connection/statementCosts``.
    package var countsWork = false
    /// How many bytes are free on the disk of a path.
    public var free: Free = LogBound.freeOnDisk

    public init() {}
  }

  public typealias Free = @Sendable (_ path: String) -> UInt64

  /// Opens the database, and makes it when it is not there.
  ///
  /// A transaction that was committed is on the disk: the write-ahead log is synced each time.
  ///
  /// - Throws: ``DatabaseError`` when the file cannot be opened or is not a database.
  public init(opening path: String, options: Options = Options()) throws(DatabaseError) {
    driver = try SQLiteDriver(opening: path, options)
    self.path = path
    checksTransactions = options.checksTransactions
    if options.countsWork { cache.costs = [:] }
  }

  /// Opens a database that is there for reading only; see ``ReaderPool``.
  ///
  /// - Throws: ``DatabaseError`` when the file cannot be opened or is not a database.
  init(reading path: String, options: Options) throws(DatabaseError) {
    driver = try SQLiteDriver(reading: path, options)
    self.path = path
    checksTransactions = false
  }

  /// A prepared statement with its parameters bound.
  ///
  /// - Throws: ``DatabaseError`` with the SQL that the database refused.
  public borrowing func prepare(
    _ sql: String, _ values: [any SQLBindable] = []
  ) throws(DatabaseError) -> Statement {
    let prepared: PreparedStatement
    if let idle = cache.take(sql) {
      prepared = idle
    } else {
      prepared = PreparedStatement(try driver.prepare(sql))
      #if DEBUG
        StatementRecorder.note(sql)
      #endif
    }
    if checksTransactions { cache.changedTables.formUnion(prepared.driver.changedTables) }
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
    try driver.execute(script)
  }

  /// How many rows the last statement changed.
  public var changes: Int { driver.changes }

  /// The number of the row that was inserted last.
  public var lastRow: Int { driver.lastRow }

  /// The tables that statements of the transaction change, where
  /// ``Options/checksTransactions`` is set; else none.
  package var changedTables: Set<String> { cache.changedTables }

  /// What each statement has cost since the connection was opened, by its SQL, where
  /// ``Options/countsWork`` is set; else none.
  package var statementCosts: [String: StatementCost] { cache.costs ?? [:] }

  /// Runs `body` as a whole or not at all.
  ///
  /// `body` may run more than once: a database to which several write at once may refuse what was done
  /// and have it done again. So it changes nothing but the database, sets what it captures at its
  /// start, and depends on nothing that an earlier run left.
  ///
  /// The right to write is taken at the start, so that two processes never find out half way that
  /// one of them has to begin again.
  ///
  /// - Parameter undone: Called when a run was undone, to forget what was learned in it.
  /// - Throws: What `body` throws, after everything it did was undone; ``DatabaseError`` when the
  ///   transaction cannot begin or end.
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

  /// Runs `body` and undoes it.
  private borrowing func rehearse<Result>(
    _ undone: () -> Void, _ body: (borrowing Connection) throws -> Result
  ) throws {
    cache.changedTables = []
    try driver.beginWriting()
    defer {
      driver.rollBack()
      undone()
    }
    _ = try body(self)
  }

  /// Runs `body` so that all it reads is of one moment.
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
