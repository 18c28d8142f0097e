internal import Bytes

/// Finds the prefixes of the sources in a text: what stands before the first line of a report, and before the
/// lines round it, too.
struct PrefixFinder {
  /// Lines that are looked at, at most: so many, and one more in so many bytes, so that the end of a long log
  /// has its share.
  private static let tries = 4_096
  private static let tryBytes = 2_048
  /// Lines of one shape that are looked at: those of an access log are as good as alike.
  private static let alike = 64
  /// Lines after the first that are looked at.
  private static let lines = 8
  /// Bytes of a source that are read to see whether a report begins.
  private static let sampleBytes = 4 << 10

  private let headlines: HeadlineTable
  private let overprints: Set<Int>
  private(set) var found: [LinePrefix] = []
  /// Where the lines begin that showed them.
  private(set) var places: [Int] = []
  private var tries = 0
  /// How many lines were looked at of each shape, which is told by a part of its hash.
  private var shapes = [(shape: UInt32, count: UInt8)](repeating: (0, 0), count: 4_096)
  private var starts = LineStarts()

  private let isIdle: Bool

  /// - Parameters:
  ///   - overprints: Where lines begin that were printed over others.
  ///   - isIdle: Whether nothing is looked for, as the text is wrapped too often.
  init(
    _ headlines: HeadlineTable, overprints: Set<Int>, isIdle: Bool
  ) {
    self.isIdle = isIdle
    self.headlines = headlines
    self.overprints = overprints
  }

  /// Looks for a prefix of the line in which `match` stands. The matches come in their order.
  mutating func observe(_ match: MarkSearch.Match, in text: RawSpan) {
    guard !isIdle, found.count < FormatLimits.prefixes,
      !headlines.entries[match.mark].rule.followsType
        || ThrownLine.isPossible(text, match.start)
    else { return }
    let start = starts.start(of: match.start, in: text)
    guard start < match.start, isNew(match, of: start, in: text) else { return }
    let rule = headlines.entries[match.mark].rule
    consider(start, mark: match.start, precedes: rule.role == .precedes, in: text) { part, mark in
      var lines = LineStarts()
      return rule.locate(part, mark, &lines)?.start
    }
  }

  /// Looks for the prefixes of lines in which a file begins that is a report.
  mutating func searchOpenings(_ openings: [OpeningSearch.Match], in text: RawSpan) {
    var starts = LineStarts()
    var last = -1
    for opening in openings {
      guard found.count < FormatLimits.prefixes else { return }
      let start = starts.start(of: opening.start, in: text)
      // Of objects in JSON, the first of a line.
      guard opening.isNamed || start > last else { continue }
      last = start
      consider(start, mark: opening.start, precedes: false, in: text) { _, mark in mark }
    }
  }

  /// Whether the line at `start` is worth a look: few of its shape were looked at.
  private mutating func isNew(
    _ match: MarkSearch.Match, of start: Int, in text: RawSpan
  ) -> Bool {
    guard match.start - start <= 2 * FormatLimits.prefixBytes,
      tries < Self.tries + start / Self.tryBytes
    else { return false }
    // FNV-1a, of the mark and of what stands before it, a number as one digit.
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
    let place = Int(hash >> 20 & UInt64(shapes.count - 1))
    let shape = UInt32(truncatingIfNeeded: hash >> 32)
    if shapes[place].shape != shape { shapes[place] = (shape, 0) }
    guard shapes[place].count < Self.alike else { return false }
    shapes[place].count += 1
    tries += 1
    return true
  }

  /// Looks for the prefix of the line at `start`, in which `mark` may begin a report: `locate` says where.
  ///
  /// - Parameter precedes: Whether the report itself follows: then the lines up to it have the prefix, too.
  private mutating func consider(
    _ start: Int, mark: Int, precedes: Bool, in text: RawSpan, _ locate: (RawSpan, Int) -> Int?
  ) {
    let end = text.find(10, from: mark) ?? text.byteCount
    let line = text.between(start, end)
    guard mark - start <= 2 * FormatLimits.prefixBytes,
      !found.contains(where: { $0.length(in: line, of: text) != nil })
    else { return }
    let head = text.between(start, min(mark, start + FormatLimits.prefixBytes))
    let time = Self.timeEnd(of: head)
    let lead = time == 0 ? head.skippingBlanks(from: 0) : 0
    let indented = lead > 0 ? Self.timeEnd(of: head.from(lead)) : 0
    var known = KnownPrefix.end(of: head, after: indented > 0 ? lead + indented : time)
    if known == 0, start == 0, head.has("> "), text.from(end).firstText == 0 { known = 2 }
    if known > 0, let exact = LinePrefix(start..<(start + known), in: text),
      !isContinued(end, exact, in: text)
    {
      let loose = LinePrefix(start..<(start + known), in: text, ofAnyProcess: true)
      if let loose, !shares(exact, start: start, end: end, true, all: false, in: text),
        shares(loose, start: start, end: end, false, all: false, in: text)
      {
        add(loose, at: start)
      } else {
        add(exact, at: start)
      }
      return
    }
    var strong: [Int] = []
    var weak: [Int] = []
    for end in Self.boundaries(of: head) where end > time {
      if Self.isStrong(end, of: head) { strong.append(end) } else { weak.append(end) }
    }
    var candidates = Array(strong.reversed())
    // `Tern[4711:90211] ` behind a time belongs to it.
    let logged = strong.first { LinePrefix.loggedProcess(in: head.upTo($0)) != nil }
    if time > 0 { candidates.append(logged ?? time) }
    // Where a rule takes any words before its own, only those that all lines have are a prefix.
    let isLax = locate(text.between(start, start + 4 * Self.sampleBytes), mark - start) != nil
    candidates += isLax && time == 0 ? weak.reversed() : weak
    for candidate in candidates {
      let isWeak = isLax && candidate != time && !strong.contains(candidate)
      let mustAll = isWeak || precedes
      if isWeak {
        let isNumber =
          !head.byteOrZero(candidate - 1).isBlank && numbers(candidate, start, end, in: text)
        // Of several blanks only the first is the prefix's.
        let isWord =
          head.byteOrZero(candidate - 1).isBlank && !head.byteOrZero(candidate - 2).isBlank
        guard isNumber || isWord else { continue }
      }
      let range = start..<(start + candidate)
      guard let exact = LinePrefix(range, in: text) else { continue }
      let isTime = candidate == logged ?? time
      let loose =
        shares(exact, start: start, end: end, isTime, all: mustAll, in: text)
        ? exact : LinePrefix(range, in: text, ofAnyProcess: true)
      guard let prefix = loose,
        shares(prefix, start: start, end: end, isTime, all: mustAll, in: text),
        var at = located(prefix, start, mark, candidate, in: text, locate)
      else { continue }
      // Indentation is the line's own.
      if at <= text.skippingBlanks(from: start + candidate) - start - candidate { at = 0 }
      if at <= 0 || isWeak {
        add(prefix, at: start)
        return
      }
      // A further word may be part of the prefix, if the other lines have it, too.
      guard candidate == time || strong.contains(candidate) else { continue }
      var further = candidate + at
      while further > candidate + 1, text.byteOrZero(start + further - 2).isBlank { further -= 1 }
      let longer = LinePrefix(start..<(start + further), in: text)
      if let longer, shares(longer, start: start, end: end, false, all: false, in: text) {
        add(longer, at: start)
      } else {
        add(prefix, at: start)
      }
      return
    }
  }

  /// Whether the line after the one that ends at `end` is indented without `prefix`, and so belongs to it.
  private func isContinued(_ end: Int, _ prefix: LinePrefix, in text: RawSpan) -> Bool {
    var cursor = LineCursor(min(end + 1, text.byteCount)..<text.byteCount)
    for _ in 0..<Self.lines {
      guard let next = cursor.next(in: text) else { return false }
      let line = text.part(next).upTo(4 * FormatLimits.prefixBytes)
      // A time may stand before the blanks, which another logger put there.
      let rest = line.from(Self.timeEnd(of: line))
      if rest.trimmed.byteCount == 0, line.byteCount > 0 { continue }
      return rest.byteOrZero(0).isBlank && prefix.length(in: line, of: text) == nil
    }
    return false
  }

  private mutating func add(_ prefix: LinePrefix, at start: Int) {
    found.append(prefix)
    places.append(start)
  }

  /// Whether the line from `start` to `end` and one beside it are numbered, up to `length`.
  private func numbers(_ length: Int, _ start: Int, _ end: Int, in text: RawSpan) -> Bool {
    if Self.counts(length, of: text.between(start, end), text.from(end + 1)) { return true }
    guard start > 0 else { return false }
    let before = text.findLast(10, before: start - 1).map { $0 + 1 } ?? 0
    let line = text.between(before, start - 1)
    return [length, length - 1].contains { Self.counts($0, of: line, text.between(start, end)) }
  }

  /// Whether what stands before `end` numbers the lines, as `grep -n` does: `12:`, `tern.log:12:`.
  private static func counts(_ end: Int, of line: RawSpan, _ next: RawSpan) -> Bool {
    guard let number = number(before: end, in: line) else { return false }
    var start = end - 1
    while start > 0, line.byteOrZero(start - 1).isDigit { start -= 1 }
    for index in 0..<start where line.byteOrZero(index) != next.byteOrZero(index) { return false }
    var index = start
    guard let following = next.upTo(start + 24).decimal(at: &index) else { return false }
    return following == number &+ 1 && next.byteOrZero(index) == UInt8(ascii: ":")
  }

  private static func number(before end: Int, in line: RawSpan) -> UInt64? {
    guard end > 1, line.byteOrZero(end - 1) == UInt8(ascii: ":") else { return nil }
    var start = end - 1
    while start > 0, line.byteOrZero(start - 1).isDigit { start -= 1 }
    return start < end - 1 ? line.decimal(at: &start) : nil
  }

  /// Whether what ends at `end` looks like a prefix by itself: `web-1  | `, `> `, `app[42]: `, `stderr F `.
  private static func isStrong(_ end: Int, of head: RawSpan) -> Bool {
    guard end >= 2, head.byte(end - 1).isBlank, !head.byte(end - 2).isBlank else { return false }
    let word = head.upTo(end - 1)
    return word.ends(with: "|") || word.ends(with: ">") || word.ends(with: "]")
      || word.ends(with: "]:") || word.ends(with: "stderr F") || word.ends(with: "stdout F")
  }

  /// Where a report begins in the line at `start` without `prefix`.
  private mutating func located(
    _ prefix: LinePrefix, _ start: Int, _ mark: Int, _ length: Int, in text: RawSpan,
    _ locate: (RawSpan, Int) -> Int?
  ) -> Int? {
    let part = text.between(start + length, start + 4 * Self.sampleBytes)
    if let at = locate(part, mark - start - length) { return at }
    // It may depend on the lines before and behind.
    var first = start
    for _ in 0..<Self.lines where first > 0 {
      first = text.findLast(10, before: first - 1).map { $0 + 1 } ?? 0
    }
    first = max(first, start - Self.sampleBytes)
    var sample = Table<UInt8>()
    var own = 0
    var cursor = LineCursor(first..<text.byteCount)
    while sample.count < 2 * Self.sampleBytes, let range = cursor.next(in: text),
      range.lowerBound < start + 4 * Self.sampleBytes
    {
      let line = text.part(range)
      guard let length = prefix.length(in: line, of: text) else { continue }
      if range.lowerBound == start { own = sample.count }
      let rest = line.from(length)
      sample.append(contentsOf: rest)
      sample.append(10)
    }
    return locate(ByteView(taking: sample).bytes, own + mark - start - length).map {
      max($0 - own, 0)
    }
  }

  /// Whether the lines next to the one from `start` to `end` have `prefix`, too.
  ///
  /// The next one has it, or several soon after, between those of others. At the end of a text it is the line
  /// before, and a line that stands alone is enough where `isTime`. With `all`, no line may lack it.
  private func shares(
    _ prefix: LinePrefix, start: Int, end: Int, _ isTime: Bool, all: Bool, in text: RawSpan
  ) -> Bool {
    var cursor = LineCursor(min(end + 1, text.byteCount)..<text.byteCount)
    var others = 0
    var count = 0
    for _ in 0..<Self.lines {
      guard let range = cursor.next(in: text) else { break }
      if overprints.contains(range.lowerBound) { continue }
      let line = text.part(range).upTo(4 * FormatLimits.prefixBytes)
      if line.trimmed.byteCount == 0 { continue }
      if prefix.length(in: line, of: text) != nil {
        count += 1
        if !all, others == 0 || count == 2 { return true }
      } else {
        if all { return false }
        // What is indented continues the line before.
        if others == 0, line.byte(0).isBlank { return false }
        others += 1
      }
    }
    if all { return self.all(prefix, before: start, in: text).map { count + $0 > 1 } ?? false }
    if others > 0 { return false }
    guard start > 0 else { return isTime }
    let before = text.findLast(10, before: start - 1).map { $0 + 1 } ?? 0
    let line = text.between(before, start - 1)
    return line.trimmed.byteCount == 0 ? isTime : prefix.length(in: line, of: text) != nil
  }

  /// How many of the lines before `start` have `prefix`; `nil` where one lacks it.
  private func all(_ prefix: LinePrefix, before start: Int, in text: RawSpan) -> Int? {
    var end = start - 1
    var count = 0
    for _ in 0..<Self.lines {
      guard end > 0 else { break }
      let from = text.findLast(10, before: end).map { $0 + 1 } ?? 0
      let line = text.between(from, end)
      end = from - 1
      if line.trimmed.byteCount == 0 { continue }
      guard prefix.length(in: line, of: text) != nil else { return nil }
      count += 1
    }
    return count
  }

  /// Where words of `head` end: the next may be the line's own first.
  private static func boundaries(of head: RawSpan) -> [Int] {
    var ends: [Int] = []
    for index in 0..<head.byteCount {
      let byte = head.byte(index)
      if byte.isBlank {
        // After each blank: those that follow may be the line's indentation.
        ends.append(index + 1)
      } else if "|]:>\"".utf8.contains(byte), !head.byteOrZero(index + 1).isBlank {
        ends.append(index + 1)
      }
      if ends.count == 32 { break }
    }
    if head.byteCount > 0, ends.last != head.byteCount, ends.count < 32 {
      let last = head.byte(head.byteCount - 1)
      if last.isBlank || "|]:>\"".utf8.contains(last) { ends.append(head.byteCount) }
    }
    return ends
  }

  /// The length of the times and dates with which `head` begins, and the blank after them; 0 for none.
  private static func timeEnd(of head: RawSpan) -> Int {
    var index = 0
    var end = 0
    var hasTime = false
    while index < head.byteCount {
      let start = index
      while index < head.byteCount, !head.byte(index).isBlank { index += 1 }
      let word = head.between(start, index)
      // Behind the time stands a year or a zone; smaller numbers are those of causes and frames.
      guard isTime(word), !hasTime || isClock(word) || !isNumber(word) else { break }
      hasTime = hasTime || isClock(word)
      guard index < head.byteCount else { break }
      index += 1
      end = index
      while index < head.byteCount, head.byte(index).isBlank { index += 1 }
    }
    return hasTime ? end : 0
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
        } else if !(letters.byteCount == 1 && "TZ".utf8.contains(byte)) {
          return false
        }
        index = end - 1
      } else {
        guard "-:.,/+[]()".utf8.contains(byte) else { return false }
      }
      index += 1
    }
    return digits > 0 && digits <= 32 || marks > 0
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
