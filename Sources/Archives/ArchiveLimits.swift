/// How much of an archive is believed. Reaching one is an error that names it.
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
  /// The most unpacked bytes for each byte of the archive, once ``ratioFloor`` is passed.
  public var ratio = 400
  /// Bytes that may come out of each archive at any ratio: text repeats itself.
  public var ratioFloor = 32 << 20
  /// How deep archives may lie in archives; 1 opens none of those inside.
  public var depth = 4
  /// Whether archives inside are opened; else they are members like others.
  public var opensInside = true
  /// The most members of an archive that may be damaged before its rest is given up.
  public var damagedMembers = 16
  /// The most seconds spent waiting for an archive's members, those of archives inside included.
  /// The time that the caller takes for a member is not counted.
  public var seconds = 600
  /// The most memory that the unpacking process may take, in bytes of address space.
  public var unpackerBytes = 2 << 30

  public init() {}

  /// The most bytes of a member, whatever it is.
  var largestMember: Int { max(memberBytes, dumpBytes) }

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
