/// The share of installations to which a release is offered.
public struct Rollout: Hashable, Sendable {
  /// 0 to 100.
  public var percent: Int
  /// The reason for a pause, during which no further installations are offered the release; `nil`
  /// while it is active.
  public var pause: String?

  public init(percent: Int, pause: String? = nil) {
    self.percent = percent
    self.pause = pause
  }
}

/// How clients are offered a release that fixes their crash.
public enum KnownFixPolicy: String, CaseIterable, Sendable {
  /// No offer.
  case off
  /// The release is offered.
  case suggest
  /// The release is offered as mandatory.
  case require
}
