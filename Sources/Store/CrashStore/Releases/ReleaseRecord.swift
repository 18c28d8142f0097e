public import Identifiers

/// A release of an app, as a list shows it.
public struct ReleaseRecord: Hashable, Sendable {
  public var app: String
  public var release: Release
  /// Whether its position was set; otherwise it follows from its numbers.
  public var isPlaced: Bool
  /// When it was added, or its first report arrived.
  public var added: Timestamp
  /// When its reports crashed; `nil` before the first.
  public var firstSeen: Timestamp?
  public var lastSeen: Timestamp?
  /// Number of its reports, including expired ones.
  public var reports: Int

  public init(
    app: String, release: Release, isPlaced: Bool, added: Timestamp, firstSeen: Timestamp? = nil,
    lastSeen: Timestamp? = nil, reports: Int
  ) {
    self.app = app
    self.release = release
    self.isPlaced = isPlaced
    self.added = added
    self.firstSeen = firstSeen
    self.lastSeen = lastSeen
    self.reports = reports
  }
}
