internal import Bytes

/// Finds the headlines of reports in a log of any length.
///
/// Nearly every headline has a colon after a byte that few other colons have before them, so the search
/// goes from colon to colon.
struct HeadlineFinder {
  private let table: HeadlineTable
  private var position = 0
  private var lines = LineStarts()
  /// Where the next mark of each rule without a colon stands, once it was looked for.
  private var nextWithoutColon: [Int]

  init(_ table: HeadlineTable) {
    self.table = table
    nextWithoutColon = [Int](repeating: -1, count: table.withoutColon.count)
  }

  /// The next headline, in the order of the text. A line gives one.
  ///
  /// - Complexity: O(n) over all calls.
  mutating func next(in text: RawSpan) -> Headline? {
    while true {
      let other = earliestWithoutColon(in: text)
      let end = other.map { nextWithoutColon[$0] } ?? text.byteCount
      if let headline = nextWithColon(in: text, before: end) { return headline }
      guard let other else {
        position = text.byteCount
        return nil
      }
      position = end + 1
      let entry = table.withoutColon[other]
      if let location = entry.rule.locate(text, end, &lines) {
        return headline(entry, location, mark: end, in: text)
      }
    }
  }

  private mutating func nextWithColon(in text: RawSpan, before end: Int) -> Headline? {
    let searched = text.upTo(end)
    while let colon = searched.find(UInt8(ascii: ":"), from: position) {
      position = colon + 1
      for index in table.range(of: text.byteOrZero(colon - 1)) {
        guard let offset = table.entries[index].rule.colon,
          text.has(table.entries[index].rule.mark, at: colon - offset)
        else { continue }
        let entry = table.entries[index]
        guard let location = entry.rule.locate(text, colon - offset, &lines) else { continue }
        return headline(entry, location, mark: colon, in: text)
      }
    }
    return nil
  }

  /// The headline of the line of `mark`. The search goes on after that line.
  private mutating func headline(
    _ entry: HeadlineTable.Entry, _ location: Headline.Location, mark: Int, in text: RawSpan
  ) -> Headline {
    let from = lines.start(of: location.start, in: text)
    let next = text.find(10, from: mark) ?? text.byteCount
    position = next
    let end = next > from && text.byte(next - 1) == 13 ? next - 1 : next
    return Headline(
      kind: entry.rule.kind, role: entry.rule.role, reader: entry.reader, line: from..<end,
      start: max(location.start, from), content: location.content)
  }

  /// Which rule without a colon has the next mark.
  private mutating func earliestWithoutColon(in text: RawSpan) -> Int? {
    var earliest: Int?
    for index in nextWithoutColon.indices {
      if nextWithoutColon[index] < position {
        nextWithoutColon[index] =
          text.find(table.withoutColon[index].rule.mark, from: position) ?? .max
      }
      guard nextWithoutColon[index] != .max else { continue }
      if earliest.map({ nextWithoutColon[index] < nextWithoutColon[$0] }) ?? true {
        earliest = index
      }
    }
    return earliest
  }
}
