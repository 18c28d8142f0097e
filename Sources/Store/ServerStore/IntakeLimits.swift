internal import Bytes

/// What an intake queue holds.
public struct IntakeLimits: Sendable {
  /// The most submissions that wait.
  public var waiting = 1_000_000
  /// The most bytes of bodies that wait.
  public var waitingBytes = 20_000_000_000
  /// Bodies above this many bytes are files of their own.
  public var bodyInLog = 256 << 10
  /// A log of this many bytes or seconds is closed, and goes when all in it is done.
  public var logBytes = 64 << 20
  public var logSeconds = 10
  /// The room at the start of a log is freed as soon as at least this many bytes there are done.
  var freedBytes = 1 << 20
  /// The most bytes of a report: of a dump, as others may have no more than usual.
  public var report = 256 << 20
  /// A submission that workers took this often without finishing is quarantined.
  public var attempts = 3
  /// The most submissions that share one sync of the disk.
  public var group = 1_024

  /// Bytes that stay free on the disk; `nil` for the usual: see ``DiskReserve``.
  public var reserve: Int?
  /// What the disk of a path has left.
  var measure: DiskReserve.Measure = { (path) throws(FileError) in try DiskSpace(of: path) }

  /// The most submissions that are quarantined, and bytes of their bodies; then the oldest go.
  public var quarantined = 10_000
  public var quarantinedBytes = 2_000_000_000

  public init() {}
}
