/// What is told while files are filed; files are named by their ordinal, several members of an archive by
/// the same.
public struct IngestEvents {
  /// What becomes of a file or member; it is on the disk when all is done.
  public var became: (_ ordinal: Int, FileOutcome) -> Void = { _, _ in }
  /// How long a thread worked on it.
  public var worked: (_ ordinal: Int, Duration) -> Void = { _, _ in }
  /// Something of it was not known when it came in, and is on the disk.
  public var wasNew: (_ ordinal: Int) -> Void = { _ in }

  public init() {}
}
