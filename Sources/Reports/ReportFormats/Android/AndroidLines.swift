internal import Bytes

/// Iterates over the lines of an Android report after its headline.
///
/// A report ends with the last lines of the log, which may look like other reports; they belong to the report
/// and are left out. So it may extend beyond the next headline.
struct AndroidLines {
  private var cursor: LineCursor
  private let section: ReportSection
  private var isInLog = false
  private var isAfterLog = false
  /// The end of the report, if that is after other headlines.
  private(set) var end: Int?

  init(of section: ReportSection, in text: RawSpan) {
    self.section = section
    let start = min(section.headline.line.upperBound + 1, text.byteCount)
    cursor = LineCursor(start..<text.byteCount)
  }

  /// The range of the next line.
  ///
  /// - Parameters:
  ///   - isReport: Whether enough was read for a report. Otherwise the lines of others are left alone.
  ///   - toStars: Whether it continues after the log, up to the row of stars that begins the next one.
  mutating func next(in text: RawSpan, isReport: Bool, toStars: Bool) -> Range<Int>? {
    while let range = cursor.next(in: text) {
      let line = text.part(range).trimmed
      let isBeyond = range.lowerBound >= section.range.upperBound
      if line.has("*** *** *** ***") || isBeyond && !isReport { return stop(at: range.lowerBound) }
      if line.has("--------- ") {
        isInLog = true
        isAfterLog = false
        continue
      }
      if isInLog, line.byteCount == 0 {
        isAfterLog = true
        continue
      }
      // Only xCrash writes a log with empty lines.
      if isInLog, isAfterLog, !toStars, Self.isLogLine(line) { return stop(at: range.lowerBound) }
      if isInLog, Self.isLogLine(line) { continue }
      isInLog = false
      // An app's output.
      if Self.isLogLine(line) || KnownPrefix.ofAndroid(line) != nil {
        return stop(at: range.lowerBound)
      }
      // Outside the log a headline is the next report's.
      if isBeyond, !toStars { return stop(at: range.lowerBound) }
      return range
    }
    return stop(at: text.byteCount)
  }

  private mutating func stop(at position: Int) -> Range<Int>? {
    end(at: position)
    return nil
  }

  /// Ends the report before `position`.
  mutating func end(at position: Int) { end = position }

  /// `09-29 17:43:49.123  9850  9893 E libc    : …`.
  private static func isLogLine(_ line: RawSpan) -> Bool {
    line.byteCount > 18 && line.byte(2) == UInt8(ascii: "-") && line.byte(8) == UInt8(ascii: ":")
      && line.byte(11) == UInt8(ascii: ":") && line.byte(0).isDigit && line.byte(6).isDigit
  }
}

extension RawSpan {
  /// The bytes before the first line end.
  var upToLineEnd: RawSpan {
    @_lifetime(copy self)
    get { upTo(find(10) ?? byteCount) }
  }
}
