import Bytes
import Files
import Glibc

/// A string literal of the program that begins like a statement in SQL, or a row that is inserted by the
/// names of its columns.
struct SourceStatement {
  /// A name such as `CrashStore/Apps/AppsTable.swift: SELECT id FROM apps ...`.
  let description: String
  let pattern: StatementPattern
  /// The text with one space between words; `nil` if the program builds it at run time.
  let text: String?
}

extension SourceStatement {
  /// Every literal under a folder that begins like a statement.
  static func all(below folder: String) throws -> [SourceStatement] {
    var found: [SourceStatement] = []
    for name in try FolderNames.listed(folder).sorted() {
      let path = folder + "/" + name
      if name.hasSuffix(".swift") {
        let source = try text(path)
        let literals = literals(in: source)
        for literal in literals {
          if let statement = SourceStatement(literal, path) { found.append(statement) }
        }
        for index in literals.indices {
          if let statement = insertion(literals[index...], in: source, path) {
            found.append(statement)
          }
        }
      } else if !name.contains(".") {
        found += try all(below: path)
      }
    }
    return found
  }

  static func text(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else { throw StatementListError.unreadable(path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
      bytes += chunk[..<count]
    }
    return bytes
  }

  private static let beginnings = ["SELECT ", "INSERT ", "UPDATE ", "DELETE ", "WITH "]
  /// Statements that begin with a common part.
  private static let continuations = beginnings.map { "\(StatementPattern.gap) \($0)" }

  private init?(_ literal: Literal, _ path: String) {
    let line = Self.line(literal.bytes)
    guard (Self.beginnings + Self.continuations).contains(where: line.hasPrefix) else { return nil }
    self.init(line + (literal.isContinued ? String(StatementPattern.gap) : ""), path)
  }

  private init(_ line: String, _ path: String) {
    pattern = StatementPattern(line)
    text = line.contains(StatementPattern.gap) ? nil : line
    description =
      path.split(separator: "/").suffix(3).joined(separator: "/") + ": "
      + String(line.map { $0 == StatementPattern.gap ? "_" : $0 })
  }

  /// The text with one space between words.
  private static func line(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\n" }.joined(separator: " ")
  }

  /// The statement of `insert(into: "table", ["column": value, ...], onConflict: "...")`, and of
  /// `insertMany(into: "table", columns: ["column", ...], values, onConflict: "...")`.
  ///
  /// - Parameter literals: The literals of the source from the table's name on.
  private static func insertion(
    _ literals: ArraySlice<Literal>, in source: [UInt8], _ path: String
  ) -> SourceStatement? {
    guard let table = literals.first, table.label == "into:" else { return nil }
    var place = table.end
    var depth = 0
    let isList = source[place...].prefix(40)
      .split { LiteralScanner.isSpace($0) || $0 == UInt8(ascii: ",") }.first?.elementsEqual(
        "columns:".utf8)
    var rest = literals.dropFirst()
    var columns: [String] = []
    repeat {
      guard place < source.count else { return nil }
      if let literal = rest.first, literal.start == place {
        if literal.isKey != (isList == true), depth == 1 { columns.append(line(literal.bytes)) }
        place = literal.end
        rest.removeFirst()
        continue
      }
      depth += source[place] == UInt8(ascii: "[") ? 1 : source[place] == UInt8(ascii: "]") ? -1 : 0
      place += 1
    } while depth > 0 || columns.isEmpty
    var sql = "INSERT INTO \(line(table.bytes)) (" + columns.joined(separator: ", ") + ") VALUES ("
    sql += columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ") + ")"
    if rest.first?.label == "onConflict:" {
      var conflict: [UInt8] = []
      while let literal = rest.popFirst() {
        conflict += literal.bytes
        if !literal.isContinued { break }
      }
      sql += " " + line(conflict)
    }
    return SourceStatement(sql, path)
  }

  static func literals(in source: [UInt8]) -> [Literal] {
    var scanner = LiteralScanner(source)
    return scanner.all()
  }

  /// A string literal of a source.
  struct Literal {
    /// Each interpolation is one ``StatementPattern/gap``.
    let bytes: [UInt8]
    /// The offsets of its first byte in the source, and of the one after its last.
    let start: Int
    let end: Int
    /// The word before it, such as `into:`.
    let label: String
    /// Whether `+` follows.
    let isContinued: Bool
    /// Whether `:` follows.
    let isKey: Bool
  }
}

enum StatementListError: Error {
  case unreadable(String)
}

/// Finds string literals, skipping comments and interpolations.
private struct LiteralScanner {
  private let source: [UInt8]
  private var place = 0

  init(_ source: [UInt8]) { self.source = source }

  private func starts(_ text: StaticString, at place: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard place + length <= source.count else { return false }
    return text.withUTF8Buffer { source[place..<(place + length)].elementsEqual($0) }
  }

  mutating func all() -> [SourceStatement.Literal] {
    var found: [SourceStatement.Literal] = []
    while place < source.count {
      if starts("//", at: place) {
        while place < source.count, source[place] != UInt8(ascii: "\n") { place += 1 }
      } else if source[place] == UInt8(ascii: "\"") {
        let start = place
        let bytes = literal()
        var next = place
        while next < source.count, Self.isSpace(source[next]) { next += 1 }
        let follower = next < source.count ? source[next] : 0
        found.append(
          SourceStatement.Literal(
            bytes: bytes, start: start, end: place, label: word(before: start),
            isContinued: follower == UInt8(ascii: "+"), isKey: follower == UInt8(ascii: ":")))
      } else {
        place += 1
      }
    }
    return found
  }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n")
  }

  private func word(before place: Int) -> String {
    var end = place
    while end > 0, Self.isSpace(source[end - 1]) { end -= 1 }
    var start = end
    while start > 0, !Self.isSpace(source[start - 1]), source[start - 1] != UInt8(ascii: "(") {
      start -= 1
    }
    return String(decoding: source[start..<end], as: UTF8.self)
  }

  private mutating func literal() -> [UInt8] {
    let isLong = starts("\"\"\"", at: place)
    place += isLong ? 3 : 1
    var bytes: [UInt8] = []
    while place < source.count {
      if isLong ? starts("\"\"\"", at: place) : source[place] == UInt8(ascii: "\"") {
        place += isLong ? 3 : 1
        break
      }
      if source[place] == UInt8(ascii: "\\"), place + 1 < source.count {
        let next = source[place + 1]
        place += 2
        switch next {
        case UInt8(ascii: "("):
          skipInterpolation()
          bytes.append(0)
        case UInt8(ascii: "n"): bytes.append(UInt8(ascii: "\n"))
        case UInt8(ascii: "\n"): break
        default: bytes.append(next)
        }
      } else {
        bytes.append(source[place])
        place += 1
      }
    }
    return bytes
  }

  /// The text from after `\(` to after its `)`.
  private mutating func skipInterpolation() {
    var depth = 1
    while place < source.count, depth > 0 {
      switch source[place] {
      case UInt8(ascii: "\""): _ = literal()
      case UInt8(ascii: "("):
        depth += 1
        place += 1
      case UInt8(ascii: ")"):
        depth -= 1
        place += 1
      default: place += 1
      }
    }
  }
}
