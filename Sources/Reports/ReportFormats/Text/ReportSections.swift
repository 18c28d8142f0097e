internal import Bytes

/// All sections of a text that begin with a report.
struct ReportSections {
  private(set) var sections: [ReportSection] = []
  /// The position at which a limit ended the search.
  private(set) var stopped: Int?
  private var starts: [Start] = []

  /// The beginning of a section.
  private struct Start {
    let headline: Headline
    let prelude: [Headline]
    /// The position of the last line that began or continued the report.
    var last: Int
  }

  /// - Parameter prefixes: Observes each mark of the text.
  /// - Complexity: O(n).
  init(in text: RawSpan, headlines: HeadlineTable, prefixes: inout PrefixFinder) {
    var waiting: [Headline] = []
    var finder = HeadlineFinder(headlines)
    while let headline = finder.next(in: text, observe: { prefixes.observe($0, in: text) }) {
      switch headline.role {
      case .begins, .lastWords: break
      case .precedes:
        Self.keep(headline, in: &waiting)
        continue
      case .announces(let kind):
        // The report follows within a few lines; if it does not, this is all there is of it.
        var ahead = finder
        if let next = ahead.next(in: text), next.kind == kind,
          next.start - headline.start < FormatLimits.preludeBytes
        {
          Self.keep(headline, in: &waiting)
          continue
        }
      case .continues:
        if let last = starts.last, Self.continues(headline, last) {
          starts[starts.count - 1].last = headline.line.upperBound
          continue
        }
      }
      guard starts.count < FormatLimits.reports else {
        stopped = headline.line.lowerBound
        break
      }
      let first = headline.line.lowerBound - FormatLimits.preludeBytes
      starts.append(
        Start(
          headline: headline, prelude: waiting.filter { $0.start >= first },
          last: headline.line.upperBound))
      waiting.removeAll(keepingCapacity: true)
    }
    divide(end: text.byteCount, of: text)
  }

  /// Whether a headline belongs to the report that begins with `start`.
  private static func continues(_ headline: Headline, _ start: Start) -> Bool {
    headline.role == .continues && start.headline.reader == headline.reader
      && headline.start - start.last <= FormatLimits.followUpBytes
  }

  /// The sections without those whose headlines begin at `others`, which are quoted by the report before
  /// them, or are not headlines after all. Their content belongs to the section before.
  func without(_ others: Set<Int>, of text: RawSpan) -> ReportSections {
    var kept = self
    kept.starts = []
    kept.sections = []
    for start in starts where !others.contains(start.headline.start) {
      if let last = kept.starts.last, Self.continues(start.headline, last) {
        kept.starts[kept.starts.count - 1].last = start.last
      } else {
        kept.starts.append(start)
      }
    }
    kept.divide(end: text.byteCount, of: text)
    return kept
  }

  /// Adds a headline to those that wait for their report, dropping the oldest.
  private static func keep(_ headline: Headline, in waiting: inout [Headline]) {
    if waiting.count == FormatLimits.preludes { waiting.removeFirst() }
    waiting.append(headline)
  }

  /// Ends each section at the start of the next one.
  private mutating func divide(end: Int, of text: RawSpan) {
    // The start of the next section.
    var next = stopped ?? end
    // The end of the last headline before each section that is not a program's last words.
    var previous: [Int] = []
    previous.reserveCapacity(starts.count)
    var last = 0
    for start in starts {
      previous.append(last)
      if start.headline.role != .lastWords { last = start.headline.line.upperBound }
    }
    sections.reserveCapacity(starts.count)
    for (index, start) in starts.enumerated().reversed() {
      let line = start.headline.line
      sections.append(
        ReportSection(
          headline: start.headline, range: line.lowerBound..<max(next, line.upperBound),
          prelude: start.prelude, previous: previous[index]))
      next = line.lowerBound
    }
    sections.reverse()
  }
}
