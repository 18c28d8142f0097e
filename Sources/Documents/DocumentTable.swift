internal import JSON

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
  /// The meaning, the words that there may be, and the members of an object without a name.
  fileprivate var explanation: String {
    var parts: [String] = []
    if let meaning { parts.append(meaning) }
    if let details = schema.details { parts.append(details) }
    if parts.isEmpty, let example {
      var writer = JSONWriter()
      writer.value(example)
      parts.append("such as `\(String(decoding: writer.bytes, as: UTF8.self))`")
    }
    return parts.joined(separator: " ")
  }
}

extension APISchema {
  /// What a reader calls the type.
  fileprivate var word: String {
    switch self {
    case .text(format: "date-time", _, _): "time"
    case .text(format: "date", _, _): "day"
    case .text, .choice: "string"
    case .integer, .number: "number"
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
      members.map { "`\($0.name)`" }.joined(separator: ", ")
    case .component: reference
    default: nil
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
