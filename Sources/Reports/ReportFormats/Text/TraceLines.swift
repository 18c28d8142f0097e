internal import Bytes

/// The lines of a stack trace in a log, beginning with its headline, with their indentation, up to the end of
/// the trace.
///
/// The next headline does not end them, because traces quote others.
struct TraceLines {
  private var cursor: LineCursor
  private var first: Range<Int>?

  init(of section: ReportSection, in text: RawSpan) {
    let line = section.headline.line
    first = section.headline.start..<line.upperBound
    cursor = LineCursor(min(line.upperBound + 1, text.byteCount)..<text.byteCount)
  }

  /// The start of the line after the last one returned.
  var position: Int { cursor.position }

  mutating func next(in text: RawSpan) -> Range<Int>? {
    if let line = first {
      first = nil
      return line
    }
    return cursor.next(in: text)
  }
}
