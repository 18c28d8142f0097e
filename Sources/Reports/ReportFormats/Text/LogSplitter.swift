public import Bytes

/// Splits a log of any length into parts that ``FormatRegistry/reports(in:)`` reads one by one.
///
/// A part ends before the headline of a report: the one with the largest distance from the headline before
/// it, so that interleaved reports of several sources are seldom split. The lines before a headline that may
/// belong to its report are in both parts.
public struct LogSplitter: Sendable {
  /// The layers of nested wrappings.
  private static let layers = 2

  /// Bytes between two headlines that are unlikely to be of one report.
  private static let apart = 16 << 10
  /// A number of headlines that are unlikely to be of one report.
  private static let many = 16

  private let headlines: HeadlineTable
  private let openings: OpeningSearch
  private let isDocument: @Sendable (ByteView) -> Bool

  init(
    _ headlines: HeadlineTable, openings: OpeningSearch,
    isDocument: @escaping @Sendable (ByteView) -> Bool
  ) {
    self.headlines = headlines
    self.openings = openings
    self.isDocument = isDocument
  }

  /// The decision about the bytes of a log that were read.
  public enum Cut: Equatable, Sendable {
    /// More bytes are needed.
    case grow
    /// `part` may hold reports; the search continues at `next`.
    case part(Range<Int>?, next: Int)
  }

  /// Whether reports may be anywhere in a file that begins with `head`: no format whose reports are whole
  /// files recognises it.
  public func isLog(_ head: ByteView) -> Bool { !isDocument(head) }

  /// Returns where to cut a log of which `window` was read.
  ///
  /// - Parameters:
  ///   - isLast: Whether the log ends with the window.
  ///   - isFull: Whether the window may not grow.
  /// - Complexity: O(n).
  public func cut(_ window: ByteView, isLast: Bool, isFull: Bool) -> Cut {
    // The last line may continue beyond the window.
    let end =
      isLast
      ? window.count
      : window.bytes.findLast(10, before: window.count).map { $0 + 1 } ?? window.count
    let text = window.clamped(0..<end).bytes
    let starts = starts(in: window.clamped(0..<end))
    if text.find(0x1b) != nil {
      // Colours may be within a headline; then the lines cannot be distinguished here.
      let cleaned = CleanedText(window.clamped(0..<end))
      if self.starts(in: cleaned.bytes).count > starts.count {
        return .part(0..<end, next: end)
      }
    }
    guard let first = starts.first, let last = starts.last else {
      return .part(nil, next: isLast ? end : Self.overlap(before: end, after: 0, in: text))
    }
    let start = Self.overlap(before: first.lowerBound, after: 0, in: text)
    if isLast { return .part(start..<end, next: end) }
    guard starts.count > 1 else {
      if start > end / 2 { return .part(nil, next: start) }
      guard isFull else { return .grow }
      // A report that is longer than the window is truncated.
      return .part(
        start..<end, next: Self.overlap(before: end, after: first.upperBound + 1, in: text))
    }
    var chosen = (before: starts[starts.count - 2].upperBound, start: last.lowerBound)
    var distance = 0
    for (previous, next) in zip(starts, starts.dropFirst()) where next.lowerBound >= end / 2 {
      guard next.lowerBound - previous.upperBound > distance else { continue }
      distance = next.lowerBound - previous.upperBound
      chosen = (previous.upperBound, next.lowerBound)
    }
    // A few adjacent headlines may be of one report.
    if distance < Self.apart, starts.count < Self.many {
      let behind = end - last.upperBound
      if behind > end / 2, behind > Self.apart {
        return .part(
          start..<end, next: Self.overlap(before: end, after: last.upperBound + 1, in: text))
      }
      if !isFull { return .grow }
    }
    return .part(
      start..<chosen.start,
      next: repeated(before: chosen.start, after: chosen.before + 1, in: window))
  }

  /// The start of the lines before `index` that are repeated in the next part: none that would begin a report
  /// there, such as the second thread of one whose first line is left out.
  private func repeated(before index: Int, after limit: Int, in window: ByteView) -> Int {
    var start = Self.overlap(before: index, after: limit, in: window.bytes)
    for _ in 0..<4 {
      guard let last = starts(in: window.clamped(start..<index)).last else { return start }
      start = min(start + last.upperBound + 1, index)
    }
    return index
  }

  /// The lines with which reports begin, wrapped or not.
  private func starts(in window: ByteView, layer: Int = 0) -> [Range<Int>] {
    let text = window.bytes
    let openings = openings.matches(in: text)
    var prefixes = PrefixFinder(headlines, overprints: [], isIdle: layer == Self.layers)
    var starts = Self.starts(in: text, headlines, &prefixes)
    let count = starts.count
    starts += DocumentPieces.documents(in: text, openings: openings, headlines: headlines)
    if layer < Self.layers,
      let sources = Unwrapping.lines(of: window, openings: openings, prefixes: &prefixes)
    {
      for source in sources {
        for start in self.starts(in: source.bytes, layer: layer + 1) {
          let last = source.origin(of: start.upperBound)
          starts.append(
            source.origin(of: start.lowerBound)..<(text.find(10, from: last) ?? text.byteCount))
        }
      }
    }
    return starts.count == count ? starts : Self.merged(starts)
  }

  /// The ranges in order, merged if they share lines.
  private static func merged(_ starts: [Range<Int>]) -> [Range<Int>] {
    var merged: [Range<Int>] = []
    for start in starts.sorted(by: {
      ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound)
    }
    ) {
      if let last = merged.last, start.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, start.upperBound)
      } else {
        merged.append(start)
      }
    }
    return merged
  }

  /// The headlines of reports: from the announcement on if one is announced shortly before.
  private static func starts(
    in text: RawSpan, _ headlines: HeadlineTable, _ prefixes: inout PrefixFinder
  ) -> [Range<Int>] {
    var starts: [Range<Int>] = []
    var announced: Int?
    var reader: Int?
    var spoken: Int?
    var finder = HeadlineFinder(headlines)
    while let headline = finder.next(in: text, observe: { prefixes.observe($0, in: text) }) {
      let line = headline.line
      switch headline.role {
      case .precedes: continue
      case .announces:
        announced = line.upperBound
        starts.append(line)
      case .begins
      where spoken.map { line.lowerBound - $0 < FormatLimits.finalMessageBytes } ?? false:
        // The program's last words may belong to it.
        if let last = starts.popLast() { starts.append(last.lowerBound..<line.upperBound) }
        announced = nil
        spoken = nil
        reader = headline.reader
      case .begins, .lastWords:
        spoken = headline.role == .lastWords ? line.upperBound : nil
        if let announced, line.lowerBound - announced < FormatLimits.preludeBytes,
          let last = starts.popLast()
        {
          starts.append(last.lowerBound..<line.upperBound)
        } else {
          starts.append(line)
        }
        announced = nil
        reader = headline.reader
      case .continues:
        if reader == headline.reader, let last = starts.last,
          line.lowerBound - last.upperBound <= FormatLimits.followUpBytes
        {
          starts[starts.count - 1] = last.lowerBound..<line.upperBound
        } else {
          starts.append(line)
          reader = headline.reader
        }
        announced = nil
      }
    }
    return starts
  }

  /// The start of a line before `index` from which lines may belong to a report there; not before `limit`.
  private static func overlap(before index: Int, after limit: Int, in text: RawSpan) -> Int {
    let earliest = min(max(index - FormatLimits.finalMessageBytes, limit), index)
    guard earliest > 0 else { return 0 }
    if text.byte(earliest - 1) == 10 { return earliest }
    return text.find(10, from: earliest).map { min($0 + 1, index) } ?? index
  }
}
