/// People who get the same releases of an app.
public struct DistributionGroup: Hashable, Sendable {
  /// The group that every app has.
  public static let collaborators = "Collaborators"

  /// A UUID.
  public var id: String
  public var app: String
  public var name: String
  /// Whether anybody who has the app gets what is published to it.
  public var isPublic: Bool

  public init(id: String, app: String, name: String, isPublic: Bool) {
    self.id = id
    self.app = app
    self.name = name
    self.isPublic = isPublic
  }
}

/// Somebody who tries releases.
public struct Tester: Hashable, Sendable {
  /// A UUID.
  public var id: String
  public var email: String
  /// The ids of the groups that the tester is in.
  public var groups: [String]
  /// Whether an invitation was accepted; until then the tester gets nothing.
  public var hasAccepted: Bool

  public init(id: String, email: String, groups: [String], hasAccepted: Bool) {
    self.id = id
    self.email = email
    self.groups = groups
    self.hasAccepted = hasAccepted
  }
}
