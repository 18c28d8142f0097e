internal import Bytes

/// Finds the headlines of reports in a log of any length.
struct HeadlineFinder {
  private let table: HeadlineTable
  private var position = 0
  /// The end of the last headline's own line: nothing before it begins another report.
  private var last = 0
  private var lines = LineStarts()

  init(_ table: HeadlineTable) { self.table = table }

  /// The next headline, in the order of the text. A line gives one.
  ///
  /// - Parameter observe: Called with each mark on the way.
  /// - Complexity: O(n) over all calls.
  mutating func next(
    in text: RawSpan, observe: (MarkSearch.Match) -> Void = { _ in }
  ) -> Headline? {
    var previous: MarkSearch.Match?
    while let match = table.search.next(in: text, from: position, after: previous) {
      previous = match
      observe(match)
      // A headline does not begin before the line of the previous one.
      guard match.start >= position else { continue }
      // Few marks are headlines: nothing of the entry is copied for the others.
      guard let location = table.entries[match.mark].rule.locate(text, match.start, &lines),
        location.start >= last
      else { continue }
      let found = headline(table.entries[match.mark], location, mark: match.start, in: text)
      while let other = table.search.next(in: text, from: match.start, after: previous),
        other.start < position
      {
        observe(other)
        previous = other
      }
      return found
    }
    position = text.byteCount
    return nil
  }

  /// The headline of the line of `mark`. The search continues after that line.
  private mutating func headline(
    _ entry: HeadlineTable.Entry, _ location: Headline.Location, mark: Int, in text: RawSpan
  ) -> Headline {
    let from = start(of: location, in: text)
    position = text.find(10, from: mark) ?? text.byteCount
    let next = location.lineEnd ?? position
    let end = next > from && text.byte(next - 1) == 13 ? next - 1 : next
    last = end
    return Headline(
      kind: entry.rule.kind, role: entry.rule.role, reader: entry.reader, line: from..<end,
      start: max(location.start, from), content: location.content)
  }

  /// The start of the headline's line. A mark in a later line was reached before it.
  private mutating func start(of location: Headline.Location, in text: RawSpan) -> Int {
    guard location.lineEnd != nil else { return lines.start(of: location.start, in: text) }
    let limit = Swift.max(last, location.start - 4 * FormatLimits.prefixBytes)
    let before = text.between(limit, location.start)
    return before.findLast(10).map { limit + $0 + 1 } ?? limit
  }
}
