import Arguments
import CrashModel

/// What a list is narrowed to: words of the command line, all of which must hold.
///
///     app:Tern version:1.4.0 is:open "null dereference"
struct Query {
  var app: String?
  var group: String?
  var version: String?
  var state: GroupState?
  /// Words that stand in the signature or the reason.
  var text: String?

  /// - Parameter fields: The fields that the list has.
  /// - Throws: ``UsageError`` that names the condition that is wrong, and the fields.
  init(_ words: [String], fields: [String]) throws(UsageError) {
    var texts: [String] = []
    for word in words {
      guard let (field, value) = Self.condition(word) else {
        texts.append(word)
        continue
      }
      let known = fields.map { $0 + ":" }.joined(separator: ", ")
      guard fields.contains(field) else {
        throw UsageError("no field '\(field)' in '\(word)'; the fields are \(known)")
      }
      guard !value.isEmpty else { throw UsageError("'\(word)' names no value") }
      switch field {
      case "app": app = value
      case "group": group = value
      case "version": version = value
      default:
        guard let state = GroupState(rawValue: value) else {
          throw UsageError("'\(word)': a group is open, resolved, ignored or regressed")
        }
        self.state = state
      }
    }
    text = texts.isEmpty ? nil : texts.joined(separator: " ")
  }

  /// `field:value`, unless it is text with a colon, such as `std::vector` or `-[View draw:]`.
  private static func condition(_ word: String) -> (field: String, value: String)? {
    guard let colon = word.firstIndex(of: ":") else { return nil }
    let field = word[..<colon]
    let value = word[word.index(after: colon)...]
    guard !field.isEmpty, field.allSatisfy({ $0.isASCII && $0.isLowercase || $0 == "." }),
      value.first != ":"
    else { return nil }
    return (String(field), String(value))
  }
}
