internal import APIDocuments
internal import CrashService
internal import Bytes
internal import CrashModel
internal import CrashStore
package import HTTP
package import JSON
package import ServerStore

/// Tokens, and what was done with them.
package struct TokensEndpoint {
  package let context: ServerContext

  private static let entries = 1_000

  package func list() throws -> Response { .list(try context.tokens.all()) { $0.write($1) } }

  /// `{"label", "scopes": [...], "app", "for": "90d"}`; the text is in the answer, and nowhere else.
  package func make(_ request: Request) throws -> Response {
    let input = try InputDocument(request, names: ["label", "scopes", "app", "for"])
    guard let label = try input.text("label"), !label.isEmpty,
      let names = try input.texts("scopes"), !names.isEmpty
    else { throw input.refusal("a JSON object with label and scopes is needed") }
    let scopes = Set(
      try names.map { name in
        guard let scope = TokenScope(rawValue: name) else {
          throw input.refusal(
            "scopes are \(TokenScope.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return scope
      })
    var expires: Timestamp?
    if let text = try input.text("for") {
      guard let length = TimeLength(argument: text) else {
        throw input.refusal("for is a length of time such as 90d")
      }
      expires = length.end(from: .now)
    }
    let (token, text) = try context.tokens.make(
      label: label, scopes: scopes, app: try input.text("app").map { try AppName.checked($0) },
      expires: expires, now: .now)
    try note("make token", token.id, request)
    return .document(status: .created) { writer in
      writer.beginObject()
      writer.member("token", text)
      writer.writeMembers(of: token)
      writer.endObject()
    }
  }

  package func revoke(_ request: Request) throws -> Response {
    let id = request.parameters["id"] ?? ""
    guard try context.tokens.revoke(id, now: .now) else {
      return .problem(.notFound, "no token has the id \(id), or it was revoked before")
    }
    try note("revoke token", id, request)
    return .empty()
  }

  package func audit(_ request: Request) throws -> Response {
    .list(try context.audit.latest(Self.entries)) { writer, entry in
      writer.beginObject()
      writer.member("time", entry.time.description)
      writer.member("token", entry.token)
      writer.member("label", entry.label)
      writer.member("action", entry.action)
      writer.member("subject", entry.subject)
      writer.member("peer", entry.peer)
      writer.endObject()
    }
  }

  private func note(_ action: String, _ subject: String, _ request: Request) throws {
    let caller = try context.access.caller(of: request.head, .admin).get()
    try context.audit.note(
      .init(
        time: .now, token: caller.id, label: caller.label, action: action, subject: subject,
        peer: request.peer))
  }

  package init(context: ServerContext) {
    self.context = context
  }
}

extension JSONWriter {
  package mutating func write(_ token: Token) {
    beginObject()
    writeMembers(of: token)
    endObject()
  }

  package mutating func writeMembers(of token: Token) {
    member("id", token.id)
    member("label", token.label)
    member("scopes", token.scopes.map(\.rawValue).sorted())
    member("app", token.app)
    member("created", token.created.description)
    member("expires", token.expires?.description)
    member("revoked", token.revoked?.description)
    member("used", token.used?.description)
  }
}
