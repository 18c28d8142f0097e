public import Bytes

/// Divides logs that are too long to be in memory as a whole.
public protocol LogDividing: Sendable {
  /// Whether reports may stand anywhere in a file that begins with `head`.
  func isLog(_ head: ByteView) -> Bool

  /// Where to cut a log of which `window` is read.
  ///
  /// - Parameters:
  ///   - isLast: Whether the log ends with the window.
  ///   - isFull: Whether the window may not grow.
  func cut(_ window: ByteView, isLast: Bool, isFull: Bool) -> LogCut
}

/// What becomes of the bytes of a log that are read.
public enum LogCut: Equatable, Sendable {
  /// More of them are needed.
  case grow
  /// Reports may stand in `part`, `nil` where there are none. What is read next begins at `next`, which may lie
  /// within the part: lines there may belong to two reports.
  case part(Range<Int>?, next: Int)
}
