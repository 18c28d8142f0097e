/// Events while files are stored; files are identified by their ordinal, which members of an archive share.
public struct IngestEvents {
  /// The outcome of a file or member; it is on the disk when all is done.
  public var became: (_ ordinal: Int, FileOutcome) -> Void = { _, _ in }
  /// The app and the SHA-256 of the bytes under which its reports are stored, or were before.
  public var stored: (_ ordinal: Int, _ app: String, _ digest: [UInt8]) -> Void = { _, _, _ in }
  /// The app and the group of a report that was only counted.
  public var counted: (_ ordinal: Int, _ app: String, _ group: String) -> Void = { _, _, _ in }
  /// The name of a file that was refused, and the reason.
  public var refused: (_ ordinal: Int, _ file: String, _ reason: String) -> Void = { _, _, _ in }
  /// The number of reports read from it, or 1 if its bytes were known.
  public var read: (_ ordinal: Int, _ reports: Int) -> Void = { _, _ in }
  /// The time a thread worked on it.
  public var worked: (_ ordinal: Int, Duration) -> Void = { _, _ in }
  /// Called before a part of the result is stored.
  ///
  /// The arguments are the number of its reports and their compressed bytes. An error ends the work; what was
  /// stored before stays stored.
  public var storing: (_ reports: Int, _ bytes: Int) throws -> Void = { _, _ in }
  /// Something in it was new when it arrived, and is on disk.
  public var wasNew: (_ ordinal: Int) -> Void = { _ in }

  public init() {}
}
