public import JSON

/// Holds values against schemas of JSON Schema 2020-12, as far as an OpenAPI document of ours has them.
///
/// An unknown keyword in a schema is a fault, too: nothing may count as checked that is not.
public struct SchemaValidator: Sendable {
  private let document: JSONValue
  private static let most = 20

  /// - Parameter document: An OpenAPI document, to which references are followed.
  public init(_ document: JSONValue) { self.document = document }

  /// Faults of `value`, each with its path; empty if it is valid.
  ///
  /// - Parameter isStrict: Whether members that an object's schema does not have are faults.
  public func faults(
    of value: JSONValue, against schema: JSONValue, isStrict: Bool = true
  ) -> [String] {
    var check = Check(document: document, isStrict: isStrict)
    check.check(value, schema, at: "")
    return Array(check.faults.prefix(Self.most))
  }

  /// Name of a schema among the document's components.
  public func faults(of value: JSONValue, named name: String) -> [String] {
    guard let schema = document["components"]?["schemas"]?[name] else {
      return ["no schema \(name)"]
    }
    return faults(of: value, against: schema)
  }

  private struct Check {
    let document: JSONValue
    let isStrict: Bool
    var faults: [String] = []

    private static let keywords: Set<String> = [
      "$ref", "type", "enum", "format", "pattern", "minLength", "minimum", "maximum", "items",
      "minItems", "maxItems", "properties", "required", "additionalProperties", "anyOf",
      "description", "examples",
    ]

    mutating func check(_ value: JSONValue, _ schema: JSONValue, at place: String) {
      guard let members = schema.object else { return fail(place, "the schema is not an object") }
      for member in members where !Self.keywords.contains(member.key) {
        fail(place, "the schema has a keyword that is not known: \(member.key)")
      }
      if let reference = schema["$ref"]?.string {
        var target: JSONValue? = document
        for part in reference.split(separator: "/").dropFirst() { target = target?[String(part)] }
        guard let target else { return fail(place, "nothing is at \(reference)") }
        return check(value, target, at: place)
      }
      if let choices = schema["anyOf"]?.array {
        let fits = choices.contains { choice in
          var other = Check(document: document, isStrict: isStrict)
          other.check(value, choice, at: place)
          return other.faults.isEmpty
        }
        if !fits { fail(place, "none of the schemas fits") }
      }
      if let type = schema["type"]?.string, !Self.isOf(type, value) {
        return fail(place, "not \(type)")
      }
      if let words = schema["enum"]?.array, !words.contains(value) {
        fail(place, "\(value) is not one of the values")
      }
      switch value {
      case .string(let text): check(text, schema, at: place)
      case .integer, .unsigned, .double: checkNumber(value, schema, at: place)
      case .array(let elements):
        if let least = schema["minItems"]?.integer, elements.count < least {
          fail(place, "fewer than \(least) elements")
        }
        if let most = schema["maxItems"]?.integer, elements.count > most {
          fail(place, "more than \(most) elements")
        }
        guard let items = schema["items"] else { return }
        for (index, element) in elements.enumerated() {
          check(element, items, at: "\(place)/\(index)")
        }
      case .object(let members): check(members, schema, at: place)
      case .null, .bool: break
      }
    }

    private mutating func check(_ text: String, _ schema: JSONValue, at place: String) {
      if let least = schema["minLength"]?.integer, text.unicodeScalars.count < least {
        fail(place, "shorter than \(least)")
      }
      if let pattern = schema["pattern"]?.string {
        do {
          if try Regex(pattern).firstMatch(in: text) == nil {
            fail(place, "does not match \(pattern)")
          }
        } catch {
          fail(place, "the pattern cannot be read: \(pattern)")
        }
      }
      switch schema["format"]?.string {
      case "date-time":
        if text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/) == nil {
          fail(place, "\(text) is not a time")
        }
      case "date":
        if text.wholeMatch(of: /\d{4}-\d\d-\d\d/) == nil { fail(place, "\(text) is not a day") }
      case nil, "uri-reference": break
      case let format?: fail(place, "the schema has a format that is not known: \(format)")
      }
    }

    private mutating func checkNumber(_ value: JSONValue, _ schema: JSONValue, at place: String) {
      guard let number = value.double else { return }
      if let least = schema["minimum"]?.double, number < least { fail(place, "less than \(least)") }
      if let most = schema["maximum"]?.double, number > most { fail(place, "more than \(most)") }
    }

    private mutating func check(_ members: [JSONMember], _ schema: JSONValue, at place: String) {
      let properties = schema["properties"]
      for name in (schema["required"]?.array ?? []).compactMap(\.string)
      where !members.contains(where: { $0.key == name }) {
        fail(place, "\(name) is missing")
      }
      var seen: Set<String> = []
      for member in members {
        let inner = place + "/" + member.key
        if !seen.insert(member.key).inserted { fail(inner, "it is there twice") }
        if let property = properties?[member.key] {
          check(member.value, property, at: inner)
        } else if let more = schema["additionalProperties"], more.object != nil {
          check(member.value, more, at: inner)
        } else if schema["additionalProperties"]?.bool == false
          || isStrict && properties?.object?.isEmpty == false
        {
          fail(inner, "the schema does not have it")
        }
      }
    }

    private static func isOf(_ type: String, _ value: JSONValue) -> Bool {
      switch (type, value) {
      case ("string", .string), ("boolean", .bool), ("null", .null), ("array", .array),
        ("object", .object), ("integer", .integer), ("integer", .unsigned), ("number", .integer),
        ("number", .unsigned), ("number", .double):
        true
      case ("integer", .double(let number)): number.rounded() == number
      default: false
      }
    }

    private mutating func fail(_ place: String, _ what: String) {
      faults.append("\(place.isEmpty ? "/" : place): \(what)")
    }
  }
}
