package import JSON

/// A member of an object.
package struct APIMember: Sendable {
  package let name: String
  package let schema: APISchema
  package let meaning: String?
  package let isRequired: Bool
  /// What a value may look like.
  package var example: JSONValue?

  /// One that is always there.
  package static func always(
    _ name: String, _ schema: APISchema, _ meaning: String? = nil, example: DocumentExample? = nil
  ) -> APIMember {
    APIMember(
      name: name, schema: schema, meaning: meaning, isRequired: true, example: example?.value)
  }

  /// One that may be absent.
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
  /// Made when it is asked for: a document may hold documents of its own kind.
  private let makeMembers: @Sendable () -> [APIMember]

  package init(_ name: String, members: @escaping @Sendable () -> [APIMember]) {
    self.name = name
    makeMembers = members
  }

  package var members: [APIMember] { makeMembers() }
  package var schema: APISchema { .object(members) }
}

extension [APIComponent] {
  /// These and all that they refer to, each once, in the order in which they are met.
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
