package import JSON

/// A member of an object.
package struct APIMember: Sendable {
  package let name: String
  package let schema: APISchema
  package let meaning: String?
  package let isRequired: Bool
  /// An example of the value.
  package var example: JSONValue?

  /// A member that is always present.
  package static func always(
    _ name: String, _ schema: APISchema, _ meaning: String? = nil, example: DocumentExample? = nil
  ) -> APIMember {
    APIMember(
      name: name, schema: schema, meaning: meaning, isRequired: true, example: example?.value)
  }

  /// A member that may be absent.
  package static func maybe(
    _ name: String, _ schema: APISchema, _ meaning: String? = nil, example: DocumentExample? = nil
  ) -> APIMember {
    APIMember(
      name: name, schema: schema, meaning: meaning, isRequired: false, example: example?.value)
  }

  package init(
    name: String, schema: APISchema, meaning: String?, isRequired: Bool, example: JSONValue? = nil
  ) {
    self.name = name
    self.schema = schema
    self.meaning = meaning
    self.isRequired = isRequired
    self.example = example
  }
}

/// A schema with a name of its own.
package struct APIComponent: Sendable {
  package let name: String
  /// Created on demand: a document may contain documents of its own kind.
  private let makeMembers: @Sendable () -> [APIMember]

  package init(_ name: String, members: @escaping @Sendable () -> [APIMember]) {
    self.name = name
    makeMembers = members
  }

  package var members: [APIMember] { makeMembers() }
  package var schema: APISchema { .object(members) }
}

extension [APIComponent] {
  /// All of these and the components that they refer to, each once, in the order of first reference.
  package var closed: [APIComponent] {
    var found: [APIComponent] = []
    var names: Set<String> = []
    var rest = Array(reversed())
    while let next = rest.popLast() {
      guard names.insert(next.name).inserted else { continue }
      found.append(next)
      rest += next.schema.components.reversed()
    }
    return found
  }
}
