internal import Query

/// The words of a query, separated by unquoted spaces.
struct QueryWords {
  private(set) var words: [String]

  init(_ text: String) {
    words = []
    var word = ""
    var isQuoted = false
    var isEscaped = false
    for character in text {
      if character.isWhitespace, !isQuoted {
        if !word.isEmpty { words.append(word) }
        word = ""
        continue
      }
      if character == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = character == "\\" && !isEscaped
      word.append(character)
    }
    if !word.isEmpty { words.append(word) }
  }

  var text: String { words.joined(separator: " ") }

  private static func isOf(_ word: String, _ field: String) -> Bool {
    word.lowercased().hasPrefix(field + ":")
  }

  /// The value of a field's only condition as written, without quotes.
  subscript(field: String) -> String? {
    let found = words.filter { Self.isOf($0, field) }
    guard let only = found.first, found.count == 1 else { return nil }
    let value = String(only.dropFirst(field.count + 1))
    guard value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") else { return value }
    var plain = ""
    var isEscaped = false
    for character in value.dropFirst().dropLast() {
      if character == "\\", !isEscaped {
        isEscaped = true
      } else {
        plain.append(character)
        isEscaped = false
      }
    }
    return plain
  }

  /// Replaces all conditions on a field with one condition.
  ///
  /// - Parameter condition: For example `version:1.4.0`; `nil` for none.
  mutating func set(_ field: String, to condition: String?) {
    let index = words.firstIndex { Self.isOf($0, field) }
    words.removeAll { Self.isOf($0, field) }
    guard let condition else { return }
    words.insert(condition, at: min(index ?? words.count, words.count))
  }

  /// `version:1.4.0`, `os:"iOS 17.2"`.
  static func condition(_ field: String, _ value: String) -> String {
    field + ":" + quoted(value)
  }

  /// Quotes a value so that a query matches it literally.
  static func quoted(_ value: String) -> String {
    let isPlain =
      value.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0)
          || "._+/@,-".unicodeScalars.contains($0)
      } && value.first.map { $0 != "-" && $0 != "." } ?? false && !value.contains("..")
    guard !isPlain else { return value }
    return "\""
      + value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  /// The condition that matches only reports with a value; `nil` if no query can express it.
  static func link(_ field: String, _ value: String) -> String? {
    let isName = field.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || "._-".unicodeScalars.contains($0)
    }
    return isName && QueryField(named: field) != nil ? condition(field, value) : nil
  }
}
