internal import APIDocuments
internal import Bytes
internal import CrashService
internal import CrashStore
internal import Documents
package import HTTP
internal import Identifiers
package import ServerCore
internal import ServerStore

/// Tokens and the audit log.
package struct TokensEndpoint {
  package let context: ServerContext

  package func list(_ request: Request) throws -> Response {
    .page(try ListPaging(request).page(of: try context.tokens.all(), key: \.id)) { $0.write($1) }
  }

  /// `{"label", "scopes": [...], "app", "for": "90d"}`; the token's text is only in this response.
  package func make(_ request: Request) throws -> Response {
    let input = try TokenRequest(request)
    return try .refusing {
      let app = try input.app.map(context.store.apps.existingName(of:))
      let (token, text) = try context.tokens.make(
        label: input.label, scopes: input.scopes, app: app,
        expires: input.length?.end(from: .now), now: .now)
      try note("make token", token.id, request)
      return .document(status: .created) { $0.write(NewToken(text: text, token: token)) }
    }
  }

  package func revoke(_ request: Request) throws -> Response {
    let id = request.parameters["id"] ?? ""
    guard try context.tokens.revoke(id, now: .now) else {
      return .problem(.notFound, "no token has the id \(id), or it was already revoked")
    }
    try note("revoke token", id, request)
    return .empty()
  }

  package func audit(_ request: Request) throws -> Response {
    let paging = try ListPaging(request)
    let entries = try context.audit.latest(paging.limitAndOne, before: paging.number)
    let page = paging.page(from: entries, total: try context.audit.count()) { $0.number }
    return .page(page) { $0.write($1.entry) }
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
