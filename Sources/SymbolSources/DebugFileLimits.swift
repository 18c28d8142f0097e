/// How much a scan for debug files takes in.
public struct DebugFileLimits: Sendable {
  /// The most bytes of members of archives that are kept in memory, over one scan. Files on disk
  /// are mapped and do not count.
  public var keptBytes = 8 << 30

  public init() {}

  public static let standard = DebugFileLimits()
}
