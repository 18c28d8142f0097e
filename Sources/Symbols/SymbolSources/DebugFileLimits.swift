/// How much a scan for debug files takes in.
public struct DebugFileLimits: Sendable {
  /// The most bytes of a debug file; a larger one is refused by its size alone. As much as of a
  /// member of an archive.
  public var fileBytes = 4 << 30
  /// The most bytes of members of archives that are kept in memory, over one scan. Files on disk
  /// are mapped and do not count.
  public var keptBytes = 8 << 30

  public init() {}

  public static let standard = DebugFileLimits()
}
