public import Archives

/// How much of what is found is read.
public struct InputLimits: Sendable {
  /// The most bytes of a file. A larger one is an error, and is not read. Archives may be larger:
  /// they are read piece by piece.
  public var fileBytes = 256 << 20
  public var archives = ArchiveLimits.standard

  public init() {}

  public static let standard = InputLimits()
}
