extension APIComponent {
  /// The members as the rows of a Markdown table.
  package var table: [String] {
    ["| member | type | meaning |", "|---|---|---|"]
      + members.map { member in
        "| `\(member.name)` | \(member.schema.word)\(member.isRequired ? ", always" : "") | "
          + member.explanation + " |"
      }
  }
}

extension APIMember {
  /// The meaning, followed by the permitted words, or by the members of an object without a name.
  fileprivate var explanation: String {
    guard let details = schema.details else { return meaning ?? "" }
    guard let meaning else { return details }
    return (meaning.hasSuffix(".") ? String(meaning.dropLast()) : meaning) + ": " + details
  }
}

extension APISchema {
  /// The display name of the type.
  fileprivate var word: String {
    switch self {
    case .text(format: "date-time", _, _): "time"
    case .text(format: "date", _, _): "day"
    case .text, .choice: "string"
    case .integer, .number, .share: "number"
    case .flag: "boolean"
    case .list: "array"
    case .map, .object, .named, .component: "object"
    case .either(let schemas): schemas.map(\.word).joined(separator: " or ")
    case .nothing: "null"
    case .bytes: "bytes"
    }
  }

  fileprivate var details: String? {
    switch self {
    case .choice(let words): words.map { "`\($0)`" }.joined(separator: ", ")
    case .list(let element, _, _): element.reference ?? element.details
    case .object(let members, _):
      members.map { member in
        if case .choice(let words) = member.schema {
          "`\(member.name)` (\(words.map { "`\($0)`" }.joined(separator: ", ")))"
        } else {
          "`\(member.name)`"
        }
      }.joined(separator: ", ")
    case .component, .named: reference
    case .integer(let range?) where range.lowerBound == range.upperBound: "\(range.lowerBound)"
    case .share: "from 0 to 1"
    case .text, .integer, .number, .flag, .map, .either, .nothing, .bytes: nil
    }
  }

  /// A link to the section of a document with a name.
  private var reference: String? {
    switch self {
    case .component(let component): "[\(component.name)](#\(component.name.lowercased()))"
    case .named(let name): "[\(name)](#\(name.lowercased()))"
    default: nil
    }
  }
}
