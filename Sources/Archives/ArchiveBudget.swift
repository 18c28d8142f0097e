/// The rest of the limits for an archive and everything inside it.
struct ArchiveBudget {
  let limits: ArchiveLimits
  private var members = 0
  private var bytes = 0
  /// Nanoseconds that may still be spent waiting for unpackers.
  var patience: Int64

  init(_ limits: ArchiveLimits) {
    self.limits = limits
    patience = Int64(limits.seconds) * 1_000_000_000
  }

  /// - Throws: ``ArchiveError`` when this is a member too many.
  mutating func takeMember(of archive: String) throws(ArchiveError) {
    members += 1
    guard members <= limits.members else {
      throw ArchiveError(.limit("members", limits.members), in: archive)
    }
  }

  /// - Parameters:
  ///   - count: The bytes that came.
  ///   - unpacked: The bytes that came out of this one archive, these included.
  ///   - packed: The size of this one archive in bytes.
  /// - Throws: ``ArchiveError`` when these are bytes too many.
  mutating func takeBytes(
    _ count: Int, unpacked: Int, packed: Int, of archive: String
  ) throws(ArchiveError) {
    bytes += count
    guard bytes <= limits.totalBytes else {
      throw ArchiveError(.limit("bytes in all", limits.totalBytes), in: archive)
    }
    guard unpacked <= limits.ratioFloor || unpacked / limits.ratio <= packed else {
      throw ArchiveError(.limit("times its size", limits.ratio), in: archive)
    }
  }
}
