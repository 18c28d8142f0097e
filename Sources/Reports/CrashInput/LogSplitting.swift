public import Bytes

/// Splits logs that are too long to be held in memory.
public protocol LogSplitting: Sendable {
  /// Whether reports may be anywhere in a file that begins with `head`.
  func isLog(_ head: ByteView) -> Bool

  /// Returns where to cut a log of which `window` was read.
  ///
  /// - Parameters:
  ///   - isLast: Whether the log ends with the window.
  ///   - isFull: Whether the window may not grow.
  func cut(_ window: ByteView, isLast: Bool, isFull: Bool) -> LogChunkEnd
}

/// The decision about the bytes of a log that were read.
public enum LogChunkEnd: Equatable, Sendable {
  /// More bytes are needed.
  case grow
  /// `part` may hold reports; `nil` if there are none. The next read begins at `next`, which may be within
  /// the part, as lines there may belong to two reports.
  case part(Range<Int>?, next: Int)
}
