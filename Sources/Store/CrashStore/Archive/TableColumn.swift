internal import Bytes
internal import Database
internal import JSON

/// A column of a table, and how its values are written in an archive: numbers as numbers, text as text, bytes
/// as hexadecimal digits.
struct TableColumn {
  enum Kind: String {
    case integer = "INTEGER"
    case text = "TEXT"
    case blob = "BLOB"
  }

  let name: String
  let kind: Kind
  let isRequired: Bool
  /// The position in the primary key, from 1; 0 outside it.
  let keyPosition: Int

  /// Returns the columns of a table, in their order.
  ///
  /// - Throws: ``LoadError/unknownTable(_:)`` when there is no table of that name.
  static func all(
    of table: String, in database: borrowing Connection
  ) throws -> [TableColumn] {
    let columns = try database.columns(of: table).map { column in
      guard let kind = Kind(rawValue: column.type) else { throw LoadError.unknownTable(table) }
      return TableColumn(
        name: column.name, kind: kind, isRequired: column.isRequired,
        keyPosition: column.keyPosition)
    }
    guard !columns.isEmpty else { throw LoadError.unknownTable(table) }
    return columns
  }

  /// Writes the value of a row as a member of an object; NULL as `null`.
  func write(
    _ row: borrowing Statement, _ index: Int, to writer: inout JSONWriter
  ) {
    writer.key(name)
    guard !row.isNull(index) else { return writer.null() }
    switch kind {
    case .integer: writer.integer(row.int(index))
    case .text: writer.string(row.text(index))
    case .blob: writer.string(row.blob(index).hexadecimalDigits)
    }
  }

  /// Valid values of numbers in any column: times, in microseconds, end with the year 9999.
  private static let numbers = -(1 << 58)...(1 << 58)
  /// Days since 1970, of the years 0 to 9999.
  private static let days = -720_000...3_000_000

  /// Returns a value of an archive as a value of this column.
  ///
  /// - Returns: `nil` when it is not valid in this column.
  func value(_ value: JSONValue) -> SQLValue? {
    switch (kind, value) {
    case (_, .null): return isRequired ? nil : .null
    case (.integer, .integer(let number)):
      let number = Int(number)
      let range = name == "day" ? Self.days : Self.numbers
      return range.contains(number) ? .integer(Int64(number)) : nil
    case (.text, .string(let text)): return .text(text)
    case (.blob, .string(let digits)): return [UInt8](hexadecimal: digits).map { .blob($0) }
    default: return nil
    }
  }
}
