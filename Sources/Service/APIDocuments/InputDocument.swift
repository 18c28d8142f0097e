internal import Bytes
internal import CrashService
package import CrashStore
package import Documents
package import HTTP
internal import JSON

extension Documented {
  /// Reads the JSON object in the body of a request.
  ///
  /// - Throws: `HTTPError` that describes what is invalid.
  package init(_ request: Request) throws { self = try InputDocument.read(request) }
}

/// The JSON object in the body of a request.
///
/// A misspelt member, or one of another type, would be ignored silently while the rest is applied: so it is
/// refused.
package enum InputDocument {
  /// Returns the value of a body.
  ///
  /// - Throws: `HTTPError`, also for a member that the type does not declare.
  package static func read<Value: Documented>(_ request: Request) throws -> Value {
    try read(request, as: Value.declaration)
  }

  /// Returns the value of a body in one of the forms of its type.
  ///
  /// - Throws: `HTTPError`, also for a member that the form does not declare.
  package static func read<Value>(
    _ request: Request, as type: DocumentType<Value>
  ) throws -> Value {
    let members = try members(of: request, among: type.schemaMembers.map(\.name))
    do {
      return try type.read(.object(members), refusingNull: true)
    } catch let error as DocumentError {
      if case .wrong(let wanted) = error.problem, let name = error.member, name == error.path {
        throw HTTPError.invalidDocument("\(name) is \(wanted)", name)
      }
      throw HTTPError.invalidDocument("\(error)", error.member)
    }
  }

  private static func members(of request: Request, among names: [String]) throws -> [JSONMember] {
    let bytes = request.bytes
    guard !bytes.isEmpty else { return [] }
    try request.requireJSON()
    guard let parse = try? JSONDocument.parse(bytes), parse.cut == nil,
      let object = parse.value.object
    else { throw HTTPError.invalidDocument("the body is not a JSON object") }
    if let other = object.first(where: { !names.contains($0.key) }) {
      throw HTTPError.invalidDocument(
        "'\(other.key.prefix(80))' is unknown; "
          + (names.isEmpty
            ? "no members are expected" : "members are \(names.joined(separator: ", "))"),
        String(other.key.prefix(80)))
    }
    guard Set(object.map(\.key)).count == object.count else {
      throw HTTPError.invalidDocument("a member appears twice")
    }
    return object
  }

  /// Returns a text member of a body that may be anything.
  static func text(_ name: String, in request: Request) -> String? {
    guard !request.bytes.isEmpty, let parse = try? JSONDocument.parse(request.bytes) else {
      return nil
    }
    return parse.value[name]?.string
  }
}

extension HTTPError {
  /// Returns the refusal of a JSON body.
  ///
  /// - Parameter member: The invalid member; `nil` for several, or for the whole body.
  package static func invalidDocument(_ words: String, _ member: String? = nil) -> HTTPError {
    .refused(.badRequest, words, code: .invalidDocument, member: member)
  }
}

extension Request {
  /// Requires a JSON body: a page of another site can make a browser send any other type, with the password
  /// that the browser stores.
  ///
  /// - Throws: `HTTPError` for a non-empty body that is not declared as JSON.
  package func requireJSON() throws {
    guard bytes.isEmpty || head.contentType == "application/json" else {
      throw HTTPError.refused(
        .unsupportedMediaType, "the body must be JSON with Content-Type: application/json")
    }
  }
}

extension AppName {
  /// - Throws: `HTTPError` for a text that can't be an app's name: nothing must be accepted for it.
  ///
  /// - Parameter isMember: Whether the name is in the body, not in the query.
  package static func checked(_ name: String, isMember: Bool = false) throws -> String {
    guard isValid(name) else {
      throw HTTPError.refused(
        .badRequest, "app: '\(name.prefix(80).description.printable)' is not a valid app name",
        code: isMember ? .invalidDocument : .invalidParameter, parameter: isMember ? nil : "app",
        member: isMember ? "app" : nil)
    }
    return name
  }
}
