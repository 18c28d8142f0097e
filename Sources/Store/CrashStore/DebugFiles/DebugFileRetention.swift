public import Identifiers

/// The retention of debug files.
public struct DebugFileRetention: Hashable, Sendable {
  /// Maximum size of all debug files in bytes; those needed longest ago are deleted first.
  public var bytes: Int?
  /// Deletes the files that no report has needed since.
  public var notNeededSince: Timestamp?
  /// Number of newest releases of each app whose files are kept; files of no known release are kept, too.
  public var releases: Int?
  /// Whether files that stored reports need may be deleted.
  public var takesNeeded = false

  public init() {}
}
