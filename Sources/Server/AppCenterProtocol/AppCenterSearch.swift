internal import CrashService
internal import CrashModel
package import Query

/// In what App Center's searches look for each of their words: text that says why and where, and in
/// reports also who and on what.
package enum AppCenterSearch {
  /// Method, class, exception type, reason, group id.
  case groups
  /// The same but the group id, and user id, model, system and its version, report id.
  case reports

  /// The most words that are looked for.
  private static let mostWords = 16
  /// From so many hexadecimal digits on a word may be the start of an id.
  private static let shortestID = 6

  /// - Throws: `QueryError`.
  package func conditions(for text: String) throws -> [Condition] {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    return try words.prefix(Self.mostWords).map { word in
      var parts = ["text:" + word.inQuery, "type:" + Self.pattern(word)]
      switch self {
      case .groups: parts.append("group:" + word.inQuery)
      case .reports:
        for field in ["user", "device", "os"] {
          parts.append("\(field):" + Self.pattern(word))
          // A name may be of several words.
          if words.count > 1 { parts.append("\(field):" + text.inQuery) }
        }
        if word.first?.isNumber == true { parts.append("os.version:" + word.inQuery) }
        if word.utf8.count >= Self.shortestID, word.allSatisfy(\.isHexDigit) {
          parts.append("id:" + word.inQuery)
        }
      }
      return Condition(anyOf: try parts.flatMap { try Query($0, now: .now).conditions })
    }
  }

  /// Anywhere in a name; a word with letters that mean something to the query language is looked for
  /// as a whole.
  private static func pattern(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || "._-@".unicodeScalars.contains($0)
    }
    return isPlain ? "*\(word)*" : word.inQuery
  }
}
