internal import Bytes

/// Finds the prefixes of the sources in a text: the text before the first line of a report that the adjacent
/// lines have too.
struct PrefixFinder {
  /// The most lines to examine, plus one per `tryBytes` bytes, so that the end of a long log is covered.
  private static let tries = 4_096
  private static let tryBytes = 2_048
  /// Lines of one shape that are examined: those of an access log are nearly identical.
  private static let alike = 64
  /// Bytes of a source that are read to check whether a report begins.
  private static let sampleBytes = 4 << 10
  private static let mostLineStarts = 32

  private let headlines: HeadlineTable
  private let overprints: Set<Int>
  private(set) var found: [LinePrefix] = []
  /// The starts of the first lines that showed each prefix.
  private(set) var lineStarts: [[Int]] = []
  private var tries = 0
  /// The number of examined lines of each shape, which is identified by a part of its hash.
  private var shapes = [(shape: UInt32, count: UInt8)](repeating: (0, 0), count: 4_096)
  private var starts = LineStarts()
  /// The last line examined, which may have several marks.
  private var line: Line?
  private var lastType = (mark: -1, isPossible: false)

  private struct Line {
    let start: Int
    var neighbours: NeighbouringLines
    var samples: [Sample] = []
  }

  /// An excerpt of a line's source, without its prefix.
  private struct Sample {
    /// The length of the prefix in the line, and whether it fits any process.
    let length: Int
    let isLoose: Bool
    let bytes: ByteView
    /// The line's position in it.
    let own: Int
  }

  private let isIdle: Bool

  /// - Parameters:
  ///   - overprints: The starts of lines that were printed over others.
  ///   - isIdle: Whether the search is off, as the text is wrapped too often.
  init(
    _ headlines: HeadlineTable, overprints: Set<Int>, isIdle: Bool
  ) {
    self.isIdle = isIdle
    self.headlines = headlines
    self.overprints = overprints
  }

  /// Searches for a prefix of the line with `match`. The matches come in order.
  mutating func observe(_ match: MarkSearch.Match, in text: RawSpan) {
    guard !isIdle, found.count < FormatLimits.prefixes,
      mayBegin(match, in: text)
    else { return }
    let start = starts.start(of: match.start, in: text)
    guard start < match.start, isNew(match, of: start, in: text) else { return }
    let rule = headlines.entries[match.mark].rule
    consider(start, mark: match.start, precedes: rule.role == .precedes, in: text) { part, mark in
      var lines = LineStarts()
      return rule.locate(part, mark, &lines)?.start
    }
  }

  /// Searches for the prefixes of lines in which a document begins.
  mutating func searchOpenings(_ openings: [OpeningSearch.Match], in text: RawSpan) {
    var starts = LineStarts()
    var last = -1
    for opening in openings {
      guard found.count < FormatLimits.prefixes else { return }
      let start = starts.start(of: opening.start, in: text)
      // Only the first JSON object of a line.
      guard opening.isNamed || start > last else { continue }
      last = start
      consider(start, mark: opening.start, precedes: false, in: text) { _, mark in mark }
    }
  }

  /// Whether there is evidence of a headline.
  private mutating func mayBegin(_ match: MarkSearch.Match, in text: RawSpan) -> Bool {
    let rule = headlines.entries[match.mark].rule
    switch rule.evidence {
    case .none: return true
    case .line:
      var lines = LineStarts()
      return rule.locate(text, match.start, &lines) != nil
    case .following(let words):
      return NeighbouringLines.following(match.start, in: text) { $0.contains(words) }
    case .exception:
      // Several readers have the same mark.
      if lastType.mark != match.start {
        lastType = (match.start, ExceptionLine.mayHaveStack(text, match.start))
      }
      return lastType.isPossible
    }
  }

  /// Whether the line at `start` should be examined: few of its shape were.
  private mutating func isNew(
    _ match: MarkSearch.Match, of start: Int, in text: RawSpan
  ) -> Bool {
    guard match.start - start <= 2 * FormatLimits.prefixBytes,
      tries < Self.tries + start / Self.tryBytes
    else { return false }
    // FNV-1a of the mark and of the text before it, with each number as one digit.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ UInt64(match.mark)
    var wasDigit = false
    for index in start..<match.start {
      let byte = text.byte(index)
      if byte.isDigit {
        if wasDigit { continue }
        wasDigit = true
        hash = (hash ^ 0x30) &* 0x100_0000_01b3
      } else {
        wasDigit = false
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
      }
    }
    let bucket = Int(hash >> 20 & UInt64(shapes.count - 1))
    let shape = UInt32(truncatingIfNeeded: hash >> 32)
    if shapes[bucket].shape != shape { shapes[bucket] = (shape, 0) }
    guard shapes[bucket].count < Self.alike else { return false }
    shapes[bucket].count += 1
    tries += 1
    return true
  }

  /// Searches for the prefix of the line at `start`, in which `mark` may begin a report, at the position
  /// given by `locate`.
  ///
  /// - Parameter precedes: Whether the report itself follows: then the lines up to it have the prefix too.
  private mutating func consider(
    _ start: Int, mark: Int, precedes: Bool, in text: RawSpan, _ locate: (RawSpan, Int) -> Int?
  ) {
    let end = text.find(10, from: mark) ?? text.byteCount
    let whole = text.between(start, end)
    guard mark - start <= 2 * FormatLimits.prefixBytes else { return }
    if let known = found.firstIndex(where: { $0.length(in: whole, of: text) != nil }) {
      if lineStarts[known].count < Self.mostLineStarts { lineStarts[known].append(start) }
      return
    }
    let head = text.between(start, min(mark, start + FormatLimits.prefixBytes))
    let number = LineNumber.end(of: start..<end, in: text)
    if number > 0, number <= head.byteCount,
      let prefix = LinePrefix(start..<(start + number), in: text, isNumber: true)
    {
      add(prefix, at: start)
      return
    }
    let time = Self.timeEnd(of: head)
    // Moved out, so that nothing of it is copied.
    var line = takeLine(start..<end, in: text)
    defer { self.line = line }
    let lead = time == 0 ? head.skippingBlanks(from: 0) : 0
    let indented = lead > 0 ? Self.timeEnd(of: head.from(lead)) : 0
    var known = KnownPrefix.end(of: head, after: indented > 0 ? lead + indented : time)
    if known == 0, start == 0, head.has("> "), text.from(end).firstText == 0 { known = 2 }
    if known > 0, let exact = LinePrefix(start..<(start + known), in: text),
      !isContinued(end, exact, isTimed: time + indented > 0, in: text)
    {
      let loose = LinePrefix(start..<(start + known), in: text, ofAnyProcess: true)
      if let loose, !line.neighbours.share(exact, isTime: true, all: false, in: text),
        line.neighbours.share(loose, isTime: false, all: false, in: text)
      {
        add(loose, at: start)
      } else {
        add(exact, at: start)
      }
      return
    }
    guard !Self.isIndentation(head), time > 0 || !line.neighbours.differ(in: text) else { return }
    var strong: [Int] = []
    var weak: [Int] = []
    for end in Self.boundaries(of: head) where end > time {
      if Self.isStrong(end, of: head) { strong.append(end) } else { weak.append(end) }
    }
    // `Tern[4711:90211] ` after a time belongs to it.
    let logged = strong.first { LinePrefix.loggedProcess(in: head.upTo($0)) != nil }
    let timed = logged ?? time
    strong = strong.filter {
      line.neighbours.canShare($0, isTime: $0 == timed, all: precedes, in: text)
    }
    weak = weak.filter { line.neighbours.canShare($0, isTime: false, all: precedes, in: text) }
    var candidates = Array(strong.reversed())
    var shorter: [Int] = []
    if time > 0, line.neighbours.canShare(timed, isTime: true, all: precedes, in: text) {
      candidates.append(timed)
    } else {
      // A logger's time may be followed by the line's own: `10:11:12 [2026-05-01 10:12:44] local.ERROR: `.
      shorter = Self.timeEnds(of: head, upTo: time).filter {
        line.neighbours.canShare($0, isTime: false, all: precedes, in: text)
      }
    }
    candidates += shorter.reversed()
    guard candidates.count + weak.count > 0 else { return }
    // If a rule accepts any text before its own, only text that all lines have is a prefix.
    let isLax = locate(text.between(start, start + 4 * Self.sampleBytes), mark - start) != nil
    candidates += isLax && time == 0 ? weak.reversed() : weak
    for candidate in candidates {
      let isCertain =
        candidate == time || strong.contains(candidate) || shorter.contains(candidate)
      let isWeak = isLax && !isCertain
      let mustAll = isWeak || precedes
      // Only the first of several blanks belongs to the prefix.
      if isWeak,
        !head.byteOrZero(candidate - 1).isBlank || head.byteOrZero(candidate - 2).isBlank
      {
        continue
      }
      let range = start..<(start + candidate)
      let isTime = candidate == timed
      guard line.neighbours.canShare(candidate, isTime: isTime, all: mustAll, in: text),
        let exact = LinePrefix(range, in: text)
      else { continue }
      let prefix: LinePrefix
      let isLoose: Bool
      if line.neighbours.share(exact, isTime: isTime, all: mustAll, isWord: !isCertain, in: text) {
        (prefix, isLoose) = (exact, false)
      } else if let loose = LinePrefix(range, in: text, ofAnyProcess: true),
        line.neighbours.share(loose, isTime: isTime, all: mustAll, isWord: !isCertain, in: text)
      {
        (prefix, isLoose) = (loose, true)
      } else {
        continue
      }
      guard
        var at = located(
          prefix, isLoose: isLoose, mark: mark, length: candidate, of: &line, in: text, locate)
      else { continue }
      // Indentation belongs to the line.
      if at <= text.skippingBlanks(from: start + candidate) - start - candidate { at = 0 }
      if at <= 0 || isWeak {
        add(prefix, at: start)
        return
      }
      // Another word may be part of the prefix, if the other lines have it too.
      guard isCertain else { continue }
      var further = candidate + at
      while further > candidate + 1, text.byteOrZero(start + further - 2).isBlank { further -= 1 }
      let longer = LinePrefix(start..<(start + further), in: text)
      if let longer, line.neighbours.share(longer, isTime: false, all: false, in: text) {
        add(longer, at: start)
      } else {
        add(prefix, at: start)
      }
      return
    }
  }

  /// Whether `head` begins with blanks and no prefix follows: neither an aligned number nor a name in brackets.
  private static func isIndentation(_ head: RawSpan) -> Bool {
    let first = head.skippingBlanks(from: 0)
    if first > 1 {
      // The number of a cause or a call: `    1: error while executing at wasm backtrace:`.
      var index = first
      if head.decimal(at: &index) != nil, head.has(": ", at: index) { return true }
    }
    guard first > 0, head.byteOrZero(first).isLetter else { return false }
    var end = first
    while head.byteOrZero(end).isLetter { end += 1 }
    let word = head.between(first, end)
    return word.byteCount > 1 && !LineTime.isName(word)
  }

  /// Whether the line after the one that ends at `end` is indented without `prefix`, and so belongs to it.
  ///
  /// - Parameter isTimed: Whether a time is before the prefix.
  private func isContinued(
    _ end: Int, _ prefix: LinePrefix, isTimed: Bool, in text: RawSpan
  ) -> Bool {
    var cursor = LineCursor(min(end + 1, text.byteCount)..<text.byteCount)
    for _ in 0..<NeighbouringLines.count {
      guard let next = cursor.next(in: text) else { return false }
      let line = text.part(next).upTo(4 * FormatLimits.prefixBytes)
      // A time may precede the blanks, which another logger put there.
      let rest = isTimed ? line.from(Self.timeEnd(of: line)) : line
      if rest.trimmed.byteCount == 0, line.byteCount > 0 { continue }
      return rest.byteOrZero(0).isBlank && prefix.length(in: line, of: text) == nil
    }
    return false
  }

  private mutating func add(_ prefix: LinePrefix, at start: Int) {
    found.append(prefix)
    lineStarts.append([start])
  }

  /// Whether the text up to `end` looks like a prefix by itself: `web-1  | `, `> `, `app[42]: `, `stderr F `.
  private static func isStrong(_ end: Int, of head: RawSpan) -> Bool {
    guard end >= 2, head.byte(end - 1).isBlank, !head.byte(end - 2).isBlank else { return false }
    let word = head.upTo(end - 1)
    return word.ends(with: "|") || word.ends(with: ">") || word.ends(with: "]")
      || word.ends(with: "]:") || word.ends(with: "stderr F") || word.ends(with: "stdout F")
  }

  private mutating func takeLine(_ range: Range<Int>, in text: RawSpan) -> Line {
    if let known = line, known.start == range.lowerBound {
      line = nil
      return known
    }
    let head = min(range.count, FormatLimits.prefixBytes)
    return Line(
      start: range.lowerBound,
      neighbours: NeighbouringLines(of: range, head: head, overprints: overprints, in: text))
  }

  /// The start of a report in `line` without `prefix`, which has `length` bytes.
  private func located(
    _ prefix: LinePrefix, isLoose: Bool, mark: Int, length: Int, of line: inout Line,
    in text: RawSpan, _ locate: (RawSpan, Int) -> Int?
  ) -> Int? {
    let start = line.start
    let part = text.between(start + length, start + 4 * Self.sampleBytes)
    if let at = locate(part, mark - start - length) { return at }
    // It may depend on the lines before and after.
    let known = line.samples.firstIndex { $0.length == length && $0.isLoose == isLoose }
    if known == nil {
      line.samples.append(
        sample(prefix, isLoose: isLoose, length: length, from: start, in: text))
    }
    let index = known ?? line.samples.count - 1
    let (bytes, own) = (line.samples[index].bytes, line.samples[index].own)
    let sampled = own + mark - start - length
    guard sampled < bytes.count, let at = locate(bytes.bytes, sampled) else { return nil }
    return max(at - own, 0)
  }

  /// The source of the line at `start` with the lines before and after.
  private func sample(
    _ prefix: LinePrefix, isLoose: Bool, length: Int, from start: Int, in text: RawSpan
  ) -> Sample {
    var first = start
    for _ in 0..<NeighbouringLines.count where first > 0 {
      first = text.findLast(10, before: first - 1).map { $0 + 1 } ?? 0
    }
    first = max(first, start - Self.sampleBytes)
    var sample = Table<UInt8>()
    var own = 0
    var others = 0
    var cursor = LineCursor(first..<text.byteCount)
    while sample.count < 2 * Self.sampleBytes, others < NeighbouringLines.count,
      let range = cursor.next(in: text), range.lowerBound < start + 4 * Self.sampleBytes
    {
      let line = text.part(range)
      guard let length = prefix.length(in: line, of: text) else {
        if range.lowerBound > start { others += 1 }
        continue
      }
      others = 0
      if range.lowerBound == start { own = sample.count }
      sample.append(contentsOf: line.from(length))
      sample.append(10)
    }
    return Sample(length: length, isLoose: isLoose, bytes: ByteView(taking: sample), own: own)
  }

  /// The ends of words in `head`: the next may be the line's first own word.
  private static func boundaries(of head: RawSpan) -> [Int] {
    var ends: [Int] = []
    for index in 0..<head.byteCount {
      let byte = head.byte(index)
      if byte.isBlank {
        // After each blank: further ones may be the line's indentation.
        ends.append(index + 1)
      } else if byte.isOne(of: "|]:>\""), !head.byteOrZero(index + 1).isBlank {
        ends.append(index + 1)
      }
      if ends.count == 32 { break }
    }
    if head.byteCount > 0, ends.last != head.byteCount, ends.count < 32 {
      let last = head.byte(head.byteCount - 1)
      if last.isBlank || last.isOne(of: "|]:>\"") { ends.append(head.byteCount) }
    }
    return ends
  }

  /// The length of the times and dates at the start of `head`, with the blank after them; 0 for none.
  private static func timeEnd(of head: RawSpan) -> Int {
    var index = 0
    var end = 0
    var hasTime = false
    while index < head.byteCount {
      let start = index
      while index < head.byteCount, !head.byte(index).isBlank { index += 1 }
      let word = head.between(start, index)
      // A year or a zone may follow the time; smaller numbers are those of causes and frames.
      guard isTime(word), !hasTime || isClock(word) || !isNumber(word) else { break }
      hasTime = hasTime || isClock(word)
      guard index < head.byteCount else { break }
      index += 1
      end = index
      while index < head.byteCount, head.byte(index).isBlank { index += 1 }
    }
    return hasTime ? end : 0
  }

  /// The ends of the words of the times at the start of `head`, from the first clock or number of seconds on;
  /// `end` excluded.
  private static func timeEnds(of head: RawSpan, upTo end: Int) -> [Int] {
    var ends: [Int] = []
    var hasTime = false
    var index = 0
    while index < end {
      let start = index
      while index < end, !head.byte(index).isBlank { index += 1 }
      let word = head.between(start, index)
      if isClock(word) || isEpoch(word) { hasTime = true }
      index += 1
      if hasTime, index < end { ends.append(index) }
      while index < end, head.byte(index).isBlank { index += 1 }
    }
    return ends
  }

  /// `0`, `12:`
  private static func isNumber(_ word: RawSpan) -> Bool {
    var end = 0
    while word.byteOrZero(end).isDigit { end += 1 }
    return end > 0 && end < 4 && (end == word.byteCount || word.byteOrZero(end) == 0x3A)
  }

  /// A part of a date, a time or a zone: more digits than a list's or a frame's number.
  private static func isTime(_ word: RawSpan) -> Bool {
    var digits = 0
    var marks = 0
    var index = 0
    while index < word.byteCount {
      let byte = word.byte(index)
      if byte.isDigit {
        digits += 1
      } else if byte.isLetter {
        var end = index
        while end < word.byteCount, word.byte(end).isLetter { end += 1 }
        let letters = word.between(index, end)
        if LineTime.isName(letters) {
          marks += 1
        } else if !(letters.byteCount == 1 && byte.isOne(of: "TZ")) {
          return false
        }
        index = end - 1
      } else {
        guard byte.isOne(of: "-:.,/+[]()") else { return false }
      }
      index += 1
    }
    return digits > 0 && digits <= 32 || marks > 0
  }

  /// Seconds since 1970: `1772446200.074`.
  private static func isEpoch(_ word: RawSpan) -> Bool {
    guard word.byteCount >= 10 else { return false }
    for index in 0..<10 where !word.byte(index).isDigit { return false }
    return true
  }

  /// `10:11:12`, within a date or alone.
  private static func isClock(_ word: RawSpan) -> Bool {
    guard word.byteCount >= 8 else { return false }
    for index in 0...(word.byteCount - 8)
    where word.byte(index + 2) == UInt8(ascii: ":") && word.byte(index + 5) == UInt8(ascii: ":") {
      if [0, 1, 3, 4, 6, 7].allSatisfy({ word.byte(index + $0).isDigit }) { return true }
    }
    return false
  }
}
