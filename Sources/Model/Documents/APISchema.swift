package import JSON

/// The permitted forms of a JSON value, as a schema of OpenAPI 3.1 (JSON Schema 2020-12).
package indirect enum APISchema: Sendable {
  /// - Parameter format: A name of JSON Schema, such as `date-time`.
  case text(format: String? = nil, pattern: String? = nil, atLeast: Int? = nil)
  case choice([String])
  case integer(ClosedRange<Int>? = nil)
  case number
  /// From 0 to 1.
  case share
  case flag
  case list(APISchema, atLeast: Int? = nil, atMost: Int? = nil)
  /// An object whose keys are data.
  case map(APISchema)
  /// An object; one that is closed has no other members.
  case object([APIMember], isClosed: Bool = false)
  /// One of the document's own schemas.
  case named(String)
  /// One of the document's own schemas, by its declaration.
  case component(APIComponent)
  case either([APISchema])
  /// `null`
  case nothing
  /// Bytes of any kind.
  case bytes

  package static let count = APISchema.integer(0...Int.max)
  package static let time = APISchema.text(format: "date-time")
  package static let day = APISchema.text(format: "date")
  package static let digest = APISchema.text(pattern: "^[0-9A-Fa-f]{64}$")
  /// A duration: `30d`.
  package static let length = APISchema.text(pattern: "^[1-9][0-9]{0,3}[mhdw]$")
  package static let address = APISchema.text(pattern: "^0x[0-9a-f]+$")

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writeMembers(to: &writer)
    writer.endObject()
  }

  package func writeMembers(to writer: inout JSONWriter) {
    switch self {
    case .text(let format, let pattern, let length):
      writer.member("type", "string")
      writer.member("format", format)
      writer.member("pattern", pattern)
      writer.member("minLength", length)
    case .choice(let words):
      writer.member("type", "string")
      writer.member("enum", words)
    case .integer(let range):
      writer.member("type", "integer")
      if let range {
        writer.member("minimum", range.lowerBound)
        if range.upperBound < Int.max { writer.member("maximum", range.upperBound) }
      }
    case .number: writer.member("type", "number")
    case .share:
      writer.member("type", "number")
      writer.member("minimum", 0)
      writer.member("maximum", 1)
    case .flag: writer.member("type", "boolean")
    case .list(let element, let least, let limit):
      writer.member("type", "array")
      writer.key("items")
      element.write(to: &writer)
      writer.member("minItems", least)
      writer.member("maxItems", limit)
    case .map(let value):
      writer.member("type", "object")
      writer.key("additionalProperties")
      value.write(to: &writer)
    case .object(let members, let isClosed): write(members, isClosed, to: &writer)
    case .named(let name): writer.member("$ref", "#/components/schemas/\(name)")
    case .component(let component):
      writer.member("$ref", "#/components/schemas/\(component.name)")
    case .either(let schemas):
      writer.key("anyOf")
      writer.beginArray()
      for schema in schemas { schema.write(to: &writer) }
      writer.endArray()
    case .nothing: writer.member("type", "null")
    case .bytes: break
    }
  }

  private func write(
    _ members: [APIMember], _ isClosed: Bool, to writer: inout JSONWriter
  ) {
    writer.member("type", "object")
    writer.key("properties")
    writer.beginObject()
    for member in members {
      writer.key(member.name)
      writer.beginObject()
      member.schema.writeMembers(to: &writer)
      writer.member("description", member.meaning)
      if let example = member.example {
        writer.key("examples")
        writer.value(.array([example]))
      }
      writer.endObject()
    }
    writer.endObject()
    let required = members.filter(\.isRequired).map(\.name)
    if !required.isEmpty { writer.member("required", required) }
    if isClosed { writer.member("additionalProperties", false) }
  }

  /// The schemas that this one refers to by their declarations, together with their own references.
  package var components: [APIComponent] {
    switch self {
    case .component(let component): [component]
    case .list(let element, _, _), .map(let element): element.components
    case .object(let members, _): members.flatMap(\.schema.components)
    case .either(let schemas): schemas.flatMap(\.components)
    case .text, .choice, .integer, .number, .share, .flag, .named, .nothing, .bytes: []
    }
  }
}
