/// One prepared statement; given back to its connection when it goes out of scope, on every path.
///
/// Columns are read by name, see `Statement+Names.swift`, or by position, counted from 0. Reading a number
/// from text or text from a number converts it.
public struct Statement: ~Copyable {
  private let prepared: PreparedStatement
  private var driver: any DriverStatement { prepared.driver }
  private let entry: StatementEntry

  init(_ prepared: PreparedStatement, of entry: StatementEntry) {
    self.prepared = prepared
    self.entry = entry
  }

  /// Binds all parameters, the first to `?1`.
  ///
  /// - Throws: ``DatabaseError`` when there is no such parameter or memory is short.
  public borrowing func bind(_ values: [any SQLBindable]) throws(DatabaseError) {
    driver.reset()
    for (index, value) in values.enumerated() { try driver.bind(value.sqlValue, at: index + 1) }
  }

  /// - Parameter index: From 1.
  borrowing func bind(_ value: SQLValue, at index: Int) throws(DatabaseError) {
    try driver.bind(value, at: index)
  }

  /// Ends the run, so that other values can be bound.
  borrowing func reset() { driver.reset() }

  /// Goes to the next row; `false` when there is none.
  ///
  /// - Throws: ``DatabaseError`` when the statement fails.
  public borrowing func step() throws(DatabaseError) -> Bool { try driver.step() }

  /// The first column of the first row as a number; `nil` without a row or for NULL.
  ///
  /// - Throws: ``DatabaseError`` when the statement fails.
  public var first: Int? {
    get throws(DatabaseError) { try step() ? optionalInt(0) : nil }
  }

  public borrowing func isNull(_ column: Int) -> Bool { driver.isNull(column) }

  public borrowing func isInteger(_ column: Int) -> Bool { driver.isInteger(column) }

  /// 0 for NULL.
  public borrowing func int(_ column: Int) -> Int { driver.integer(column) }

  /// A number of things or bytes, 0 for NULL: a row that was changed may hold any number, and sums of
  /// these must stay numbers. So what is below 0 is 0, and what is above 2^48 is that.
  public borrowing func count(_ column: Int) -> Int { min(max(int(column), 0), 1 << 48) }

  /// A day, counted from 1970: what a row that was changed names beyond the years 0 to 9999 is the first or
  /// the last of their days.
  public borrowing func day(_ column: Int) -> Int { min(max(int(column), -719_528), 2_932_896) }

  public borrowing func optionalInt(_ column: Int) -> Int? {
    isNull(column) ? nil : int(column)
  }

  /// 0 for NULL.
  public borrowing func double(_ column: Int) -> Double { driver.double(column) }

  /// Empty for NULL; invalid UTF-8 is replaced by U+FFFD.
  public borrowing func text(_ column: Int) -> String { driver.text(column) }

  public borrowing func optionalText(_ column: Int) -> String? {
    isNull(column) ? nil : text(column)
  }

  /// The bytes where the driver has them, without a copy; none for NULL.
  public borrowing func withBlob<Result>(
    _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try body(driver.bytes(column))
  }

  /// Empty for NULL.
  public borrowing func blob(_ column: Int) -> [UInt8] { Array(driver.bytes(column)) }

  /// The position of the column of this name. Loops over many rows find it once, before the first.
  ///
  /// - Throws: ``DatabaseError`` when there is none, with its name and the statement: a mistake in the
  ///   program, which costs the question and not the process.
  public borrowing func column(_ name: StaticString) throws(DatabaseError) -> Int {
    guard let column = prepared.columns[name] else {
      throw DatabaseError(missingColumn: String(describing: name), sql: entry.sql, path: entry.path)
    }
    return column
  }

  deinit { entry.giveBack(prepared) }
}
