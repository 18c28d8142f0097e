internal import CrashService
internal import HTTP
internal import Query

/// `filter` and `$filter`: comparisons of OData, joined by `and`.
///
///     userId eq 'skipper' and osVersion ge '17.2' and contains(exceptionMessage, 'null')
///
/// Source: OData 4.01, part 2, 5.1.1, to the extent that App Center's lists support it.
package struct AppCenterFilter {
  /// The conditions in the query language.
  package private(set) var conditions: [String] = []

  /// Lower-case names in App Center's documents, and the fields of the query language.
  private static let fields = [
    "errorid": "id", "errorgroupid": "group", "timestamp": "time", "devicename": "device",
    "model": "device", "osversion": "os.version", "ostype": "os", "userid": "user",
    "country": "tag.\"carrier.country\"", "language": "tag.locale", "appversion": "version",
    "version": "version", "appbuild": "build", "exceptiontype": "type",
    "exceptionmessage": "message", "exceptionmethod": "function",
    "exceptionclassname": "function", "exceptionfile": "file", "firstoccurrence": "first",
    "lastoccurrence": "last", "count": "reports", "devicecount": "installs",
  ]
  private static let signs = ["gt": ">", "ge": ">=", "lt": "<", "le": "<="]
  /// Fields that are searched for a substring, whatever the comparison.
  private static let texts: Set = ["message", "function", "file"]

  private enum Token: Equatable {
    case word(String)
    case text(String)
    case mark(Character)
  }

  private var tokens: ArraySlice<Token>

  /// - Throws: `HTTPError.refused` for an invalid filter.
  package init(_ text: String) throws {
    tokens = try Self.tokens(of: text)[...]
    repeat { conditions.append(try comparison()) } while take(.word("and"))
    guard tokens.isEmpty else { throw Self.refusal("comparisons are joined by 'and'") }
  }

  private static func refusal(_ why: String) -> HTTPError {
    .refused(.badRequest, "filter: \(why), as in userId eq 'ann' and osVersion ge '17'")
  }

  private static func tokens(of text: String) throws -> [Token] {
    var tokens: [Token] = []
    var rest = text[...]
    while let first = rest.first {
      switch first {
      case " ", "\t": rest.removeFirst()
      case "(", ")", ",": tokens.append(.mark(rest.removeFirst()))
      case "'":
        var literal = ""
        rest.removeFirst()
        while true {
          guard let end = rest.firstIndex(of: "'") else { throw refusal("a quote is not closed") }
          literal += rest[..<end]
          rest = rest[rest.index(after: end)...]
          // A doubled quote is an escaped quote.
          guard rest.first == "'" else { break }
          literal += String(rest.removeFirst())
        }
        tokens.append(.text(literal))
      default:
        let word = rest.prefix { !" \t(),'".contains($0) }
        tokens.append(.word(String(word)))
        rest = rest.dropFirst(word.count)
      }
    }
    return tokens
  }

  private mutating func take(_ token: Token) -> Bool {
    guard let first = tokens.first else { return false }
    let isSame =
      switch (first, token) {
      case (.word(let one), .word(let other)): one.lowercased() == other
      default: first == token
      }
    if isSame { tokens.removeFirst() }
    return isSame
  }

  private mutating func next() throws -> Token {
    guard let token = tokens.popFirst() else { throw Self.refusal("it ends too early") }
    return token
  }

  private mutating func comparison() throws -> String {
    guard case .word(let name) = try next() else { throw Self.refusal("a name is missing") }
    let function = name.lowercased()
    if ["contains", "startswith"].contains(function), take(.mark("(")) {
      let field = try field(named: try next())
      guard take(.mark(",")), case .text(let text) = try next(), take(.mark(")")) else {
        throw Self.refusal("\(function) takes a name and a text")
      }
      if Self.texts.contains(field) { return "\(field):" + text.inQuery }
      return "\(field):" + (function == "contains" ? "*" : "") + (try wild(text)) + "*"
    }
    let field = try field(named: .word(name))
    guard case .word(let sign) = try next() else { throw Self.refusal("\(name) is not compared") }
    let value: String
    switch try next() {
    case .text(let text), .word(let text): value = text.inQuery
    case .mark: throw Self.refusal("\(name) is compared with nothing")
    }
    switch sign.lowercased() {
    case "eq": return "\(field):\(value)"
    case "ne": return "-\(field):\(value)"
    case let other:
      guard let sign = Self.signs[other] else { throw Self.refusal("'\(sign)' compares nothing") }
      // The query language allows no quotes after these.
      return "\(field):\(sign)" + (try plain(value))
    }
  }

  private func field(named token: Token) throws -> String {
    guard case .word(let name) = token, let field = Self.fields[name.lowercased()] else {
      throw Self.refusal(
        "unknown field: use one of \(Self.fields.keys.sorted().joined(separator: ", "))")
    }
    return field
  }

  /// Returns text that is valid between wildcards.
  private func wild(_ text: String) throws -> String {
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || "._-@".unicodeScalars.contains($0)
    }
    guard isPlain, !text.isEmpty else {
      throw Self.refusal("a part of a name can have only letters, digits, '.', '_', '-' and '@'")
    }
    return text
  }

  /// Returns a number, version or time without its quotes.
  private func plain(_ value: String) throws -> String {
    let text = value.dropFirst().dropLast()
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || "._-+:".unicodeScalars.contains($0)
    }
    guard isPlain, !text.isEmpty else {
      throw Self.refusal("only numbers, versions and times can be ordered")
    }
    return String(text)
  }
}
