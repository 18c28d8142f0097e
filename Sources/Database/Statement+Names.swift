/// Columns by name: of a column of a table its own name, else the one after `AS`.
extension Statement {
  public borrowing func isNull(_ name: StaticString) -> Bool { isNull(column(name)) }

  public borrowing func isInteger(_ name: StaticString) -> Bool { isInteger(column(name)) }

  /// 0 for NULL.
  public borrowing func int(_ name: StaticString) -> Int { int(column(name)) }

  /// 0 for NULL; see ``Statement/count(_:)-(Int)``.
  public borrowing func count(_ name: StaticString) -> Int { count(column(name)) }

  public borrowing func day(_ name: StaticString) -> Int { day(column(name)) }

  public borrowing func optionalInt(_ name: StaticString) -> Int? { optionalInt(column(name)) }

  /// Whether a number is not 0; `false` for NULL.
  public borrowing func bool(_ name: StaticString) -> Bool { int(column(name)) != 0 }

  public borrowing func optionalBool(_ name: StaticString) -> Bool? {
    optionalInt(column(name)).map { $0 != 0 }
  }

  /// 0 for NULL.
  public borrowing func double(_ name: StaticString) -> Double { double(column(name)) }

  /// Empty for NULL; invalid UTF-8 is replaced by U+FFFD.
  public borrowing func text(_ name: StaticString) -> String { text(column(name)) }

  public borrowing func optionalText(_ name: StaticString) -> String? { optionalText(column(name)) }

  /// Empty for NULL.
  public borrowing func blob(_ name: StaticString) -> [UInt8] { blob(column(name)) }

  public borrowing func optionalBlob(_ name: StaticString) -> [UInt8]? {
    let column = column(name)
    return isNull(column) ? nil : blob(column)
  }

  /// The number of a row of the table that `Row` stands for. 0, which no row has, for NULL.
  public borrowing func id<Row>(_ name: StaticString, of table: Row.Type = Row.self) -> RowID<Row> {
    RowID(int(column(name)))
  }

  public borrowing func optionalID<Row>(
    _ name: StaticString, of table: Row.Type = Row.self
  ) -> RowID<Row>? {
    optionalInt(column(name)).map { RowID($0) }
  }

  /// The bytes where SQLite has them, without a copy; none for NULL.
  public borrowing func withBlob<Result>(
    _ name: StaticString, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try withBlob(column(name), body)
  }
}
