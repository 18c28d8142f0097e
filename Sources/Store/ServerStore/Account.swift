public import Identifiers

/// An account that may sign in to the pages of a server.
public struct Account: Hashable, Sendable {
  /// The rights of an account; each role includes the previous one.
  public enum Role: String, Hashable, Sendable, CaseIterable, Comparable {
    /// May read.
    case viewer
    /// May also decide about groups and upload debug files.
    case triage
    /// May do everything.
    case admin

    /// The rights of the role as a phrase: `read`.
    public var meaning: String {
      switch self {
      case .viewer: "read"
      case .triage:
        "read, decide about groups, upload debug files, see the keys of apps, and manage the order "
          + "of releases, roll-outs and remote configurations"
      case .admin: "everything, including accounts, tokens and the removal of data"
      }
    }

    public static func < (left: Role, right: Role) -> Bool {
      allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }

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

  /// The name for signing in; see ``id(of:)``.
  public var name: String
  public var role: Role
  /// The only app that the account can access; `nil` for all.
  public var app: String?
  public var created: Timestamp

  /// The key by which names are compared: letter case is ignored in ASCII only. Folding it elsewhere would
  /// give "K" (U+212A, the Kelvin sign) the account of "k".
  public static func id(of name: String) -> String {
    String(
      decoding: name.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// Whether `name` refers to the account.
  public func isCalled(_ name: String) -> Bool {
    Self.id(of: name).utf8.elementsEqual(Self.id(of: self.name).utf8)
  }

  public init(name: String, role: Role, app: String? = nil, created: Timestamp) {
    self.name = name
    self.role = role
    self.app = app
    self.created = created
  }

  /// Whether the account may do what `scope` allows.
  public func allows(_ scope: TokenScope) -> Bool {
    // A user who manages accounts and tokens could create one for all apps.
    if scope == .admin { return role == .admin && app == nil }
    return role == .admin || role.scopes.contains(scope)
  }
}

/// The reason why an account was not created or changed.
public enum AccountError: Error, Hashable, Sendable, CustomStringConvertible {
  case taken(String)
  case invalidName(String)
  case unknown(String)
  /// The account is the last one that can manage others.
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
