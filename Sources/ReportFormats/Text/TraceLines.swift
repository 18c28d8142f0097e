internal import Bytes

/// The lines of a stack trace in a log, beginning with its headline: without the logger's prefix, with
/// their indentation, as far as the trace itself goes.
///
/// The next headline does not end them, because traces quote others. Of a log with prefixes, lines of
/// other sources are left out.
struct TraceLines {
  private var cursor: LineCursor
  private let prefix: LogPrefix
  private var first: Range<Int>?
  /// Whether lines of other sources stand between those that were given.
  private(set) var isInterleaved = false

  init(of section: ReportSection, in text: RawSpan) {
    prefix = section.prefix
    let line = section.headline.line
    first = section.headline.start..<line.upperBound
    cursor = LineCursor(min(line.upperBound + 1, text.byteCount)..<text.byteCount)
  }

  /// Where the line after those that were given begins.
  var position: Int { cursor.position }

  mutating func next(in text: RawSpan) -> Range<Int>? {
    if let line = first {
      first = nil
      return line
    }
    let start = cursor.position
    while let range = cursor.next(in: text) {
      if prefix.isEmpty { return range }
      let line = text.part(range)
      if let length = prefix.length(in: line, of: text) {
        return (range.lowerBound + min(length, range.count))..<range.upperBound
      }
      isInterleaved = true
      if cursor.position - start > FormatLimits.preludeBytes { return nil }
    }
    return nil
  }
}
