/// How long reports are kept, and how many are stored at all; each given value is an independent limit.
///
/// One report of each version seen in a group stays whatever the limits.
public struct Retention: Hashable, Sendable {
  /// Whole days since a report was received.
  public var days: Int?
  /// Maximum size of an app's submissions and documents, compressed on disk.
  public var bytes: Int?
  /// Maximum number of reports per group, newest first.
  public var perGroup: Int?
  /// Maximum number of reports of a group and build stored per day; further ones are only counted. 0 means
  /// no limit. Default: the home's limit.
  public var perDay: Int?

  public init(days: Int? = nil, bytes: Int? = nil, perGroup: Int? = nil, perDay: Int? = nil) {
    self.perDay = perDay
    self.days = days
    self.bytes = bytes
    self.perGroup = perGroup
  }

  /// Whether everything that is stored is kept.
  public var isUnlimited: Bool { days == nil && bytes == nil && perGroup == nil }

  /// The limits of this one, with missing limits taken from `other`.
  public func completed(by other: Retention) -> Retention {
    Retention(
      days: days ?? other.days, bytes: bytes ?? other.bytes, perGroup: perGroup ?? other.perGroup,
      perDay: perDay ?? other.perDay)
  }
}

/// The reason why reports expire.
public enum ExpiryReason: String, CaseIterable, Sendable {
  /// Older than ``Retention/days``.
  case age
  /// Beyond ``Retention/perGroup`` of their group.
  case group
  /// Beyond ``Retention/bytes`` of the app.
  case space
}

/// Reports of an app that expire, or expired, for one reason.
public struct ExpiryCount: Hashable, Sendable {
  public var app: String
  public var reason: ExpiryReason
  public var reports = 0
  /// Submissions whose reports all expire.
  public var submissions = 0
  /// The length of those submissions, as received.
  public var bytes = 0
}
