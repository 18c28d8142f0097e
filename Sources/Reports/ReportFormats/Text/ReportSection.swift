internal import Bytes

/// The part of a log that belongs to one report: from its headline to the next one.
struct ReportSection {
  let headline: Headline
  /// The bytes that are read: from the headline's line to the start of the next report.
  let range: Range<Int>
  /// Lines that were printed before the headline and may belong to it, oldest first.
  let prelude: [Headline]
  /// The end of the previous report's headline, unless it is a program's last words; 0 for the first.
  let previous: Int

  /// The part of the section before `end`.
  func ending(at end: Int) -> ReportSection {
    ReportSection(
      headline: headline,
      range: range.lowerBound..<max(min(range.upperBound, end), range.lowerBound),
      prelude: prelude, previous: previous)
  }

  /// The section with the line directly before it, even if that has another headline.
  func withLineBefore(in text: RawSpan) -> ReportSection {
    let end = headline.line.lowerBound
    guard end > 0 else { return self }
    let start = text.findLast(10, before: end - 1).map { $0 + 1 } ?? 0
    return ReportSection(
      headline: headline, range: range, prelude: prelude,
      previous: min(previous, start))
  }

  /// Calls `body` with each line of the section after the headline, without the blanks around it, until it
  /// returns `false`.
  func forEachLine(in text: RawSpan, _ body: (RawSpan) -> Bool) {
    let next = (text.find(10, from: headline.line.upperBound) ?? text.byteCount) + 1
    var cursor = LineCursor(min(next, range.upperBound)..<range.upperBound)
    while let range = cursor.next(in: text) {
      if !body(text.part(range).trimmed) { return }
    }
  }

  /// Calls `body` like ``forEachLine(in:_:)``, with the number of blanks by which a line is indented further
  /// than the headline.
  func forEachIndentedLine(in text: RawSpan, _ body: (RawSpan, Int) -> Bool) {
    let usual = Self.blanks(atEndOf: text.part(headline.line.lowerBound..<headline.start))
    let next = (text.find(10, from: headline.line.upperBound) ?? text.byteCount) + 1
    var cursor = LineCursor(min(next, range.upperBound)..<range.upperBound)
    while let range = cursor.next(in: text) {
      let line = text.part(range)
      let first = line.skippingBlanks(from: 0)
      if !body(line.from(first).trimmed, max(0, first - usual)) { return }
    }
  }

  private static func blanks(atEndOf text: RawSpan) -> Int {
    var count = 0
    while count < text.byteCount, text.byte(text.byteCount - 1 - count).isBlank { count += 1 }
    return count
  }

  /// Calls `body` with each line before the headline that may belong to the report: at most
  /// ``FormatLimits/finalMessageBytes`` back and not beyond the previous headline.
  func forEachLineBefore(in text: RawSpan, _ body: (RawSpan) -> Void) {
    let end = headline.line.lowerBound
    let start = max(previous, end - FormatLimits.finalMessageBytes)
    guard start < end else { return }
    var cursor = LineCursor(start..<end)
    while let range = cursor.next(in: text) {
      body(text.part(range).trimmed)
    }
  }

  /// Calls `body` with each line before the headline that may belong to the report and has one of `marks`,
  /// and with those that follow it while `body` returns `true`; with the start of each.
  func forEachLineBefore(
    in text: RawSpan, having marks: MarkSearch, _ body: (RawSpan, Int) -> Bool
  ) {
    let end = headline.line.lowerBound
    var position = max(previous, end - FormatLimits.finalMessageBytes)
    guard position < end else { return }
    let searched = text.upTo(end)
    var lines = LineStarts()
    while let match = marks.next(in: searched, from: position) {
      var cursor = LineCursor(max(lines.start(of: match.start, in: text), position)..<end)
      while let range = cursor.next(in: text) {
        if !body(text.part(range).trimmed, range.lowerBound) { break }
      }
      // The next search begins at the next line, so that no line is read twice.
      position = max(cursor.position, match.start + 1)
    }
  }
}
