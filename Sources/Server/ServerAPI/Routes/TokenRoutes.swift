internal import APIDocuments
internal import Documents
internal import HTTP
import ServerCore

/// Routes for tokens and the audit log.
enum TokenRoutes {
  static let all: [APIRoute] = [
    APIRoute(
      .listTokens, "Tokens.", tag: "tokens", access: .admin, returns: .page("Token")
    ) { try TokensEndpoint(context: $1).list($0) },
    APIRoute(
      .makeToken, "Create a token.", tag: "tokens", access: .admin,
      returns: .json(.created, "The token.", .named("NewToken")), refusals: [.notFound]
    ) { try TokensEndpoint(context: $1).make($0) },
    APIRoute(
      .revokeToken, "Revoke a token.", tag: "tokens", access: .admin,
      returns: .empty(.noContent, "The token stops working within five seconds.")
    ) { try TokensEndpoint(context: $1).revoke($0) },
    APIRoute(
      .beginSignIn, "Ask for a token for a command, which an account grants on a page.",
      tag: "tokens", access: .anyone,
      returns: .json(.created, "The codes.", .named("CommandSignIn")),
      refusals: [.tooManyRequests]
    ) { try CommandSignInEndpoint(context: $1).begin($0) },
    APIRoute(
      .finishSignIn, "Ask whether an account granted the token.", tag: "tokens", access: .anyone,
      returns: .json(.ok, "The state, and the token.", .named("CommandToken"))
    ) { try CommandSignInEndpoint(context: $1).finish($0) },
    APIRoute(
      .listAudit, "The audit log, newest entries first.",
      tag: "tokens", access: .admin, returns: .page("AuditEntry")
    ) { try TokensEndpoint(context: $1).audit($0) },
  ]
}
