internal import Bytes
package import Identifiers
package import ServerStore

/// The accounts that sign in to the pages of a server.
package protocol AccountService {
  /// Returns the accounts by name.
  func accounts() throws -> [AccountRecord]
  /// Adds an account, and returns it with a link that signs in once.
  ///
  /// - Parameters:
  ///   - app: The only app that it can access, by any of its names; `nil` for all.
  ///   - claimability: The people who may take it under its name at an identity provider.
  func addAccount(
    _ name: String, role: Account.Role, app: String?, claimability: AccountsTable.Claimability
  ) throws -> NewAccount
  /// Returns a new link that signs in once; older ones of the account stop working.
  func makeSignInLink(forAccount name: String) throws -> SignInLink
  func setRole(_ role: Account.Role, ofAccount name: String) throws -> AccountRecord
  /// Removes an account and signs it out everywhere.
  func removeAccount(_ name: String) throws
}

/// An account with its sessions.
package struct AccountRecord: Hashable, Sendable {
  package var account: Account
  /// The number of browsers in which it is signed in.
  package var sessions: Int
  /// When one of them was used last, to the hour; `nil` for none.
  package var seen: Timestamp?

  package init(account: Account, sessions: Int = 0, seen: Timestamp? = nil) {
    self.account = account
    self.sessions = sessions
    self.seen = seen
  }
}

/// A link that signs in once. Its code is stored nowhere else.
package struct SignInLink: Hashable, Sendable {
  /// The name of the account.
  package var name: String
  package var code: String
  /// The link at the address of the server that made it; `nil` if a home made it.
  package var url: String?

  package init(name: String, code: String, url: String? = nil) {
    self.name = name
    self.code = code
    self.url = url
  }
}

/// An account that was added, with its first link.
package struct NewAccount: Hashable, Sendable {
  package var record: AccountRecord
  package var link: SignInLink

  package init(record: AccountRecord, link: SignInLink) {
    self.record = record
    self.link = link
  }
}

extension ServiceError {
  package init(_ error: AccountError) {
    let kind: FailureKind =
      switch error {
      case .unknown: .notFound
      case .invalidName: .wrongUsage
      case .taken, .lastAdmin: .failed
      }
    self.init(error.description.printable, kind)
  }
}
