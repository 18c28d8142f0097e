public import CrashModel

/// Which debug files are to go.
public struct DebugFileRetention: Hashable, Sendable {
  /// The most bytes of all debug files; those go first that were needed longest ago.
  public var bytes: Int?
  /// Those go that no report needed since.
  public var notNeededSince: Timestamp?
  /// Of each app those of so many releases stay, the newest; files of no known release stay too.
  public var releases: Int?
  /// Whether files may go that stored reports need.
  public var takesNeeded = false

  public init() {}
}
