internal import CrashStore

/// Attachments on their way to the reports that they belong to.
///
/// A file comes before what belongs to it, but for members of archives, whose order is anybody's.
struct AttachmentQueue {
  /// A submission as it is stored.
  struct Owner: Equatable {
    let digest: [UInt8]
    let app: String
  }

  /// An attachment whose report has not come.
  struct Orphan {
    let attachment: PreparedAttachment
    let source: String
    /// As ``InputFile/ordinal``.
    let ordinal: Int
    let reason: String
  }

  /// This many files are remembered: between a file and what belongs to it there are only others
  /// whose names begin alike.
  private static let remembered = 8192
  /// The most bytes of attachments that wait for their reports, compressed.
  private static let waitingBytes = 64 << 20

  private var owners: [String: [Owner]] = [:]
  private var order: [String] = []
  private var oldest = 0
  private var orphans: [(owner: String, orphan: Orphan)] = []
  private var orphanBytes = 0

  /// The submissions that the file at `path` was stored as, if it was and not too long ago.
  func owners(of path: String) -> [Owner]? { owners[path] }

  /// Remembers what the file at `path` was stored as.
  ///
  /// - Returns: The attachments that waited for it.
  mutating func note(_ path: String, _ submissions: [Owner]) -> [Orphan] {
    if owners.updateValue(submissions, forKey: path) == nil { order.append(path) }
    if order.count - oldest > Self.remembered {
      owners.removeValue(forKey: order[oldest])
      oldest += 1
      if oldest == Self.remembered {
        order.removeFirst(oldest)
        oldest = 0
      }
    }
    guard !orphans.isEmpty else { return [] }
    let found = orphans.filter { $0.owner == path }.map(\.orphan)
    orphans.removeAll { $0.owner == path }
    orphanBytes -= found.reduce(0) { $0 + $1.attachment.packedCount }
    return found
  }

  /// Keeps an attachment until its report comes.
  ///
  /// - Returns: `false` when too much waits already.
  mutating func wait(for owner: String, _ orphan: Orphan) -> Bool {
    guard orphanBytes + orphan.attachment.packedCount <= Self.waitingBytes else { return false }
    orphanBytes += orphan.attachment.packedCount
    orphans.append((owner, orphan))
    return true
  }

  /// The attachments whose reports never came.
  mutating func takeOrphans() -> [Orphan] {
    defer { orphans.removeAll() }
    return orphans.map(\.orphan)
  }
}
