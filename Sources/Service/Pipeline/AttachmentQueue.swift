internal import CrashStore

/// Attachments waiting for the reports that they belong to.
///
/// A file precedes its attachments, except for members of archives, whose order is arbitrary.
struct AttachmentQueue {
  /// An attachment whose report has not arrived.
  struct Orphan {
    let attachment: PreparedAttachment
    /// Its result once it is attached.
    let result: FileResult
    /// Why it is refused if its report never arrives.
    let reason: String
  }

  /// The number of remembered files: only files with similar names come between a file and its attachments.
  private static let remembered = 8192
  /// The maximum number of compressed bytes of waiting attachments.
  private static let waitingBytes = 64 << 20

  private var owners: [String: [StoredSubmission]] = [:]
  private var order: [String] = []
  private var oldest = 0
  private var orphans: [(owner: String, orphan: Orphan)] = []
  private var orphanBytes = 0

  /// Returns the submissions that the file at `path` was stored as, if it was stored recently.
  func owners(of path: String) -> [StoredSubmission]? { owners[path] }

  /// Records the submissions that the file at `path` was stored as.
  ///
  /// - Returns: The attachments that waited for it.
  mutating func note(_ path: String, _ submissions: [StoredSubmission]) -> [Orphan] {
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
    orphanBytes -= found.reduce(0) { $0 + $1.attachment.heldBytes }
    return found
  }

  /// Keeps an attachment until its report arrives.
  ///
  /// - Returns: `false` if too much is already waiting.
  mutating func wait(for owner: String, _ orphan: Orphan) -> Bool {
    guard orphanBytes + orphan.attachment.heldBytes <= Self.waitingBytes else { return false }
    orphanBytes += orphan.attachment.heldBytes
    orphans.append((owner, orphan))
    return true
  }

  /// Removes and returns the attachments whose reports never arrived.
  mutating func takeOrphans() -> [Orphan] {
    defer { orphans.removeAll() }
    return orphans.map(\.orphan)
  }
}
