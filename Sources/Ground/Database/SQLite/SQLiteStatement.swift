internal import CSQLite

/// A prepared statement of SQLite.
final class SQLiteStatement: DriverStatement {
  private let handle: OpaquePointer
  private let sql: String
  private let path: String
  let changedTables: Set<String>

  init(_ handle: OpaquePointer, sql: String, path: String, changing tables: Set<String>) {
    self.handle = handle
    changedTables = tables
    self.sql = sql
    self.path = path
  }

  func reset() { sqlite3_reset(handle) }
  func clearBindings() { sqlite3_clear_bindings(handle) }

  func bind(_ value: SQLValue, at index: Int) throws(DatabaseError) {
    let code = bound(value, at: Int32(clamping: index))
    guard code == SQLITE_OK else { throw error(code) }
  }

  private func bound(_ value: SQLValue, at index: Int32) -> Int32 {
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

  func step() throws(DatabaseError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw error(code)
    }
  }

  func takeSteps() -> Int { Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 1)) }

  var columnCount: Int { Int(sqlite3_column_count(handle)) }

  func name(of column: Int) -> String {
    sqlite3_column_name(handle, Int32(column)).map { String(cString: $0) } ?? ""
  }

  func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
  }

  func isInteger(_ column: Int) -> Bool {
    sqlite3_column_type(handle, Int32(column)) == SQLITE_INTEGER
  }

  func integer(_ column: Int) -> Int { Int(sqlite3_column_int64(handle, Int32(column))) }

  func double(_ column: Int) -> Double { sqlite3_column_double(handle, Int32(column)) }

  func text(_ column: Int) -> String {
    guard let start = sqlite3_column_text(handle, Int32(column)) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func bytes(_ column: Int) -> UnsafeRawBufferPointer {
    guard let start = sqlite3_column_blob(handle, Int32(column)) else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(
      start: start, count: Int(sqlite3_column_bytes(handle, Int32(column))))
  }

  private func error(_ code: Int32) -> DatabaseError {
    let database = sqlite3_db_handle(handle)
    return DatabaseError(
      code, String(cString: sqlite3_errmsg(database)), sql: sql, path: path,
      cause: sqlite3_system_errno(database))
  }

  deinit { sqlite3_finalize(handle) }
}
