internal import Bytes

/// Limits of an intake queue.
public struct IntakeLimits: Sendable {
  /// Maximum number of waiting submissions.
  public var waiting = 1_000_000
  /// Maximum number of bytes in waiting bodies.
  public var waitingBytes = 20_000_000_000
  /// Bodies larger than this many bytes are separate files.
  public var bodyInLog = 256 << 10
  /// A log of this many bytes or seconds is closed, and deleted when everything in it is done.
  public var logBytes = 64 << 20
  public var logSeconds = 10
  /// Space at the start of a log is freed once at least this many bytes there are done.
  var freedBytes = 1 << 20
  /// Maximum number of bytes in a report that is a dump; other reports have their usual limit.
  public var report = 256 << 20
  /// A submission that workers took this often without finishing is quarantined.
  public var attempts = 3
  /// Maximum number of submissions that share one sync of the disk.
  public var group = 1_024

  /// Bytes to keep free on the disk. Default: see ``DiskReserve``.
  public var reserve: Int?
  /// Returns the space left on the disk of a path.
  var measure: DiskReserve.Measure = { (path) throws(FileError) in try DiskSpace(of: path) }

  /// Maximum number of quarantined submissions, and of bytes in their bodies; the oldest are
  /// deleted beyond it.
  public var quarantined = 10_000
  public var quarantinedBytes = 2_000_000_000

  public init() {}
}
