public import Bytes
internal import Database
internal import JSON

/// Tokens, accounts, the audit log, pending erasures, ignored symbols and the rules of alerts as lines of
/// JSON, for backups.
extension ServerStore {
  /// The server's tables in a backup.
  public enum ArchivedTable: String, CaseIterable, Sendable {
    /// The tokens, their secrets as salted hashes.
    case tokens
    /// The accounts, passwords as hashes. Sessions and sign-in links are not included.
    case accounts
    /// The audit log.
    case audit
    /// The erasures that may apply to waiting submissions.
    case erasures
    /// Symbols that are no longer to be requested.
    case ignoredSymbols = "ignored_symbols"
    /// The targets of alerts, without the secrets that sign them.
    case alertTargets = "alert_targets"
    /// The rules of alerts.
    case alertRules = "alert_rules"

    fileprivate var columns: [(name: String, kind: ColumnKind)] {
      switch self {
      case .tokens:
        [
          ("id", .text), ("label", .text), ("scopes", .text), ("app", .maybeText),
          ("salt", .bytes), ("hash", .bytes), ("created", .integer), ("expires", .maybeInteger),
          ("revoked", .maybeInteger), ("used", .maybeInteger), ("account", .maybeText),
        ]
      case .accounts:
        [
          ("id", .text), ("name", .text), ("role", .text), ("app", .maybeText),
          ("created", .integer), ("password", .maybeText), ("password_set", .maybeInteger),
          ("subject", .maybeText), ("is_unclaimed", .integer),
        ]
      case .audit:
        [
          ("id", .integer), ("time", .integer), ("token", .text), ("label", .text),
          ("action", .text), ("subject", .text), ("peer", .text),
        ]
      case .erasures:
        [("kind", .text), ("name", .text), ("mark", .integer), ("time", .integer)]
      case .ignoredSymbols: [("app", .text), ("symbol", .text)]
      case .alertTargets:
        [
          ("name", .text), ("kind", .text), ("address", .text), ("preset", .maybeText),
          ("sender", .maybeText), ("recipients", .maybeText), ("login", .maybeText),
          ("password", .maybeText), ("is_plain", .integer), ("authorities", .maybeText),
          ("created", .integer),
        ]
      case .alertRules:
        [
          ("id", .integer), ("kind", .text), ("target", .text), ("app", .maybeText),
          ("query", .text), ("span", .integer), ("least", .integer), ("factor", .integer),
          ("below", .integer), ("basis", .text), ("digest", .text), ("quiet", .maybeText),
          ("zone", .integer), ("created", .integer), ("author", .text),
        ]
      }
    }
  }

  fileprivate enum ColumnKind {
    case text, maybeText, integer, maybeInteger, bytes
  }

  /// The rows of a table, one JSON object per line, ordered by their keys.
  public func lines(of table: ArchivedTable) throws -> ByteView {
    let columns = table.columns
    let names = columns.map(\.name).joined(separator: ", ")
    return try read { database in
      var writer = JSONWriter()
      let rows = try database.prepare("SELECT \(names) FROM \(table.rawValue) ORDER BY 1, 2")
      while try rows.step() {
        writer.beginObject()
        for (index, column) in columns.enumerated() {
          switch column.kind {
          case .text: writer.member(column.name, rows.text(index))
          case .integer: writer.member(column.name, rows.int(index))
          case .bytes: writer.member(column.name, rows.blob(index).hexadecimalDigits)
          case .maybeText: writer.member(column.name, rows.optionalText(index))
          case .maybeInteger: writer.member(column.name, rows.optionalInt(index))
          }
        }
        writer.endObject()
        writer.newLine()
      }
      return ByteView(writer.takeBytes())
    }
  }

  /// Adds rows to an empty table: all of them or none.
  ///
  /// - Throws: ``ServerArchiveError`` for a malformed line; `DatabaseError`.
  public func load(_ lines: ByteView, into table: ArchivedTable) throws {
    let columns = table.columns
    let sql =
      "INSERT INTO \(table.rawValue) (" + columns.map(\.name).joined(separator: ", ") + ") VALUES ("
      + columns.map { _ in "?" }.joined(separator: ", ") + ")"
    try write { database in
      for (index, line) in lines.array.split(separator: UInt8(ascii: "\n")).enumerated() {
        guard let value = try? JSONDocument.parse(ByteView(Array(line))).value,
          let values = Self.values(value, columns)
        else { throw ServerArchiveError(table: table.rawValue, line: index + 1) }
        let statement = try database.prepare(sql, values)
        while try statement.step() {}
      }
    }
  }

  /// The range of valid numbers in any column: times, in microseconds, end with the year 9999.
  private static let numbers = -(1 << 58)...(1 << 58)

  private static func values(
    _ value: JSONValue, _ columns: [(name: String, kind: ColumnKind)]
  ) -> [SQLValue]? {
    var values: [SQLValue] = []
    for column in columns {
      let member = value[column.name]
      switch column.kind {
      case .text, .maybeText:
        if let text = member?.string {
          values.append(.text(text))
          continue
        }
      case .integer, .maybeInteger:
        if let number = member?.integer, numbers.contains(number) {
          values.append(.integer(Int64(number)))
          continue
        }
        if let member, !member.isNull { return nil }
      case .bytes:
        if let bytes = member?.string.flatMap({ [UInt8](hexadecimal: $0) }) {
          values.append(.blob(bytes))
          continue
        }
      }
      guard column.kind == .maybeText || column.kind == .maybeInteger else { return nil }
      values.append(.null)
    }
    return values
  }
}

/// A line of a backup that is not a valid row of a server's table.
public struct ServerArchiveError: Error, Equatable, Sendable, CustomStringConvertible {
  let table: String
  let line: Int

  public var description: String { "damaged archive: line \(line) of \(table)" }
}
