internal import APIDocuments
package import CrashService
internal import Documents
package import ServerStore

extension RemoteService {
  package func accounts() throws -> [AccountRecord] {
    try all(.listAccounts) { try AccountRecord($0) }.items
  }

  package func addAccount(
    _ name: String, role: Account.Role, app: String?, claimability: AccountsTable.Claimability
  ) throws -> NewAccount {
    var account = try NewAccount(
      ask(
        .addAccount,
        sending: AccountRequest(
          name: name, role: role, app: app, isFromProvider: claimability == .byName)))
    account.link.name = account.record.account.name
    return account
  }

  package func makeSignInLink(forAccount name: String) throws -> SignInLink {
    try SignInLink(decoded(bytes(.makeSignInLink, [name])))
  }

  package func setRole(_ role: Account.Role, ofAccount name: String) throws -> AccountRecord {
    try AccountRecord(ask(.setRole, name, sending: RoleRequest(role: role)))
  }

  package func removeAccount(_ name: String) throws { _ = try bytes(.removeAccount, [name]) }

  package func erase(_ person: ErasedPerson, isDry: Bool) throws -> Erasure.Result {
    try ErasureDocument(ask(.erase, sending: ErasureRequest(person, isDry: isDry))).result
  }
}
