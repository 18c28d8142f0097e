internal import APIDocuments
internal import Documents
internal import HTTP
import ServerCore

/// Routes for the accounts that sign in to the pages.
enum AccountRoutes {
  static let all: [APIRoute] = [
    APIRoute(
      .listAccounts, "Accounts, by name.", tag: "accounts", access: .admin,
      returns: .page("Account")
    ) { try AccountsEndpoint(context: $1).list($0) },
    APIRoute(
      .addAccount, "Add an account, and get a link that signs in once.", tag: "accounts",
      access: .admin, returns: .json(.created, "The account.", .named("NewAccount")),
      refusals: [.notFound, .conflict]
    ) { try AccountsEndpoint(context: $1).add($0) },
    APIRoute(
      .makeSignInLink, "Make a new link that signs in once. Older links stop working.",
      tag: "accounts", access: .admin,
      returns: .json(.created, "The link.", .named("SignInLink"))
    ) { try AccountsEndpoint(context: $1).makeLink($0) },
    APIRoute(
      .setRole, "Change the role of an account.", tag: "accounts", access: .admin,
      returns: .json(.ok, "The account.", .named("Account")), refusals: [.conflict]
    ) { try AccountsEndpoint(context: $1).setRole($0) },
    APIRoute(
      .removeAccount, "Remove an account, and sign it out everywhere.", tag: "accounts",
      access: .admin, returns: .empty(.noContent, "Removed."), refusals: [.conflict]
    ) { try AccountsEndpoint(context: $1).remove($0) },
  ]
}
