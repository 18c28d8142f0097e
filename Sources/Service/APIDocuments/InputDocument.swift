internal import CrashService
internal import Bytes
package import CrashModel
package import CrashStore
package import Documents
package import HTTP
internal import JSON

/// The JSON object that came as the body of a request.
///
/// A member that is misspelt or of another type would be left out silently, and the rest be done: so
/// it is refused.
package struct InputDocument {
  private let members: [JSONMember]

  /// - Parameter names: Of the members that there may be.
  /// - Throws: `HTTPError`.
  package init(_ request: Request, names: [String]) throws {
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
            ? "nothing is asked for" : "members are \(names.joined(separator: ", "))"),
        code: .invalidDocument, member: String(other.key.prefix(80)))
    }
    guard Set(object.map(\.key)).count == object.count else {
      throw HTTPError.refused(.badRequest, "a member stands twice", code: .invalidDocument)
    }
    members = object
  }

  /// A member of a body that may be anything.
  package static func text(_ name: String, in request: Request) -> String? {
    guard !request.bytes.isEmpty, let parse = try? JSONDocument.parse(request.bytes) else {
      return nil
    }
    return parse.value[name]?.string
  }

  /// An error that says what is wrong.
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

  /// A member of any declared type.
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
  /// A page of another site can make a browser send any other type, with the password that it keeps.
  ///
  /// - Throws: `HTTPError` for a body, other than an empty one, that does not say that it is JSON.
  package func requireJSON() throws {
    guard bytes.isEmpty || head.contentType == "application/json" else {
      throw HTTPError.refused(
        .unsupportedMediaType, "the body must be JSON with Content-Type: application/json")
    }
  }
}

extension AppName {
  /// - Throws: `HTTPError` for what can be no name of an app: nothing must be accepted for it.
  ///
  /// - Parameter isMember: Whether it comes in the body, not in the query.
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
