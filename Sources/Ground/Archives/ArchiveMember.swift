public import Bytes

/// One file out of an archive.
public struct ArchiveMember: Sendable {
  /// The name as it is in the archive, with the names of enclosing archives:
  /// `inner.zip!logs/a.ips`. For display only: it may be absolute or lead upwards. Bytes that
  /// cannot be shown are escaped. For a compressed file that is not an archive, its name without
  /// the suffix.
  public let path: String
  /// The archive and the name, as a person would give the location: `logs.zip!logs/a.ips`; for a
  /// compressed file that is not an archive, just that file.
  public let displayPath: String
  public let bytes: ByteView
}

/// A member, or a nested archive, that could not be read; reading continues with the others.
public struct RefusedMember: Sendable {
  /// The location, in the form of ``ArchiveMember/displayPath``.
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
  /// Part of a large member was unpacked: a caller that shares its thread may yield.
  case progress
}
