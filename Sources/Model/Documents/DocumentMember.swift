internal import JSON

/// A member of the documents of a type: its name, the property with its value, how that is written and read,
/// and its meaning.
package struct DocumentMember<Root>: Sendable {
  package let schema: APIMember
  /// Writes the key and the value, or nothing where the member is omitted.
  let write: @Sendable (Root, inout JSONWriter) -> Void
  /// Reads the value from the members of an object; `nil` for a member derived from others.
  let read: (@Sendable (inout Root, DocumentMembers) throws -> Void)?
  /// Whether it is read after the document's check.
  private(set) var isReadLast = false

  /// A member that is always there.
  ///
  /// - Parameter missing: The error if it is not there; `nil` for ``DocumentError/Problem/missing``.
  package init<Value>(
    _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable,
    _ value: DocumentValue<Value>,
    _ meaning: String? = nil, example: DocumentExample? = nil, missing: (any Error)? = nil
  ) {
    schema = APIMember(
      name: name, schema: value.schema, meaning: meaning, isRequired: true,
      example: example?.value ?? value.example)
    write = { root, writer in
      writer.key(name)
      value.write(root[keyPath: path], &writer)
    }
    read = { root, object in
      let null = value.schema.allowsNull ? object.value[name] : nil
      guard let found = object[name] ?? null else {
        throw missing ?? DocumentError(.missing, at: name)
      }
      root[keyPath: path] = try found.read(value, name)
    }
  }

  /// A member that is omitted while its value is `nil`.
  ///
  /// - Parameter isRequired: Whether the schema requires it, although it is read without an error.
  package init<Value>(
    _ name: String, optional path: any WritableKeyPath<Root, Value?> & Sendable,
    _ value: DocumentValue<Value>, _ meaning: String? = nil, example: DocumentExample? = nil,
    isRequired: Bool = false
  ) {
    schema = APIMember(
      name: name, schema: value.schema, meaning: meaning, isRequired: isRequired,
      example: example?.value ?? value.example)
    write = { root, writer in
      guard let found = root[keyPath: path] else { return }
      writer.key(name)
      value.write(found, &writer)
    }
    read = { root, object in
      root[keyPath: path] = try object[name]?.read(value, name)
    }
  }

  /// A member that is always written, and may be absent when read.
  ///
  /// - Parameters:
  ///   - standard: The value of an absent member.
  ///   - isRequired: Whether the schema requires it, although it is read without an error.
  package init<Value: Sendable>(
    _ name: String, _ path: any WritableKeyPath<Root, Value> & Sendable,
    _ value: DocumentValue<Value>, _ meaning: String? = nil, otherwise standard: Value,
    isRequired: Bool = false
  ) {
    schema = APIMember(
      name: name, schema: value.schema, meaning: meaning, isRequired: isRequired,
      example: value.example)
    write = { root, writer in
      writer.key(name)
      value.write(root[keyPath: path], &writer)
    }
    read = { root, object in
      root[keyPath: path] = try object[name]?.read(value, name) ?? standard
    }
  }

  /// A member that is omitted while its value is empty.
  package init<Value: RangeReplaceableCollection & Sendable>(
    _ name: String, nonEmpty path: any WritableKeyPath<Root, Value> & Sendable,
    _ value: DocumentValue<Value>, _ meaning: String? = nil, example: DocumentExample? = nil
  ) {
    schema = APIMember(
      name: name, schema: value.schema, meaning: meaning, isRequired: false,
      example: example?.value ?? value.example)
    write = { root, writer in
      let found = root[keyPath: path]
      guard !found.isEmpty else { return }
      writer.key(name)
      value.write(found, &writer)
    }
    read = { root, object in
      root[keyPath: path] = try object[name]?.read(value, name) ?? Value()
    }
  }

  /// A member derived from the others: it is written, but not read.
  package init<Value>(
    _ name: String, derived get: @escaping @Sendable (Root) -> Value, _ value: DocumentValue<Value>,
    _ meaning: String? = nil, example: DocumentExample? = nil
  ) {
    schema = APIMember(
      name: name, schema: value.schema, meaning: meaning, isRequired: true,
      example: example?.value ?? value.example)
    write = { root, writer in
      writer.key(name)
      value.write(get(root), &writer)
    }
    read = nil
  }

  /// A member derived from the others that may be omitted: it is written, but not read.
  package init<Value>(
    _ name: String, derivedOptional get: @escaping @Sendable (Root) -> Value?,
    _ value: DocumentValue<Value>, _ meaning: String? = nil, example: DocumentExample? = nil
  ) {
    schema = APIMember(
      name: name, schema: value.schema, meaning: meaning, isRequired: false,
      example: example?.value ?? value.example)
    write = { root, writer in
      guard let found = get(root) else { return }
      writer.key(name)
      value.write(found, &writer)
    }
    read = nil
  }

  /// An object that contains some of the members of the type itself.
  ///
  /// - Parameter isPresent: Whether it is written; `nil` for an object that is always there.
  package init(
    object name: String, _ meaning: String? = nil,
    where isPresent: (@Sendable (Root) -> Bool)? = nil,
    @DocumentBuilder<Root> _ members: () -> [DocumentMember<Root>]
  ) {
    let members = members()
    schema = APIMember(
      name: name, schema: .object(members.map(\.schema)), meaning: meaning,
      isRequired: isPresent == nil)
    write = { root, writer in
      guard isPresent?(root) ?? true else { return }
      writer.key(name)
      writer.beginObject()
      for member in members { member.write(root, &writer) }
      writer.endObject()
    }
    read = { root, object in
      guard let found = object[name] else {
        guard isPresent == nil else { return }
        throw DocumentError(.missing, at: name)
      }
      guard found.object != nil else { throw DocumentError(.wrong("an object"), at: name) }
      do {
        let found = DocumentMembers(value: found, refusesNull: object.refusesNull)
        for member in members { try member.read?(&root, found) }
      } catch let error as DocumentError {
        throw error.within(name)
      }
    }
  }

  /// The version of the document's format.
  package init(schema version: Int) {
    schema = APIMember(
      name: "schema", schema: .integer(version...version),
      meaning: "The version of this form of document.", isRequired: true)
    write = { _, writer in writer.member("schema", version) }
    read = nil
  }

  fileprivate init(
    schema: APIMember, write: @escaping @Sendable (Root, inout JSONWriter) -> Void,
    read: (@Sendable (inout Root, DocumentMembers) throws -> Void)?
  ) {
    self.schema = schema
    self.write = write
    self.read = read
  }

  /// The same member, read after the document's check, whose error therefore comes first.
  package func afterCheck() -> DocumentMember {
    var member = self
    member.isReadLast = true
    return member
  }

  /// The same member for documents that contain values of this member's type.
  func at<Outer>(_ path: any WritableKeyPath<Outer, Root> & Sendable) -> DocumentMember<Outer> {
    var member = DocumentMember<Outer>(
      schema: schema, write: { [write] in write($0[keyPath: path], &$1) },
      read: read.map { read in
        { @Sendable in try read(&$0[keyPath: path], $1) }
      })
    member.isReadLast = isReadLast
    return member
  }
}

/// An example of a value, as a literal.
package struct DocumentExample: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByArrayLiteral
{
  let value: JSONValue

  package init(stringLiteral text: String) { value = .string(text) }
  package init(integerLiteral number: Int64) { value = .integer(number) }
  package init(floatLiteral number: Double) { value = .double(number) }
  package init(arrayLiteral elements: DocumentExample...) { value = .array(elements.map(\.value)) }
}

extension APISchema {
  /// Whether `null` is a value rather than the absence of one.
  fileprivate var allowsNull: Bool {
    guard case .either(let schemas) = self else { return false }
    return schemas.contains { schema in
      if case .nothing = schema { true } else { false }
    }
  }
}

/// The members of an object that is read.
struct DocumentMembers {
  let value: JSONValue
  /// Whether `null` is a value of the wrong type; otherwise it counts as absent.
  let refusesNull: Bool

  subscript(name: String) -> JSONValue? {
    value[name].flatMap { $0.isNull && !refusesNull ? nil : $0 }
  }
}

extension JSONValue {
  fileprivate func read<Value>(_ type: DocumentValue<Value>, _ name: String) throws -> Value {
    do {
      return try type.read(self)
    } catch let error as DocumentError {
      throw error.within(name)
    }
  }
}
