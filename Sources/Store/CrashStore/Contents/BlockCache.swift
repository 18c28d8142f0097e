internal import Bytes
internal import Synchronization

/// The blocks that a process unpacked last: reports are often read in the order in which they were stored.
final class BlockCache: Sendable {
  private static let limit = 8

  /// The last one at the end. A number stands for the same bytes for ever.
  private let blocks = Mutex<[(number: Int, bytes: ByteView)]>([])

  subscript(number: Int) -> ByteView? {
    blocks.withLock { blocks in
      guard let index = blocks.firstIndex(where: { $0.number == number }) else { return nil }
      let found = blocks.remove(at: index)
      blocks.append(found)
      return found.bytes
    }
  }

  func add(_ number: Int, _ bytes: ByteView) {
    blocks.withLock { blocks in
      // Another thread may have unpacked it, too.
      blocks.removeAll { $0.number == number }
      if blocks.count == Self.limit { blocks.removeFirst() }
      blocks.append((number, bytes))
    }
  }
}
