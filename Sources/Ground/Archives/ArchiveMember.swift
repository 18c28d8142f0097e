public import Bytes

/// One file out of an archive.
public struct ArchiveMember: Sendable {
  /// The name as it is in the archive, those of archives between included:
  /// `inner.zip!logs/a.ips`. For showing only: it may be absolute or lead upwards. Bytes that
  /// cannot be shown are escaped. For a compressed file that is not an archive, its name without
  /// the suffix.
  public let path: String
  /// The archive and the name, as a person would say where the file is: `logs.zip!logs/a.ips`; for
  /// a compressed file that is not an archive, just that file.
  public let displayPath: String
  public let bytes: ByteView
}

/// A member, or a whole archive inside, that could not be read; the others go on.
public struct RefusedMember: Sendable {
  /// As ``ArchiveMember/displayPath``.
  public let displayPath: String
  public let error: ArchiveError
}

/// The caller's answer after each member.
public enum ArchiveStep: Sendable {
  case next
  /// The rest is not needed.
  case stop
}

/// A member or problem that a walk through an archive meets.
package enum ArchiveEvent {
  case member(ArchiveMember)
  case refused(RefusedMember)
  /// A part of a large member was unpacked: whoever shares a thread with others may let them go on.
  case progress
}
