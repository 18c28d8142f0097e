internal import Bytes
internal import Glibc
internal import Segments
internal import Synchronization

/// The segments that the process has opened. Their names are never used again.
final class SegmentFiles: Sendable {
  static let shared = SegmentFiles()

  private static let limit = 1_024
  private let open = Mutex<[String: Segment]>([:])

  /// Returns the segment in a file; `nil` where it is missing or damaged.
  func segment(at path: String) -> Segment? {
    open.withLock { open in
      if let segment = open[path] { return segment }
      guard let file = try? ByteView(mapping: path), let segment = try? Segment(opening: file)
      else { return nil }
      if open.count >= Self.limit { open.removeAll() }
      open[path] = segment
      return segment
    }
  }

  /// Deletes a file that is damaged or not needed any more. Readers that have opened it keep it.
  func remove(_ path: String) {
    open.withLock { _ = $0.removeValue(forKey: path) }
    unlink(path)
  }
}
