internal import Bytes

/// Where lines begin, asked for positions that only grow. No byte is walked twice, however long a line.
struct LineStarts {
  /// The start of the last line that was asked for, and up to where it is known to be the last.
  private var start = 0
  private var walked = 0

  /// Where the line of `index` begins.
  mutating func start(of index: Int, in text: RawSpan) -> Int {
    var candidate = index
    while candidate > walked {
      if text.byte(candidate - 1) == 10 {
        start = candidate
        break
      }
      candidate -= 1
    }
    walked = max(walked, index)
    return min(start, index)
  }
}
