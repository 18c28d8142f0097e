package import JSON

/// The JSON documents of a type, declared once: the writer, the reader, the schema and the manual's table are
/// all derived from the members.
///
///     extension VersionCount: Documented {
///       package static let declaration = DocumentType("VersionCount", blank: VersionCount(version: "", reports: 0)) {
///         DocumentMember("version", \.version, .text, "Empty where reports name none.", example: "1.4.0 (512)")
///         DocumentMember("reports", \.reports, .count)
///       }
///     }
package struct DocumentType<Value>: Sendable {
  /// The name of its schema.
  package let name: String
  private let members: [DocumentMember<Value>]
  /// The initial value for reading; `nil` for documents that are only written.
  private let blank: (@Sendable () -> Value)?
  private let check: @Sendable (Value) throws -> Void

  /// Creates documents that are written and read.
  ///
  /// - Parameters:
  ///   - blank: The initial value for reading, of which every member is replaced.
  ///   - check: Throws an error for members that exclude or require each other.
  package init(
    _ name: String, blank: @escaping @autoclosure @Sendable () -> Value,
    @DocumentBuilder<Value> _ members: () -> [DocumentMember<Value>],
    check: @escaping @Sendable (Value) throws -> Void = { _ in }
  ) {
    self.name = name
    self.blank = blank
    self.check = check
    self.members = members()
  }

  /// Creates documents that are only written.
  package init(
    writing name: String, @DocumentBuilder<Value> _ members: () -> [DocumentMember<Value>]
  ) {
    self.name = name
    blank = nil
    check = { _ in }
    self.members = members()
  }

  package var schemaMembers: [APIMember] { members.map(\.schema) }

  package var component: APIComponent { APIComponent(name) { [self] in schemaMembers } }

  /// Writes an object with the members.
  package func write(_ value: Value, to writer: inout JSONWriter) {
    writer.beginObject()
    writeMembers(of: value, to: &writer)
    writer.endObject()
  }

  /// Writes the members into the current object.
  package func writeMembers(of value: Value, to writer: inout JSONWriter) {
    for member in members { member.write(value, &writer) }
  }

  /// Reads an object. Undeclared members are skipped: a later version may add some.
  ///
  /// - Parameter refusesNull: Whether `null` is a value of the wrong type; otherwise it counts as absent.
  /// - Throws: ``DocumentError`` with the path of a member that is missing or of the wrong type, or for a
  ///   type that is only written; the error of a check.
  package func read(_ value: JSONValue, refusingNull refusesNull: Bool = false) throws -> Value {
    guard let blank else { throw DocumentError.wrong("a document that can be read") }
    guard value.object != nil else { throw DocumentError.wrong("an object") }
    let object = DocumentMembers(value: value, refusesNull: refusesNull)
    var result = blank()
    for member in members where !member.isReadLast { try member.read?(&result, object) }
    try check(result)
    for member in members where member.isReadLast { try member.read?(&result, object) }
    return result
  }

  /// The members for a document that contains a value of this type and more.
  package func members<Outer>(
    at path: any WritableKeyPath<Outer, Value> & Sendable
  ) -> [DocumentMember<Outer>] {
    members.map { $0.at(path) }
  }
}

/// A type with one form in documents.
package protocol Documented: Sendable {
  static var declaration: DocumentType<Self> { get }
}

extension JSONWriter {
  /// Writes a document.
  package mutating func write<Value: Documented>(_ value: Value) {
    Value.declaration.write(value, to: &self)
  }

  /// Writes a list of documents.
  package mutating func write<Value: Documented>(_ values: [Value]) {
    beginArray()
    for value in values { write(value) }
    endArray()
  }

  /// Writes the members of a document into the current object.
  package mutating func writeMembers<Value: Documented>(of value: Value) {
    Value.declaration.writeMembers(of: value, to: &self)
  }
}

/// Members listed one below the other, each type-checked on its own.
@resultBuilder
package enum DocumentBuilder<Root> {
  package static func buildExpression(_ member: DocumentMember<Root>) -> [DocumentMember<Root>] {
    [member]
  }

  package static func buildExpression(_ members: [DocumentMember<Root>]) -> [DocumentMember<Root>] {
    members
  }

  package static func buildEither(first members: [DocumentMember<Root>]) -> [DocumentMember<Root>] {
    members
  }

  package static func buildEither(
    second members: [DocumentMember<Root>]
  ) -> [DocumentMember<Root>] {
    members
  }

  package static func buildBlock(_ members: [DocumentMember<Root>]...) -> [DocumentMember<Root>] {
    members.flatMap { $0 }
  }
}
