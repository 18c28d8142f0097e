import Bytes
import Files
import Glibc

/// A string literal of the program that begins like a statement in SQL.
struct SourceStatement {
  /// `CrashStore/Apps/AppsTable.swift: SELECT id FROM apps ...`, to name it.
  let description: String
  /// With one space between words; `nil` where the program puts it together while it runs.
  let text: String?
}

extension SourceStatement {
  /// Every literal below a folder that begins like a statement.
  static func all(below folder: String) throws -> [SourceStatement] {
    var found: [SourceStatement] = []
    for name in try FolderNames.listed(folder).sorted() {
      let path = folder + "/" + name
      if name.hasSuffix(".swift") {
        for literal in literals(in: try text(path)) {
          if let statement = SourceStatement(literal, path) { found.append(statement) }
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
  /// Stands for what is put in; no source has it.
  private static let gap: UInt8 = 0

  private init?(_ literal: (bytes: [UInt8], isContinued: Bool), _ path: String) {
    let words = literal.bytes.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
    let text = Array(words.joined(separator: [UInt8(ascii: " ")]))
    let line = String(decoding: text, as: UTF8.self)
    guard Self.beginnings.contains(where: line.hasPrefix) else { return nil }
    let isWhole = !literal.isContinued && !text.contains(Self.gap)
    self.text = isWhole ? line : nil
    description =
      path.split(separator: "/").suffix(3).joined(separator: "/") + ": "
      + String(decoding: text.map { $0 == Self.gap ? UInt8(ascii: "_") : $0 }, as: UTF8.self)
  }

  /// The string literals of a source, each interpolation one zero byte, and whether `+` follows.
  static func literals(in source: [UInt8]) -> [(bytes: [UInt8], isContinued: Bool)] {
    var scanner = LiteralScanner(source)
    return scanner.all()
  }
}

enum StatementListError: Error {
  case unreadable(String)
}

/// Finds string literals, past comments and what is put into other literals.
private struct LiteralScanner {
  private let source: [UInt8]
  private var place = 0

  init(_ source: [UInt8]) { self.source = source }

  private func starts(_ text: StaticString, at place: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard place + length <= source.count else { return false }
    return text.withUTF8Buffer { source[place..<(place + length)].elementsEqual($0) }
  }

  mutating func all() -> [(bytes: [UInt8], isContinued: Bool)] {
    var found: [(bytes: [UInt8], isContinued: Bool)] = []
    while place < source.count {
      if starts("//", at: place) {
        while place < source.count, source[place] != UInt8(ascii: "\n") { place += 1 }
      } else if source[place] == UInt8(ascii: "\"") {
        let bytes = literal()
        var next = place
        while next < source.count,
          source[next] == UInt8(ascii: " ") || source[next] == UInt8(ascii: "\n")
        {
          next += 1
        }
        found.append((bytes, next < source.count && source[next] == UInt8(ascii: "+")))
      } else {
        place += 1
      }
    }
    return found
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

  /// From behind `\(` to behind its `)`.
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
