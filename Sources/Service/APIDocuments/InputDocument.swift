internal import Bytes
internal import CrashService
package import CrashStore
package import Documents
package import HTTP
package import Identifiers
internal import JSON

/// The JSON object in the body of a request.
///
/// A misspelt member, or one of another type, would be ignored silently while the rest is applied: so it is
/// refused.
package struct InputDocument {
  private let members: [JSONMember]

  /// - Throws: `HTTPError`, also for a member that the route does not declare.
  package init(_ request: Request) throws {
    let names = request.bodyMembers
    let bytes = request.bytes
    guard !bytes.isEmpty else {
      members = []
      return
    }
    try request.requireJSON()
    guard let parse = try? JSONDocument.parse(bytes), parse.cut == nil,
      let object = parse.value.object
    else {
      throw HTTPError.refused(.badRequest, "the body is not a JSON object", code: .invalidDocument)
    }
    if let other = object.first(where: { !names.contains($0.key) }) {
      throw HTTPError.refused(
        .badRequest,
        "'\(other.key.prefix(80))' is unknown; "
          + (names.isEmpty
            ? "no members are expected" : "members are \(names.joined(separator: ", "))"),
        code: .invalidDocument, member: String(other.key.prefix(80)))
    }
    guard Set(object.map(\.key)).count == object.count else {
      throw HTTPError.refused(.badRequest, "a member appears twice", code: .invalidDocument)
    }
    members = object
  }

  /// Returns a text member of a body that may be anything.
  package static func text(_ name: String, in request: Request) -> String? {
    guard !request.bytes.isEmpty, let parse = try? JSONDocument.parse(request.bytes) else {
      return nil
    }
    return parse.value[name]?.string
  }

  /// Returns an error with a description.
  package func refusal(_ words: String, _ member: String? = nil) -> HTTPError {
    .refused(.badRequest, words, code: .invalidDocument, member: member)
  }

  private func value<Value>(
    _ name: String, _ what: String, _ read: (JSONValue) -> Value?
  ) throws -> Value? {
    guard let member = members.first(where: { $0.key == name }) else { return nil }
    guard let value = read(member.value) else { throw refusal("\(name) is \(what)", name) }
    return value
  }

  /// Returns a member of any declared type.
  package func value<Value>(_ name: String, _ type: DocumentValue<Value>) throws -> Value? {
    guard let member = members.first(where: { $0.key == name }) else { return nil }
    do {
      return try type.read(member.value)
    } catch let error as DocumentError {
      throw refusal("\(error.within(name))", name)
    }
  }

  package func text(_ name: String) throws -> String? { try value(name, "a text", \.string) }
  package func flag(_ name: String) throws -> Bool? { try value(name, "true or false", \.bool) }

  package func integer(_ name: String, from least: Int) throws -> Int? {
    try value(name, "a whole number from \(least) up") { value in
      value.integer.flatMap { $0 >= least ? $0 : nil }
    }
  }

  package func texts(_ name: String) throws -> [String]? {
    try value(name, "a list of texts") { value in
      guard let list = value.array else { return nil }
      let texts = list.compactMap(\.string)
      return texts.count == list.count ? texts : nil
    }
  }

  package func time(_ name: String) throws -> Timestamp? {
    try value(name, "a time such as 2026-03-01T00:00:00Z") { $0.string.flatMap { Timestamp($0) } }
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
