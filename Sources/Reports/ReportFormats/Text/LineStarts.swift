internal import Bytes

/// The starts of lines, for ascending positions of one text. No byte is read twice, however long a line.
struct LineStarts {
  /// The start of the last requested line, and the position up to which it is known to be the last.
  private var start = 0
  private var walked = 0
  /// The last requested exception: several readers ask for the one at a colon.
  private var exception: (mark: Int, found: ExceptionLine.Found?)?

  /// The start of the line that contains `index`.
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

  /// The exception whose type ends at the colon at `mark`.
  mutating func exception(before mark: Int, in text: RawSpan) -> ExceptionLine.Found? {
    if let exception, exception.mark == mark { return exception.found }
    let found = ExceptionLine.find(before: mark, in: text, &self)
    exception = (mark, found)
    return found
  }
}
