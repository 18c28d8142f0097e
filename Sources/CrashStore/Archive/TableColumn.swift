internal import JSON
internal import SQLite

/// A column of a table, and how its values stand in an archive: numbers as numbers, text as text,
/// bytes as hexadecimal digits.
struct TableColumn {
  enum Kind: String {
    case integer = "INTEGER"
    case text = "TEXT"
    case blob = "BLOB"
  }

  let name: String
  let kind: Kind
  let isRequired: Bool
  /// The place in the primary key, from 1; 0 outside it.
  let keyPlace: Int

  /// The columns of a table, in their order.
  ///
  /// - Throws: ``LoadError/unknownTable(_:)`` when there is none of that name.
  static func all(
    of table: String, in database: borrowing Connection
  ) throws -> [TableColumn] {
    let rows = try database.prepare(
      "SELECT name, type, \"notnull\", pk FROM pragma_table_info(?1) ORDER BY cid", [table])
    var columns: [TableColumn] = []
    while try rows.step() {
      guard let kind = Kind(rawValue: rows.text(1)) else { throw LoadError.unknownTable(table) }
      columns.append(
        TableColumn(
          name: rows.text(0), kind: kind, isRequired: rows.int(2) != 0, keyPlace: rows.int(3)))
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
    case .blob: writer.string(HexDigits.text(row.blob(index)))
    }
  }

  /// Numbers beyond these are no value of any column: times, in microseconds, end with the year 9999.
  private static let numbers = -(1 << 58)...(1 << 58)
  /// Days since 1970, of the years 0 to 9999.
  private static let days = -720_000...3_000_000

  /// The value that stands in an archive.
  ///
  /// - Returns: `nil` when it cannot be one of this column.
  func value(_ value: JSONValue) -> SQLValue? {
    switch (kind, value) {
    case (_, .null): return isRequired ? nil : .null
    case (.integer, .integer(let number)):
      let number = Int(number)
      let range = name == "day" ? Self.days : Self.numbers
      return range.contains(number) ? .integer(Int64(number)) : nil
    case (.text, .string(let text)): return .text(text)
    case (.blob, .string(let digits)): return HexDigits.bytes(digits).map { .blob($0) }
    default: return nil
    }
  }
}

/// Bytes as lower-case hexadecimal digits.
enum HexDigits {
  static func text(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// - Returns: `nil` for anything else.
  static func bytes(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
