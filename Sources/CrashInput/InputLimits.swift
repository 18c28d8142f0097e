public import Archives

/// How much of what is found is read.
public struct InputLimits: Sendable {
  /// The most bytes of a file. A larger one is an error, and is not read. Archives may be larger:
  /// they are read piece by piece.
  public var fileBytes = 256 << 20
  /// The most bytes of a dump of memory.
  public var dumpBytes = 256 << 20
  /// A dump of more bytes is mapped, not read: little of it is looked at. Whoever shortens the file meanwhile
  /// ends the process.
  public var mappedBytes = 64 << 20
  public var archives = ArchiveLimits.standard

  public init() {}

  public static let standard = InputLimits()

  /// For reports that are read and not stored: dumps may be large, since little of them is looked at.
  public static var passing: InputLimits {
    var limits = InputLimits()
    limits.dumpBytes = 64 << 30
    limits.archives.dumpBytes = 16 << 30
    return limits
  }
}
