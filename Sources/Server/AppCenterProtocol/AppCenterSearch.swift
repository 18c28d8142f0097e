internal import CrashService
package import Query

/// The fields in which App Center's searches look for each word: text about the cause and the location, for
/// reports also about the user and the device.
package enum AppCenterSearch {
  /// Method, class, exception type, reason, group id.
  case groups
  /// The fields of `groups` except the group id, and user id, model, system and its version, report id, and
  /// the id that the SDK gave the crash.
  case reports

  /// The maximum number of words.
  private static let mostWords = 16
  /// The minimum number of hexadecimal digits of a word that may be the start of an id.
  private static let shortestID = 6
  /// The number of hexadecimal digits of a UUID.
  private static let idDigits = 32

  /// - Parameter isVisible: Whether the caller sees a field.
  /// - Throws: `QueryError`.
  package func conditions(
    for text: String, where isVisible: (QueryField) -> Bool = { _ in true }
  ) throws -> [Condition] {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    return try words.prefix(Self.mostWords).map { word in
      var parts = ["text:" + word.inQuery, "type:" + Self.pattern(word)]
      switch self {
      case .groups: parts.append("group:" + word.inQuery)
      case .reports:
        for field in ["user", "device", "os"]
        where QueryField(named: field).map(isVisible) ?? false {
          parts.append("\(field):" + Self.pattern(word))
          // A name may have several words.
          if words.count > 1 { parts.append("\(field):" + text.inQuery) }
        }
        if word.first?.isNumber == true { parts.append("os.version:" + word.inQuery) }
        if word.utf8.count >= Self.shortestID, word.allSatisfy(\.isHexDigit) {
          parts.append("id:" + word.inQuery)
        }
        // The id that the SDK gives its app for a crash.
        if word.allSatisfy({ $0.isHexDigit || "-{}".contains($0) }),
          word.count(where: \.isHexDigit) == Self.idDigits
        {
          parts.append("incident:" + word.inQuery)
        }
      }
      return Condition(anyOf: try parts.flatMap { try Query($0, now: .now).conditions })
    }
  }

  /// Returns a pattern that matches anywhere in a name; a word with special characters of the query language
  /// must match as a whole.
  private static func pattern(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || "._-@".unicodeScalars.contains($0)
    }
    return isPlain ? "*\(word)*" : word.inQuery
  }
}
