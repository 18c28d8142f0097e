internal import APIDocuments
internal import CrashService
internal import CrashStore
internal import Documents
package import HTTP
package import ServerCore
internal import ServerStore

/// Accounts that sign in to the pages. A token that manages them is one for all apps.
package struct AccountsEndpoint {
  package let context: ServerContext

  package func list(_ request: Request) throws -> Response {
    try .refusing {
      let accounts = try context.service(for: request.head).accounts()
      return .page(try ListPaging(request).page(of: accounts, key: \.account.name)) {
        $0.write($1)
      }
    }
  }

  package func add(_ request: Request) throws -> Response {
    let input = try AccountRequest(request)
    return try .refusing {
      var account = try context.service(for: request.head).addAccount(
        input.name, role: input.role, app: input.app,
        claimability: input.isFromProvider ? .byName : .upToDefaultRole)
      account.link.url = address(of: account.link, for: request.head)
      try note("add account", account.record.account.name, request)
      return .document(status: .created) { $0.write(account) }
    }
  }

  package func makeLink(_ request: Request) throws -> Response {
    try .refusing {
      var link = try context.service(for: request.head).makeSignInLink(forAccount: name(request))
      link.url = address(of: link, for: request.head)
      try note("make sign-in link", link.name, request)
      return .document(status: .created) { $0.write(link) }
    }
  }

  package func setRole(_ request: Request) throws -> Response {
    let input = try RoleRequest(request)
    return try .refusing {
      let record = try context.service(for: request.head)
        .setRole(input.role, ofAccount: name(request))
      try note("set role to \(input.role.rawValue)", record.account.name, request)
      return .document { $0.write(record) }
    }
  }

  package func remove(_ request: Request) throws -> Response {
    try .refusing {
      try context.service(for: request.head).removeAccount(name(request))
      try note("remove account", name(request), request)
      return .empty()
    }
  }

  private func name(_ request: Request) -> String { request.parameters["id"] ?? "" }

  private func address(of link: SignInLink, for head: RequestHead) -> String {
    (context.signIn.serverURL ?? head.origin) + "/sign-in?code=" + link.code.inAddress
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
