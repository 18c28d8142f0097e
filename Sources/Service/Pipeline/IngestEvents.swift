/// Events while files are stored; files are named by their ordinal, several members of an archive
/// by the same.
public struct IngestEvents {
  /// The outcome of a file or member; it is on the disk when all is done.
  public var became: (_ ordinal: Int, FileOutcome) -> Void = { _, _ in }
  /// The app and the SHA-256 of the bytes that its reports are stored under, or were before.
  public var stored: (_ ordinal: Int, _ app: String, _ digest: [UInt8]) -> Void = { _, _, _ in }
  /// The app and the group of a report that was only counted.
  public var counted: (_ ordinal: Int, _ app: String, _ group: String) -> Void = { _, _, _ in }
  /// The name of a file that was refused, and why.
  public var refused: (_ ordinal: Int, _ file: String, _ reason: String) -> Void = { _, _, _ in }
  /// How many reports were read from it, or 1 where its bytes were known.
  public var read: (_ ordinal: Int, _ reports: Int) -> Void = { _, _ in }
  /// How long a thread worked on it.
  public var worked: (_ ordinal: Int, Duration) -> Void = { _, _ in }
  /// A part of what was read is about to be stored.
  ///
  /// Called with the number of its reports and its bytes, compressed. What it throws ends the work; what was stored
  /// before stays stored.
  public var storing: (_ reports: Int, _ bytes: Int) throws -> Void = { _, _ in }
  /// Something of it was not known when it came in, and is on the disk.
  public var wasNew: (_ ordinal: Int) -> Void = { _ in }

  public init() {}
}
