internal import CrashStore
internal import Identifiers
package import ServerStore

/// Accounts, from the home of a server.
extension LocalService {
  private func changing<Result>(_ body: (AccountsTable) throws -> Result) throws -> Result {
    do {
      return try body(AccountsTable(in: try ServerStore(opening: home)))
    } catch let error as AccountError {
      throw ServiceError(error)
    }
  }

  package func accounts() throws -> [AccountRecord] {
    try changing { table in try table.all().map { try Self.record(of: $0, in: table) } }
  }

  private static func record(
    of account: Account, in table: AccountsTable
  ) throws -> AccountRecord {
    let sessions = try table.sessions(of: account.name, now: .now)
    return AccountRecord(
      account: account, sessions: sessions.count, seen: sessions.first?.seen)
  }

  package func addAccount(
    _ name: String, role: Account.Role, app: String?, claimability: AccountsTable.Claimability
  ) throws -> NewAccount {
    // An account for a misspelt app would see nothing, without a reason.
    let app = try app.map(store.apps.existingName(of:))
    return try changing { table in
      let now = Timestamp.now
      let account = try table.add(
        name, role: role, app: app, claimability: claimability, now: now)
      return NewAccount(
        record: AccountRecord(account: account),
        link: SignInLink(
          name: account.name, code: try table.makeLink(for: account.name, now: now)))
    }
  }

  package func makeSignInLink(forAccount name: String) throws -> SignInLink {
    try changing { SignInLink(name: name, code: try $0.makeLink(for: name, now: .now)) }
  }

  package func setRole(_ role: Account.Role, ofAccount name: String) throws -> AccountRecord {
    try changing { try Self.record(of: try $0.setRole(role, of: name), in: $0) }
  }

  package func removeAccount(_ name: String) throws { try changing { try $0.remove(name) } }
}

extension LocalService {
  package func erase(_ person: ErasedPerson, isDry: Bool) throws -> Erasure.Result {
    try Erasure(person, in: store).run(
      in: store, IntakeQueue(in: try ServerStore(opening: home)), isDry: isDry)
  }
}
