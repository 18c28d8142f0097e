public import CrashModel

/// Which groups to list; every condition that is given must hold.
public struct GroupQuery: Sendable {
  public enum Order: Sendable, CaseIterable {
    /// Those with the most reports first.
    case reports
    /// Those that were seen last first.
    case lastSeen
    /// The newest first.
    case firstSeen
  }

  /// The name of the app.
  public var app: String?
  /// A version of the app that the group was seen in: `1.4.0`, without the build.
  public var version: String?
  public var state: GroupState?
  /// Words that stand in the signature or the reason, in either letter case.
  public var text: String?
  public var order = Order.reports
  /// The most groups to return; `nil` for all.
  public var limit: Int?
  /// How many to pass over.
  public var offset = 0

  public init() {}
}
