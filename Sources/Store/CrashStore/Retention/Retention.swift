/// How long reports are kept, and how many are stored at all; each part that is given is a limit of its own.
///
/// Of each version that a group was seen in, one report stays whatever the limits say.
public struct Retention: Hashable, Sendable {
  /// Whole days since a report was received.
  public var days: Int?
  /// The most bytes of an app's submissions and documents, as they lie compressed on the disk.
  public var bytes: Int?
  /// The most reports of a group, the newest first.
  public var perGroup: Int?
  /// The most reports of a group and build that are stored of those that come on one day; further ones are
  /// only counted. 0 means no limit, and `nil` the home's.
  public var perDay: Int?

  public init(days: Int? = nil, bytes: Int? = nil, perGroup: Int? = nil, perDay: Int? = nil) {
    self.perDay = perDay
    self.days = days
    self.bytes = bytes
    self.perGroup = perGroup
  }

  /// Whether everything that is stored is kept.
  public var isUnlimited: Bool { days == nil && bytes == nil && perGroup == nil }

  /// The limits of this one, and for those that it leaves open those of `other`.
  public func completed(by other: Retention) -> Retention {
    Retention(
      days: days ?? other.days, bytes: bytes ?? other.bytes, perGroup: perGroup ?? other.perGroup,
      perDay: perDay ?? other.perDay)
  }
}

/// Why reports go.
public enum ExpiryReason: String, CaseIterable, Sendable {
  /// They are older than ``Retention/days``.
  case age
  /// Their group has more than ``Retention/perGroup``.
  case group
  /// The app has more than ``Retention/bytes``.
  case space
}

/// Reports of an app that go, or went, for one reason.
public struct ExpiryCount: Hashable, Sendable {
  public var app: String
  public var reason: ExpiryReason
  public var reports = 0
  /// Submissions all of whose reports go.
  public var submissions = 0
  /// The length of those submissions, as they came.
  public var bytes = 0
}
