public import Archives
internal import Bytes

/// Limits on the input that is read.
public struct InputLimits: Sendable {
  /// The most bytes of a file. A larger file is an error and is not read. Archives may be larger: they are
  /// streamed.
  public var fileBytes = 256 << 20
  /// The most bytes of a memory dump.
  public var dumpBytes = 256 << 20
  /// A larger dump is mapped, not read, as little of it is needed. Truncating the file meanwhile ends the
  /// process.
  public var mappedBytes = 64 << 20
  public var archives = ArchiveLimits.standard
  /// Reports that are read from an archive of any size: as many as one log may hold.
  public var archiveReports = 10_000
  /// One more report is read for each of these bytes of an archive: a few kilobytes that repeat one line
  /// would give hundreds of thousands, and distinct reports take at least a hundred bytes each.
  public var bytesPerReport = 16

  public init() {}

  public static let standard = InputLimits()

  /// The most reports that are read from an archive of `size` bytes, archives inside it included.
  func reports(ofArchive size: Int) -> Int {
    archiveReports.addingClamped(size / max(bytesPerReport, 1))
  }

  /// Limits under which a report may have the given size. Only a little of a dump is read; any other file is
  /// read into memory as a whole.
  public static func reports(atMost bytes: Int) -> InputLimits {
    var limits = InputLimits()
    limits.fileBytes = bytes
    limits.dumpBytes = bytes
    limits.archives.memberBytes = bytes
    limits.archives.dumpBytes = bytes
    return limits
  }

  /// Limits of a server: its input comes from others, so only dumps may be larger than usual.
  public static func received(atMost bytes: Int) -> InputLimits {
    var limits = InputLimits()
    limits.fileBytes = min(bytes, limits.fileBytes)
    limits.dumpBytes = bytes
    limits.archives.memberBytes = min(bytes, limits.archives.memberBytes)
    limits.archives.dumpBytes = min(bytes, limits.archives.dumpBytes)
    return limits
  }

  /// For reports that are read and not stored: dumps may be large, as little of them is read.
  public static var passing: InputLimits {
    var limits = InputLimits()
    limits.dumpBytes = 64 << 30
    limits.archives.dumpBytes = 16 << 30
    return limits
  }
}
