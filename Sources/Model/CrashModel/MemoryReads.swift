internal import Synchronization

/// A record of the reads of a process's memory.
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

  /// The record for memory that is created now.
  @TaskLocal public static var current: MemoryReads?

  /// The most reads that are remembered.
  private static let limit = 1 << 21

  private let reads = Mutex<Set<Read>>([])

  public init() {}

  func add(_ read: Read) {
    reads.withLock { reads in
      if reads.count < Self.limit { reads.insert(read) }
    }
  }

  /// The reads since the last call.
  public func take() -> Set<Read> {
    reads.withLock { reads in
      defer { reads = [] }
      return reads
    }
  }
}
