internal import Synchronization

/// What is read of the memory of a process.
///
/// The memory of a dump that is read while a record is ``current`` tells it of every read, so that whoever cuts
/// a dump down knows what its stacks and its reason need. A record is bounded: whoever uses it tests that what
/// it names is enough.
public final class MemoryReads: Sendable {
  /// Bytes that were read at once.
  public struct Read: Hashable, Sendable {
    public let address: UInt64
    public let size: Int
    /// Whether it was read as text, whose end was looked for.
    public let isText: Bool

    public init(address: UInt64, size: Int, isText: Bool = false) {
      self.address = address
      self.size = size
      self.isText = isText
    }
  }

  /// The record that memory belongs to which is made now.
  @TaskLocal public static var current: MemoryReads?

  /// So many are remembered.
  private static let limit = 1 << 21

  private let reads = Mutex<Set<Read>>([])

  public init() {}

  func add(_ read: Read) {
    reads.withLock { reads in
      if reads.count < Self.limit { reads.insert(read) }
    }
  }

  /// What was read since this was last asked.
  public func take() -> Set<Read> {
    reads.withLock { reads in
      defer { reads = [] }
      return reads
    }
  }
}
