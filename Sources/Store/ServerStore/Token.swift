public import CrashModel

/// What a token allows.
public enum TokenScope: String, CaseIterable, Sendable {
  /// Handing in reports, and nothing else: for keys that are compiled into apps.
  case ingest
  /// Uploading and listing debug files.
  case symbols
  /// Asking questions.
  case read
  /// Deciding about groups.
  case triage
  /// Releasing files to testers and users.
  case releases
  /// Everything, tokens included.
  case admin
}

/// A token, without its secret.
public struct Token: Equatable, Sendable {
  /// The part of it that is no secret.
  public var id: String
  public var label: String
  public var scopes: Set<TokenScope>
  /// The one app that it is good for; `nil` for all.
  public var app: String?
  public var created: Timestamp
  public var expires: Timestamp?
  public var revoked: Timestamp?
  /// When it was used last, to the hour.
  public var used: Timestamp?

  public func allows(_ scope: TokenScope) -> Bool {
    scopes.contains(scope) || scopes.contains(.admin)
  }

  public init(
    id: String, label: String, scopes: Set<TokenScope>, app: String?, created: Timestamp,
    expires: Timestamp?, revoked: Timestamp?, used: Timestamp?
  ) {
    self.id = id
    self.label = label
    self.scopes = scopes
    self.app = app
    self.created = created
    self.expires = expires
    self.revoked = revoked
    self.used = used
  }
}
