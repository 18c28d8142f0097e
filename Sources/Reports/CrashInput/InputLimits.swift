public import Archives
internal import Bytes

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
  /// Reports that are taken of an archive whatever its size: as many as one log may hold.
  public var archiveReports = 10_000
  /// One more report is taken for each of these bytes of an archive: a few kilobytes of a line that repeats
  /// itself would be hundreds of thousands, and reports that differ take a hundred bytes each at least.
  public var bytesPerReport = 16

  public init() {}

  public static let standard = InputLimits()

  /// The most reports that are taken of an archive of `size` bytes, archives inside it included.
  func reports(ofArchive size: Int) -> Int {
    archiveReports.addingClamped(size / max(bytesPerReport, 1))
  }

  /// Limits under which a report may have so many bytes. Of a dump little is read; another file is read into
  /// memory as a whole.
  public static func reports(atMost bytes: Int) -> InputLimits {
    var limits = InputLimits()
    limits.fileBytes = bytes
    limits.dumpBytes = bytes
    limits.archives.memberBytes = bytes
    limits.archives.dumpBytes = bytes
    return limits
  }

  /// Those of a server: others decide what it is sent, so that only dumps may be larger than usual.
  public static func received(atMost bytes: Int) -> InputLimits {
    var limits = InputLimits()
    limits.fileBytes = min(bytes, limits.fileBytes)
    limits.dumpBytes = bytes
    limits.archives.memberBytes = min(bytes, limits.archives.memberBytes)
    limits.archives.dumpBytes = min(bytes, limits.archives.dumpBytes)
    return limits
  }

  /// For reports that are read and not stored: dumps may be large, since little of them is looked at.
  public static var passing: InputLimits {
    var limits = InputLimits()
    limits.dumpBytes = 64 << 30
    limits.archives.dumpBytes = 16 << 30
    return limits
  }
}
