internal import APIDocuments
internal import Bytes
internal import Documents
internal import JSON

extension APISchema {
  /// The schema as a JSON document of its own.
  var document: JSONValue {
    var writer = JSONWriter()
    standalone.write(to: &writer)
    // What the writer wrote is read again: a schema has no other form as a value.
    return (try? JSONDocument.parse(ByteView(writer.takeBytes())).value) ?? .object([])
  }

  /// The schema with its components in their places, as it stands outside of the API's description.
  var standalone: APISchema {
    switch self {
    case .component(let component): .object(component.members.map(\.standalone))
    case .object(let members, let isClosed):
      .object(members.map(\.standalone), isClosed: isClosed)
    case .list(let element, let least, let most):
      .list(element.standalone, atLeast: least, atMost: most)
    case .map(let value): .map(value.standalone)
    case .either(let schemas): .either(schemas.map(\.standalone))
    default: self
    }
  }
}

extension APIMember {
  /// The member without its example, with the components of its schema in their places.
  var standalone: APIMember {
    APIMember(name: name, schema: schema.standalone, meaning: meaning, isRequired: isRequired)
  }

  /// The member for a parameter of the API.
  init(_ parameter: APIParameter) {
    self.init(
      name: parameter.name, schema: parameter.schema, meaning: parameter.meaning,
      isRequired: parameter.isRequired)
  }
}

/// Some members of a document: answers to a model are small.
struct DocumentSelection<Value: Documented>: Sendable {
  let names: Set<String>

  init(_ names: String...) {
    self.names = Set(names)
    let known = Value.declaration.schemaMembers.map(\.name)
    precondition(self.names.isSubset(of: known), "\(Value.declaration.name): unknown members")
  }

  var schema: APISchema {
    .object(Value.declaration.schemaMembers.filter { names.contains($0.name) }.map(\.standalone))
  }

  /// - Throws: `ParseError` for a document that nests too deep.
  func document(of value: Value) throws -> JSONValue {
    var writer = JSONWriter()
    writer.write(value)
    let document = try JSONDocument.parse(ByteView(writer.takeBytes())).value
    return .object((document.object ?? []).filter { names.contains($0.key) })
  }
}
