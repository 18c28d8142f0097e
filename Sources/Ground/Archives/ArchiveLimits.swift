internal import Bytes

/// How much of an archive is believed. Reaching one is an error that names it.
///
/// Work is bounded in proportion to the file that came, archives inside it included: what a small file may cost
/// is small, however it is nested.
public struct ArchiveLimits: Sendable {
  /// The most members of an archive, those of the archives inside it included.
  public var members = 200_000
  /// The most bytes of one member, unpacked. A larger one is left out; the others go on.
  public var memberBytes = 256 << 20
  /// The most bytes of a dump of memory that is compressed by itself, unpacked, at any ratio: much of it is
  /// zeros.
  public var dumpBytes = 256 << 20
  /// The most bytes that come out in all, those of the archives inside included.
  public var totalBytes = 16 << 30
  /// The most unpacked bytes for each byte of an archive, once ``ratioFloor`` is passed; and for each byte of
  /// the file that came, over all archives inside it.
  public var ratio = 400
  /// Bytes that may come out of each archive at any ratio, and out of the whole file: text repeats itself.
  public var ratioFloor = 32 << 20
  /// How many archives inside a file are opened whatever its size. Opening one starts a process, which
  /// takes one to three milliseconds.
  public var archives = 1_000
  /// One more archive is opened for each of these bytes of the file.
  public var bytesPerArchive = 1 << 10
  /// How deep archives may lie in archives; 1 opens none of those inside.
  public var depth = 4
  /// Whether archives inside are opened; else they are members like others.
  public var opensInside = true
  /// The most members of an archive that may be damaged before its rest is given up.
  public var damagedMembers = 16
  /// The most seconds spent waiting for an archive's members, those of archives inside included.
  /// The time that the caller takes for a member is not counted.
  public var seconds = 600
  /// Seconds for a file whatever its size; larger ones have ``secondsPerMegabyte`` more, up to ``seconds``.
  public var secondsFloor = 60
  public var secondsPerMegabyte = 20
  /// The most memory that the unpacking process may take, in bytes of address space.
  public var unpackerBytes = 2 << 30

  public init() {}

  /// The most bytes of a member, whatever it is.
  var largestMember: Int { max(memberBytes, dumpBytes) }

  /// The most archives that are opened in a file of `size` bytes, itself included.
  func archives(for size: Int) -> Int {
    archives.addingClamped(size / max(bytesPerArchive, 1))
  }

  /// The most bytes that come out of a file of `size` bytes, besides dumps of memory.
  func bytes(for size: Int) -> Int {
    let (most, isTooMuch) = size.multipliedReportingOverflow(by: ratio)
    return isTooMuch ? .max : ratioFloor.addingClamped(most)
  }

  /// The most seconds spent waiting for what comes out of a file of `size` bytes.
  func seconds(for size: Int) -> Int {
    min(seconds, secondsFloor.addingClamped((size >> 20) * secondsPerMegabyte))
  }

  /// For crash reports.
  public static let standard = ArchiveLimits()

  /// For archives of debug files, whose members are few and large.
  public static var debugFiles: ArchiveLimits {
    var limits = ArchiveLimits()
    limits.memberBytes = 4 << 30
    limits.totalBytes = 64 << 30
    return limits
  }
}
