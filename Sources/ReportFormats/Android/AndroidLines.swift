internal import Bytes

/// Goes through the lines of a report of Android after its headline.
enum AndroidLines {
  /// Calls `body` with each line until it returns `false`.
  ///
  /// A report ends with the last lines of the log, which may look like other reports; they belong to it and
  /// are left out.
  ///
  /// - Parameter toStars: Whether it goes on after the log, up to the row of stars that begins the next one.
  /// - Returns: Where the report ends, if that is behind other headlines.
  static func forEach(
    _ section: ReportSection, in text: RawSpan, toStars: Bool, _ body: (RawSpan) -> Bool
  ) -> Int? {
    guard section.prefix.isEmpty else {
      section.forEachLine(in: text) { line in
        line.has("*** *** *** ***") ? false : body(line)
      }
      return nil
    }
    var cursor = LineCursor(
      min(section.headline.line.upperBound + 1, text.byteCount)..<text.byteCount)
    var isInLog = false
    while let range = cursor.next(in: text) {
      let line = text.part(range).trimmed
      if line.has("*** *** *** ***") { return range.lowerBound }
      if line.has("--------- ") {
        isInLog = true
        continue
      }
      if isInLog {
        if line.byteCount == 0 || isLogLine(line) { continue }
        isInLog = false
      }
      // Outside the log a headline is the next report's.
      if !toStars, range.lowerBound >= section.range.upperBound { return range.lowerBound }
      if !body(line) { return range.lowerBound }
    }
    return text.byteCount
  }

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
