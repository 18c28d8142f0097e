internal import Bytes

/// The part of a log that belongs to one report: from its headline to the next one.
struct ReportSection {
  let headline: Headline
  let prefix: LogPrefix
  /// The bytes that are read: from the headline's line to where the next report begins.
  let range: Range<Int>
  /// Lines that were printed before the headline and may belong to it, oldest first.
  let prelude: [Headline]
  /// Where the headline of the report before this one ends; 0 for the first.
  let previous: Int

  /// Calls `body` with each line of the section after the headline, without the logger's prefix and
  /// the blanks around it, until it returns `false`. Lines of other sources are left out.
  func forEachLine(in text: RawSpan, _ body: (RawSpan) -> Bool) {
    var cursor = LineCursor(min(headline.line.upperBound + 1, range.upperBound)..<range.upperBound)
    while let range = cursor.next(in: text) {
      let line = text.part(range)
      if prefix.isEmpty {
        if !body(line.trimmed) { return }
      } else if let length = prefix.length(in: line, of: text) {
        if !body(line.from(length).trimmed) { return }
      }
    }
  }

  /// Calls `body` with each line before the headline that may belong to the report: not further back than
  /// ``FormatLimits/finalMessageBytes`` or the headline before.
  func forEachLineBefore(in text: RawSpan, _ body: (RawSpan) -> Void) {
    let end = headline.line.lowerBound
    let start = max(previous, end - FormatLimits.finalMessageBytes)
    guard start < end else { return }
    var cursor = LineCursor(start..<end)
    while let range = cursor.next(in: text) {
      let line = text.part(range)
      if prefix.isEmpty {
        body(line.trimmed)
      } else if let length = prefix.length(in: line, of: text) {
        body(line.from(length).trimmed)
      }
    }
  }

  /// Calls `body` with each line before the headline that may belong to the report and has one of `marks`, and
  /// with those that follow it while `body` returns `true`.
  func forEachLineBefore(in text: RawSpan, having marks: MarkSearch, _ body: (RawSpan) -> Bool) {
    let end = headline.line.lowerBound
    var position = max(previous, end - FormatLimits.finalMessageBytes)
    guard position < end else { return }
    let searched = text.upTo(end)
    var lines = LineStarts()
    while let match = marks.next(in: searched, from: position) {
      var cursor = LineCursor(max(lines.start(of: match.start, in: text), position)..<end)
      while let range = cursor.next(in: text) {
        let line = text.part(range)
        if prefix.isEmpty {
          if !body(line.trimmed) { break }
        } else if let length = prefix.length(in: line, of: text) {
          if !body(line.from(length).trimmed) { break }
        } else if range.contains(match.start) {
          // Of another source.
          break
        }
      }
      // The next search begins with the next line, and reads no line twice.
      position = max(cursor.position, match.start + 1)
    }
  }
}
