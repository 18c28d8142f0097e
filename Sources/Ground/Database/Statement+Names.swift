/// Columns by name: the column's own name, or its alias after `AS`.
///
/// All throw ``DatabaseError`` when the statement has no column of that name.
extension Statement {
  public borrowing func isNull(_ name: StaticString) throws(DatabaseError) -> Bool {
    try isNull(column(name))
  }

  public borrowing func isInteger(_ name: StaticString) throws(DatabaseError) -> Bool {
    try isInteger(column(name))
  }

  /// 0 for NULL.
  public borrowing func int(_ name: StaticString) throws(DatabaseError) -> Int {
    try int(column(name))
  }

  /// 0 for NULL; see ``Statement/count(_:)-(Int)``.
  public borrowing func count(_ name: StaticString) throws(DatabaseError) -> Int {
    try count(column(name))
  }

  public borrowing func day(_ name: StaticString) throws(DatabaseError) -> Int {
    try day(column(name))
  }

  public borrowing func optionalInt(_ name: StaticString) throws(DatabaseError) -> Int? {
    try optionalInt(column(name))
  }

  /// Whether a number is not 0; `false` for NULL.
  public borrowing func bool(_ name: StaticString) throws(DatabaseError) -> Bool {
    try int(column(name)) != 0
  }

  /// 0 for NULL.
  public borrowing func double(_ name: StaticString) throws(DatabaseError) -> Double {
    try double(column(name))
  }

  /// Empty for NULL; invalid UTF-8 is replaced by U+FFFD.
  public borrowing func text(_ name: StaticString) throws(DatabaseError) -> String {
    try text(column(name))
  }

  public borrowing func optionalText(_ name: StaticString) throws(DatabaseError) -> String? {
    try optionalText(column(name))
  }

  /// Empty for NULL.
  public borrowing func blob(_ name: StaticString) throws(DatabaseError) -> [UInt8] {
    try blob(column(name))
  }

  public borrowing func optionalBlob(_ name: StaticString) throws(DatabaseError) -> [UInt8]? {
    let column = try column(name)
    return isNull(column) ? nil : blob(column)
  }

  /// The number of a row of the table that `Row` represents. 0, which no row has, for NULL.
  public borrowing func id<Row>(
    _ name: StaticString, of table: Row.Type = Row.self
  ) throws(DatabaseError) -> RowID<Row> {
    RowID(try int(name))
  }

  public borrowing func optionalID<Row>(
    _ name: StaticString, of table: Row.Type = Row.self
  ) throws(DatabaseError) -> RowID<Row>? {
    try optionalInt(column(name)).map { RowID($0) }
  }

  /// Passes the bytes in the driver's memory, without a copy; none for NULL.
  public borrowing func withBlob<Result>(
    _ name: StaticString, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    try withBlob(column(name), body)
  }
}
