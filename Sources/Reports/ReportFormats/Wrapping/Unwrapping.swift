internal import Bytes

/// Removes wrappings from a text: gives a source for each logger, container, mail part or block.
///
/// One layer is removed at a time: the result may be wrapped again.
enum Unwrapping {
  /// The most layers, so that hostile nesting is not unwrapped for long.
  static let layers = 6

  /// The parts of a mail, blocks of Markdown, and reports of document formats; `nil` if `text` has none of
  /// these, or is a single report.
  ///
  /// - Complexity: O(n).
  static func blocks(
    of text: ByteView, headlines: HeadlineTable, openings: [OpeningSearch.Match]
  ) -> [TextSource]? {
    MailText.sources(of: text) ?? FencedText.sources(of: text.bytes)
      ?? indented(text.bytes)
      ?? DocumentPieces.sources(of: text, openings: openings, headlines: headlines)
  }

  /// The lines or entries that loggers wrote for each source; `nil` if nothing wraps the lines.
  ///
  /// - Parameters:
  ///   - overprints: The starts of lines that were printed over others.
  ///   - openings: The openings of documents in the text.
  ///   - prefixes: A finder that has observed the marks of the text.
  ///   - reports: Reports with a defined end: a prefix of lines within them is theirs.
  /// - Complexity: O(n).
  static func lines(
    of text: ByteView, overprints: Set<Int> = [], openings: [OpeningSearch.Match],
    prefixes: inout PrefixFinder, reports: [Range<Int>] = []
  ) -> [TextSource]? {
    if let entries = JSONEntries.sources(of: text) { return entries }
    prefixes.searchOpenings(openings, in: text.bytes)
    return prefixed(text.bytes, overprints, prefixes, reports)
      ?? EscapedLines.sources(of: text.bytes)
  }

  private static func has(_ prefix: LinePrefix, at start: Int, in text: RawSpan) -> Bool {
    let line = text.between(start, text.find(10, from: start) ?? text.byteCount)
    return prefix.length(in: line, of: text) != nil
  }

  /// The text without the blanks that all its lines begin with.
  private static func indented(_ text: RawSpan) -> [TextSource]? {
    guard text.byteOrZero(0).isBlank || text.byteOrZero(0) == 10 else { return nil }
    var least = Int.max
    var cursor = LineCursor(0..<text.byteCount)
    while let range = cursor.next(in: text), least > 0 {
      let line = text.part(range)
      let start = line.skippingBlanks(from: 0)
      if start < line.byteCount { least = min(least, start) }
    }
    guard least > 0, least < Int.max else { return nil }
    var builder = TextSource.Builder()
    cursor = LineCursor(0..<text.byteCount)
    while let range = cursor.next(in: text) {
      builder.append(text.part(range).from(least), from: range.lowerBound)
    }
    return [builder.source]
  }

  private static func prefixed(
    _ text: RawSpan, _ overprints: Set<Int>, _ finder: PrefixFinder, _ reports: [Range<Int>]
  ) -> [TextSource]? {
    var prefixes: [LinePrefix] = []
    for (prefix, lineStarts) in zip(finder.found, finder.lineStarts) {
      let isInside = lineStarts.allSatisfy { lineStart in
        reports.contains { report in
          report.lowerBound < lineStart && report.contains(lineStart)
            && !has(prefix, at: report.lowerBound, in: text)
        }
      }
      if !isInside { prefixes.append(prefix) }
    }
    guard !prefixes.isEmpty else { return nil }
    // The last one is for lines without a prefix.
    var builders = Array(repeating: TextSource.Builder(), count: prefixes.count + 1)
    var cursor = LineCursor(0..<text.byteCount)
    var last = prefixes.count
    var isInTombstone = false
    while let range = cursor.next(in: text) {
      let line = text.part(range)
      if overprints.contains(range.lowerBound) {
        builders[last].appendOverprint(line, from: range.lowerBound)
        continue
      }
      var best: (index: Int, length: Int)?
      for (index, prefix) in prefixes.enumerated() {
        guard let length = prefix.length(in: line, of: text), length > best?.length ?? -1 else {
          continue
        }
        best = (index, length)
      }
      // The log in a tombstone of Android is the tombstone's.
      if best == nil {
        isInTombstone = line.has("--------- log ") || line.has("--------- tail end of log ")
      } else if isInTombstone {
        best = nil
      }
      last = best?.index ?? prefixes.count
      guard let best else {
        builders[prefixes.count].append(line, from: range.lowerBound)
        continue
      }
      var rest = line.from(best.length)
      if prefixes[best.index].isQuoted(in: text), rest.ends(with: "\"") {
        rest = rest.upTo(rest.byteCount - 1)
      }
      builders[best.index].append(
        rest, from: range.lowerBound, after: best.length)
    }
    return builders.filter { !$0.isEmpty }.map { $0.source }
  }
}
