internal import Bytes

/// The rest of the limits for a file and everything inside it.
struct ArchiveBudget {
  let limits: ArchiveLimits
  /// The size of the outermost file in bytes: limits are in proportion to it.
  private let size: Int
  private var archives = 0
  private var members = 0
  private var bytes = 0
  /// Bytes of members that are not dumps of memory.
  private var ratedBytes = 0
  /// Nanoseconds that may still be spent waiting for unpackers.
  var patience: Int64
  /// Whether a limit of the whole file was reached, so that nothing more of it is read.
  private(set) var isSpent = false

  /// - Parameter size: The size of the outermost file in bytes.
  init(_ limits: ArchiveLimits, size: Int) {
    self.limits = limits
    self.size = size
    patience = Int64(limits.seconds(for: size)) * 1_000_000_000
  }

  /// The longest time spent waiting, in seconds, for the error.
  var seconds: Int { limits.seconds(for: size) }

  /// - Throws: ``ArchiveError`` when this archive exceeds the limit.
  mutating func takeArchive(_ archive: String) throws(ArchiveError) {
    archives += 1
    let most = limits.archives(for: size)
    guard archives <= most else {
      throw spent("archives in a file of \(size) bytes", most, archive)
    }
  }

  /// - Throws: ``ArchiveError`` when this member exceeds the limit.
  mutating func takeMember(of archive: String) throws(ArchiveError) {
    members += 1
    guard members <= limits.members else { throw spent("members", limits.members, archive) }
  }

  /// - Parameters:
  ///   - count: The number of bytes that arrived.
  ///   - isDump: Whether they belong to a memory dump, whose ratio is not checked.
  ///   - unpacked: The bytes unpacked from this archive, these included.
  ///   - packed: The size of this one archive in bytes.
  /// - Throws: ``ArchiveError`` when these bytes exceed a limit.
  mutating func takeBytes(
    _ count: Int, isDump: Bool, unpacked: Int, packed: Int, of archive: String
  ) throws(ArchiveError) {
    bytes = bytes.addingClamped(count)
    guard bytes <= limits.totalBytes else {
      throw spent("bytes in all", limits.totalBytes, archive)
    }
    guard unpacked <= limits.ratioFloor || unpacked / limits.ratio <= packed else {
      throw ArchiveError(.limit("times its size", limits.ratio), in: archive)
    }
    guard !isDump else { return }
    ratedBytes = ratedBytes.addingClamped(count)
    let most = limits.bytes(for: size)
    guard ratedBytes <= most else {
      throw spent("unpacked bytes in a file of \(size) bytes", most, archive)
    }
  }

  /// Notes that the time is used up.
  mutating func spendTime() { isSpent = true }

  private mutating func spent(_ name: String, _ value: Int, _ archive: String) -> ArchiveError {
    isSpent = true
    return ArchiveError(.limit(name, value), in: archive)
  }
}
