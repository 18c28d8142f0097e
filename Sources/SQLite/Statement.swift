internal import CSQLite

/// One prepared statement; given back to its connection when it goes out of scope, on every path.
///
/// Columns are read by name, see `Statement+Names.swift`, or by position, counted from 0. Reading one as
/// another type converts it as SQLite does.
public struct Statement: ~Copyable {
  private let prepared: PreparedStatement
  private var handle: OpaquePointer { prepared.handle }
  private let sql: String
  private let path: String
  private let cache: StatementCache

  init(_ prepared: PreparedStatement, sql: String, path: String, cache: StatementCache) {
    self.prepared = prepared
    self.sql = sql
    self.path = path
    self.cache = cache
  }

  /// Binds all parameters, the first to `?1`.
  ///
  /// - Throws: ``DatabaseError`` when there is no such parameter or memory is short.
  public borrowing func bind(_ values: [any SQLBindable]) throws(DatabaseError) {
    sqlite3_reset(handle)
    for (index, value) in values.enumerated() {
      try check(bind(value.sqlValue, at: Int32(index + 1)))
    }
  }

  private borrowing func bind(_ value: SQLValue, at index: Int32) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(handle, index)
    case .integer(let number): return sqlite3_bind_int64(handle, index, number)
    case .real(let number): return sqlite3_bind_double(handle, index, number)
    case .text(var text):
      return text.withUTF8 { bytes in
        // An empty text has no address, and a null pointer would be NULL.
        guard let start = bytes.baseAddress else {
          return sqlite3_bind_text(handle, index, "", 0, Self.copied)
        }
        return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
          sqlite3_bind_text64(
            handle, index, $0, UInt64(bytes.count), Self.copied, UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let bytes):
      guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, index, 0) }
      return bytes.withUnsafeBytes {
        sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), Self.copied)
      }
    }
  }

  /// `SQLITE_TRANSIENT`, a macro with a cast that Swift cannot import: SQLite copies the bytes before
  /// the call returns.
  private static var copied: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }

  /// Goes to the next row; `false` when there is none.
  ///
  /// - Throws: ``DatabaseError`` when the statement fails.
  public borrowing func step() throws(DatabaseError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw error(code)
    }
  }

  /// The first column of the first row as a number; `nil` without a row or for NULL.
  ///
  /// - Throws: ``DatabaseError`` when the statement fails.
  public var first: Int? {
    get throws(DatabaseError) { try step() ? optionalInt(0) : nil }
  }

  public borrowing func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
  }

  public borrowing func isInteger(_ column: Int) -> Bool {
    sqlite3_column_type(handle, Int32(column)) == SQLITE_INTEGER
  }

  /// 0 for NULL.
  public borrowing func int(_ column: Int) -> Int {
    Int(sqlite3_column_int64(handle, Int32(column)))
  }

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
  public borrowing func double(_ column: Int) -> Double {
    sqlite3_column_double(handle, Int32(column))
  }

  /// Empty for NULL; invalid UTF-8 is replaced by U+FFFD.
  public borrowing func text(_ column: Int) -> String {
    guard let start = sqlite3_column_text(handle, Int32(column)) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  public borrowing func optionalText(_ column: Int) -> String? {
    isNull(column) ? nil : text(column)
  }

  /// The bytes where SQLite has them, without a copy; none for NULL.
  public borrowing func withBlob<Result>(
    _ column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let start = sqlite3_column_blob(handle, Int32(column))
    let count = start == nil ? 0 : Int(sqlite3_column_bytes(handle, Int32(column)))
    return try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Empty for NULL.
  public borrowing func blob(_ column: Int) -> [UInt8] {
    guard let start = sqlite3_column_blob(handle, Int32(column)) else { return [] }
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  private borrowing func check(_ code: Int32) throws(DatabaseError) {
    guard code == SQLITE_OK else { throw error(code) }
  }

  private borrowing func error(_ code: Int32) -> DatabaseError {
    let database = sqlite3_db_handle(handle)
    return DatabaseError(
      code, String(cString: sqlite3_errmsg(database)), sql: sql, path: path,
      cause: sqlite3_system_errno(database))
  }

  /// The position of the column of this name. Loops over many rows find it once, before the first.
  ///
  /// The program's own statements name their columns: one that is not there is a mistake in the program.
  public borrowing func column(_ name: StaticString) -> Int {
    guard let column = prepared.columns[name] else {
      preconditionFailure("no column \(name) in: \(sql)")
    }
    return column
  }

  deinit { cache.giveBack(prepared, sql: sql) }
}

/// A statement of the library with what is known of its columns; used by one thread at a time.
final class PreparedStatement {
  let handle: OpaquePointer
  /// Which column has which name, found out once and kept for as long as the statement is.
  private(set) lazy var columns = ColumnNames(of: handle)

  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { sqlite3_finalize(handle) }
}

/// Statements that were prepared before and are not in use: preparing one costs more than most of
/// them take to run. Used by one connection, and so by one thread at a time.
final class StatementCache {
  /// The most statements kept. The program has fewer, lists with their filters included.
  private static let limit = 100
  private var idle: [String: PreparedStatement] = [:]

  func take(_ sql: String) -> PreparedStatement? { idle.removeValue(forKey: sql) }

  func giveBack(_ prepared: PreparedStatement, sql: String) {
    sqlite3_reset(prepared.handle)
    sqlite3_clear_bindings(prepared.handle)
    if idle[sql] == nil, idle.count < Self.limit { idle[sql] = prepared }
  }
}
