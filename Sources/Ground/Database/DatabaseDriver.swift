/// What a database does for a ``Connection``. There is a folder for each: SQLite.
///
/// Both protocols are internal: as long as each has one implementation, the compiler calls that one
/// directly. A column that is read in a scan costs no look-up of a method.
protocol DatabaseDriver: AnyObject {
  /// - Parameter sql: With its parameters as `?1`, `?2`, ...; a driver translates them where its database
  ///   writes them in another way.
  func prepare(_ sql: String) throws(DatabaseError) -> any DriverStatement

  /// Runs statements without parameters, one after the other.
  func execute(_ script: String) throws(DatabaseError)

  /// How many rows the last statement changed.
  var changes: Int { get }
  /// The number of the row that was inserted last.
  var lastRow: Int { get }

  /// Begins a transaction with the right to write, which others then wait for.
  func beginWriting() throws(DatabaseError)
  /// Begins a transaction whose statements all see the database as of one moment.
  func beginReading() throws(DatabaseError)
  func commit() throws(DatabaseError)
  /// Undoes the transaction; nothing where the database has ended it by itself.
  func rollBack()
  /// Whether a transaction was begun and has not ended.
  var isInTransaction: Bool { get }

  /// The program's mark and the number of the last step; see ``Migrations``.
  func schemaState() throws(DatabaseError) -> SchemaState
  func setSchema(application: Int, version: Int) throws(DatabaseError)
  /// The columns of a table, in their order; empty where there is no such table.
  func columns(of table: String) throws(DatabaseError) -> [ColumnDescription]
  /// Lets rows come before those that they refer to. Not within a transaction.
  func stopCheckingReferences() throws(DatabaseError)

  /// A table with a row that refers to a missing row; `nil` where there is none.
  func tableWithMissingReference() throws(DatabaseError) -> String?
  func statements(of index: TextIndex) -> TextIndexStatements
  /// The value to bind as the condition of ``TextIndexStatements/find``.
  func condition(holding trigrams: [String]) -> String

  /// The damage, in the database's words; empty for a sound database.
  func integrityProblems() throws(DatabaseError) -> [String]
  /// Whether freed room can be given back a step at a time.
  func canReleaseSpace() throws(DatabaseError) -> Bool
  /// Writes the database anew, without freed room, so that later room can be given back in steps.
  func rewrite() throws(DatabaseError)
  /// Gives freed room back to the disk: at most so many pages.
  ///
  /// - Returns: Whether there is more.
  func releaseSpace(pages: Int) throws(DatabaseError) -> Bool
  /// Gives the memory of pages that no statement needs back.
  func releaseMemory()
  /// Leaves no trace of former rows in the files beside the database, where no reader needs them.
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

  /// The tables that it changes, where ``Connection/Options/checksTransactions`` is set; else none.
  var changedTables: Set<String> { get }
  /// The steps of the database's machine since the last call: the work that the statement was, the same on
  /// every computer.
  func takeSteps() -> Int
  var columnCount: Int { get }
  /// The name of a column, from 0: what stands after `AS`, or the column's own.
  func name(of column: Int) -> String
  func isNull(_ column: Int) -> Bool
  func isInteger(_ column: Int) -> Bool
  /// 0 for NULL.
  func integer(_ column: Int) -> Int
  /// 0 for NULL.
  func double(_ column: Int) -> Double
  /// Empty for NULL; invalid UTF-8 is replaced by U+FFFD.
  func text(_ column: Int) -> String
  /// The bytes where the driver has them, until the next step; empty for NULL.
  func bytes(_ column: Int) -> UnsafeRawBufferPointer
}

/// Who made a database, and with which schema.
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
