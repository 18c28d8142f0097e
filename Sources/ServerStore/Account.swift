public import CrashModel

/// Somebody who may sign in to the pages of a server.
public struct Account: Hashable, Sendable {
  /// What somebody may do, each more than the one before.
  public enum Role: String, Hashable, Sendable, CaseIterable {
    /// Reads.
    case viewer
    /// Decides about groups and hands in debug files, too.
    case triage
    /// Does everything.
    case admin

    public var scopes: Set<TokenScope> {
      switch self {
      case .viewer: [.read]
      case .triage: [.read, .triage, .symbols]
      case .admin: [.admin]
      }
    }
  }

  /// The longest name, in bytes.
  public static let longestName = 100

  /// With which one signs in; see ``id(of:)``.
  public var name: String
  public var role: Role
  /// The one app that the account is good for; `nil` for all.
  public var app: String?
  public var created: Timestamp

  /// What names are compared by: letter case does not count in ASCII. Elsewhere it does: folding it would give
  /// "K" (U+212A, the Kelvin sign) the account of "k".
  public static func id(of name: String) -> String {
    String(
      decoding: name.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// Whether `name` is the account's.
  public func isCalled(_ name: String) -> Bool {
    Self.id(of: name).utf8.elementsEqual(Self.id(of: self.name).utf8)
  }

  public init(name: String, role: Role, app: String? = nil, created: Timestamp) {
    self.name = name
    self.role = role
    self.app = app
    self.created = created
  }

  /// Whether it may do what `scope` stands for.
  public func allows(_ scope: TokenScope) -> Bool {
    // Who manages accounts and tokens can make one for all apps.
    if scope == .admin { return role == .admin && app == nil }
    return role == .admin || role.scopes.contains(scope)
  }
}

/// Why an account was not made.
public enum AccountError: Error, Hashable, Sendable, CustomStringConvertible {
  case taken(String)
  case invalidName(String)
  case unknown(String)
  /// The account is the last that can manage others.
  case lastAdmin(String)

  public var description: String {
    switch self {
    case .taken(let name): "there is already an account named \(name)"
    case .invalidName(let name):
      "'\(name)' cannot be an account's name: use 1 to \(Account.longestName) bytes of visible text"
    case .unknown(let name): "there is no account named \(name)"
    case .lastAdmin(let name): "\(name) is the last admin; add another one first"
    }
  }
}
