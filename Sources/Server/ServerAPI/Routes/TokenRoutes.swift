internal import APIDocuments
internal import Documents
internal import HTTP
import ServerCore

/// Routes for tokens and the audit log.
enum TokenRoutes {
  static let all: [APIRoute] = [
    APIRoute(
      "GET", "/api/v1/tokens", "listTokens", "Tokens.", tag: "tokens", access: .admin,
      query: .pages,
      returns: .page("Token")
    ) { try TokensEndpoint(context: $1).list($0) },
    APIRoute(
      "POST", "/api/v1/tokens", "makeToken", "Create a token.", tag: "tokens", access: .admin,
      input: .json([
        .always("label", .text(atLeast: 1)), .always("scopes", .list(.scopes, atLeast: 1)),
        .maybe("app", .text(), "The only app that it is valid for."),
        .maybe("for", .length, "How long it is valid: 90d, 12h, 2w."),
      ]), returns: .json(.created, "The token.", .named("NewToken"))
    ) { try TokensEndpoint(context: $1).make($0) },
    APIRoute(
      "DELETE", "/api/v1/tokens/:id", "revokeToken", "Revoke a token.", tag: "tokens",
      access: .admin,
      returns: .empty(.noContent, "The token stops working within five seconds.")
    ) { try TokensEndpoint(context: $1).revoke($0) },
    APIRoute(
      "GET", "/api/v1/audit", "listAudit", "The audit log, newest entries first.",
      tag: "tokens", access: .admin, query: .pages, returns: .page("AuditEntry")
    ) { try TokensEndpoint(context: $1).audit($0) },
  ]
}
