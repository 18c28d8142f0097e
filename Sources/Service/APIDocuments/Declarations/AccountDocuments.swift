package import CrashService
package import Documents
internal import Identifiers
internal import ServerStore

extension AccountRecord: Documented {
  fileprivate static let blank = AccountRecord(
    account: Account(name: "", role: .viewer, created: .zero))

  package static let declaration = DocumentType("Account", blank: blank) {
    DocumentMember("name", \.account.name, .text, example: "ann")
    DocumentMember("role", \.account.role, .role)
    DocumentMember(
      "app", optional: \.account.app, .text, "The only app that it can access.", example: "Tern")
    DocumentMember("created", \.account.created, .time)
    DocumentMember(
      "sessions", \.sessions, .count, "The number of browsers in which it is signed in.")
    DocumentMember("seen", optional: \.seen, .time, "The last use of one of them, to the hour.")
  }
}

extension DocumentValue where Value == Account.Role {
  /// The role of an account; an unknown one, of a later version, has the fewest rights.
  fileprivate static var role: DocumentValue<Account.Role> {
    DocumentValue<String>.words(Account.Role.allCases.map(\.rawValue)).map(
      write: { $0.rawValue }, read: { Account.Role(rawValue: $0) ?? .viewer })
  }
}

extension DocumentMember {
  /// The secret of a link, and the link itself.
  @DocumentBuilder<Root> fileprivate static func link(
    _ code: any WritableKeyPath<Root, String> & Sendable,
    _ url: any WritableKeyPath<Root, String?> & Sendable
  ) -> [DocumentMember<Root>] {
    DocumentMember("code", code, .text, "The secret in the link, shown only once.")
    DocumentMember(
      "link", optional: url, .text, "The link, which works once and expires after a day.",
      example: "https://crashes.example.com/sign-in?code=...")
  }
}

extension SignInLink: Documented {
  package static let declaration = DocumentType(
    "SignInLink", blank: SignInLink(name: "", code: "")
  ) {
    DocumentMember("name", \.name, .text, "The account.", example: "ann")
    DocumentMember.link(\SignInLink.code, \SignInLink.url)
  }
}

extension NewAccount: Documented {
  package static let declaration = DocumentType(
    "NewAccount",
    blank: NewAccount(record: AccountRecord.blank, link: SignInLink(name: "", code: ""))
  ) {
    AccountRecord.declaration.members(at: \NewAccount.record)
    DocumentMember.link(\NewAccount.link.code, \NewAccount.link.url)
  }
}
