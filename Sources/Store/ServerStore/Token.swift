public import Identifiers

/// A right that a token grants.
public enum TokenScope: String, CaseIterable, Sendable {
  /// Submitting reports, and nothing else: for keys that are compiled into apps.
  case ingest
  /// Uploading and listing debug files.
  case symbols
  /// Reading everything.
  case read
  /// Deciding about groups.
  case triage
  /// Distributing release files to testers and users.
  case releases
  /// Everything, including tokens.
  case admin

  /// The right as a phrase: `submit reports and sessions, and nothing else`.
  public var meaning: String {
    switch self {
    case .ingest: "submit reports and sessions, and nothing else"
    case .symbols: "upload debug files, and list missing ones"
    case .read: "read groups, reports, releases and figures"
    case .triage: "decide about groups; set the order of releases, roll-outs, remote configurations"
    case .releases: "add and publish files of releases, invite testers"
    case .admin: "everything, including accounts, tokens and the removal of data"
    }
  }
}

/// A token, without its secret.
public struct Token: Equatable, Sendable {
  /// The public part of the token.
  public var id: String
  public var label: String
  public var scopes: Set<TokenScope>
  /// The only app that it is valid for; `nil` for all.
  public var app: String?
  public var created: Timestamp
  public var expires: Timestamp?
  public var revoked: Timestamp?
  /// When it was used last, to the hour.
  public var used: Timestamp?
  /// The account that a command signed in as; `nil` for a token that an admin made.
  public var account: String?
  /// The role of that account at present.
  var accountRole: Account.Role?

  /// The role that decides what it sees of reports: that of its account; otherwise the one that its scopes make
  /// up, so that a token without the scope `triage` or `admin` sees what a viewer sees.
  public var role: Account.Role {
    accountRole
      ?? (scopes.contains(.admin) ? .admin : scopes.contains(.triage) ? .triage : .viewer)
  }

  public func allows(_ scope: TokenScope) -> Bool {
    scopes.contains(scope) || scopes.contains(.admin)
  }

  public init(
    id: String, label: String, scopes: Set<TokenScope>, app: String?, created: Timestamp,
    expires: Timestamp?, revoked: Timestamp?, used: Timestamp?, account: String? = nil
  ) {
    self.id = id
    self.label = label
    self.scopes = scopes
    self.app = app
    self.created = created
    self.expires = expires
    self.revoked = revoked
    self.used = used
    self.account = account
  }
}
