/// The operations of a database behind a ``Connection``. Each database has its own folder: SQLite.
///
/// Both protocols are internal: as long as each has one implementation, the compiler calls it directly.
/// Reading a column in a scan costs no method look-up.
protocol DatabaseDriver: AnyObject {
  /// - Parameter sql: Its parameters are `?1`, `?2`, ...; a driver translates them where its database writes
  ///   them differently.
  func prepare(_ sql: String) throws(DatabaseError) -> any DriverStatement

  /// Runs statements without parameters, one after another.
  func execute(_ script: String) throws(DatabaseError)

  /// How many rows the last statement changed.
  var changes: Int { get }
  /// The number of the row that was inserted last.
  var lastRow: Int { get }

  /// Begins a write transaction; other writers wait for it.
  func beginWriting() throws(DatabaseError)
  /// Begins a transaction whose statements all see one state of the database.
  func beginReading() throws(DatabaseError)
  func commit() throws(DatabaseError)
  /// Rolls back the transaction; does nothing where the database has ended it by itself.
  func rollBack()
  /// Whether a transaction was begun and has not ended.
  var isInTransaction: Bool { get }

  /// The program's mark and the number of the last step; see ``Migrations``.
  func schemaState() throws(DatabaseError) -> SchemaState
  func setSchema(application: Int, version: Int) throws(DatabaseError)
  /// The columns of a table, in order; empty where there is no such table.
  func columns(of table: String) throws(DatabaseError) -> [ColumnDescription]
  /// Allows rows to be inserted before the rows that they refer to. Not within a transaction.
  func stopCheckingReferences() throws(DatabaseError)

  /// A table with a row that refers to a missing row; `nil` where there is none.
  func tableWithMissingReference() throws(DatabaseError) -> String?
  func statements(of index: TextIndex) -> TextIndexStatements
  /// The value to bind as the condition of ``TextIndexStatements/find``.
  func condition(holding trigrams: [String]) -> String

  /// The damage as the database reports it; empty for a sound database.
  func integrityProblems() throws(DatabaseError) -> [String]
  /// Gives freed room back to the disk: at most so many pages.
  ///
  /// - Returns: Whether there is more.
  func releaseSpace(pages: Int) throws(DatabaseError) -> Bool
  /// Frees the memory of pages that no statement needs.
  func releaseMemory()
  /// Removes all traces of former rows from the files beside the database, where no reader needs them.
  func truncateLog() throws(DatabaseError)
}

/// One prepared statement of a driver, used by one thread at a time.
protocol DriverStatement: AnyObject {
  /// Ends the run, so that the statement can be bound and run again.
  func reset()
  func clearBindings()
  /// - Parameter index: From 1.
  func bind(_ value: SQLValue, at index: Int) throws(DatabaseError)
  /// Goes to the next row; `false` when there is none.
  func step() throws(DatabaseError) -> Bool

  /// The tables that it changes; empty unless ``Connection/Options/checksTransactions`` is set.
  var changedTables: Set<String> { get }
  /// The steps of the database's virtual machine since the last call: the work of the statement, the same on
  /// every computer.
  func takeSteps() -> Int
  var columnCount: Int { get }
  /// The name of a column, from 0: its alias after `AS`, or the column's own.
  func name(of column: Int) -> String
  func isNull(_ column: Int) -> Bool
  func isInteger(_ column: Int) -> Bool
  /// 0 for NULL.
  func integer(_ column: Int) -> Int
  /// 0 for NULL.
  func double(_ column: Int) -> Double
  /// Empty for NULL; invalid UTF-8 is replaced by U+FFFD.
  func text(_ column: Int) -> String
  /// The bytes in the driver's memory, valid until the next step; empty for NULL.
  func bytes(_ column: Int) -> UnsafeRawBufferPointer
}

/// The program that created a database, and the version of its schema.
struct SchemaState {
  let application: Int
  let version: Int
  /// Whether it has no tables at all.
  let isEmpty: Bool
}

/// A column of a table as it was declared.
public struct ColumnDescription: Sendable {
  public let name: String
  /// `INTEGER`, `TEXT` or `BLOB`.
  public let type: String
  public let isRequired: Bool
  /// Its position in the primary key, from 1; 0 outside it.
  public let keyPosition: Int
}
