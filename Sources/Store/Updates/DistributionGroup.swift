public import Identifiers

/// People who get the same releases of an app.
public struct DistributionGroup: Hashable, Sendable {
  /// The group that every app has.
  public static let collaborators = "Collaborators"

  /// A UUID.
  public var id: String
  public var app: String
  public var name: String
  /// Whether everyone with the app gets its releases.
  public var isPublic: Bool

  public init(id: String, app: String, name: String, isPublic: Bool) {
    self.id = id
    self.app = app
    self.name = name
    self.isPublic = isPublic
  }
}

/// A person who tests releases.
public struct Tester: Hashable, Sendable {
  /// A UUID.
  public var id: String
  public var email: String
  /// The ids of the tester's groups.
  public var groups: [String]
  /// Whether an invitation was accepted; until then the tester gets nothing.
  public var hasAccepted: Bool
  /// When the last open invitation expires; `nil` where none is open.
  public var invitedUntil: Timestamp?
  /// When an app of the tester last asked for a private update, to the minute; `nil` for never.
  public var lastSeen: Timestamp?
  /// Whether the tester refused further mails.
  public var isUnsubscribed = false

  public init(id: String, email: String, groups: [String], hasAccepted: Bool) {
    self.id = id
    self.email = email
    self.groups = groups
    self.hasAccepted = hasAccepted
  }
}
