package import Documents
internal import HTTP
package import ServerStore

/// The body of `POST /api/v1/accounts`.
package struct AccountRequest: Documented, Equatable {
  package var name: String
  package var role: Account.Role
  package var app: String?
  /// Whether the first person of this name at the identity provider gets it, whatever its role.
  package var isFromProvider: Bool

  package init(name: String, role: Account.Role, app: String?, isFromProvider: Bool) {
    self.name = name
    self.role = role
    self.app = app
    self.isFromProvider = isFromProvider
  }

  package static let declaration = DocumentType(
    "AccountRequest",
    blank: AccountRequest(name: "", role: .viewer, app: nil, isFromProvider: false)
  ) {
    DocumentMember.text(
      "name", \.name, orThrow: .invalidDocument("name, the name of the account, is required"))
    DocumentMember("role", \.role, .word, "What it may do.", otherwise: .viewer)
    DocumentMember("app", optional: \.app, .appName(), "The only app that it can access.")
    DocumentMember(
      "from_provider", \.isFromProvider, .flag,
      "Whether the first person with the name at the identity provider gets it within a day.",
      otherwise: false)
  }
}

/// The body of `PUT /api/v1/accounts/NAME/role`.
package struct RoleRequest: Documented, Equatable {
  package var role: Account.Role

  package init(role: Account.Role) { self.role = role }

  package static let declaration = DocumentType("RoleRequest", blank: RoleRequest(role: .viewer)) {
    DocumentMember(
      "role", \.role, .word, "What the account may do.",
      missing: HTTPError.invalidDocument("role is viewer, triage or admin"))
  }
}
