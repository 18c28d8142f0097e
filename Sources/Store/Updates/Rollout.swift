/// To how many installations a release is offered.
public struct Rollout: Hashable, Sendable {
  /// 0 to 100.
  public var percent: Int
  /// Why it is paused: nobody new is offered the release; `nil` while it runs.
  public var pause: String?

  public init(percent: Int, pause: String? = nil) {
    self.percent = percent
    self.pause = pause
  }
}

/// How clients learn of a release that fixes their crash.
public enum KnownFixPolicy: String, CaseIterable, Sendable {
  /// Nothing.
  case off
  /// The release is offered.
  case suggest
  /// The release is offered as mandatory.
  case require
}
