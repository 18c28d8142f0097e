internal import Patterns

/// Finds the rules' matches in linear time.
///
/// The text is read once from its end, by all rules at once, which shows where each match begins; a rule
/// reads forward only from there, and bytes that it matched are not read again.
struct TextScrubber {
  /// A part of a text, and the rule that it matches.
  struct Find: Equatable {
    let range: Range<Int>
    let rule: Int
  }

  /// How many bytes a rule reads beyond a match to find a longer one.
  private static let lookAhead = 1 << 16
  /// How many ends of the text before `\K` are tried, the longest first.
  private static let ends = 16

  private let rules: [ScrubRule]
  private var all: PatternMachine
  private let parts: [Parts]
  /// Created when a text first needs them: most rules never match.
  private var before: [PatternMachine?]
  private var meant: [PatternMachine?]

  /// The two halves of a rule.
  private struct Parts {
    let before: PatternProgram?
    let meant: PatternProgram
  }

  /// - Throws: ``PatternError`` when the rules are too large together.
  init(_ rules: [ScrubRule]) throws(PatternError) {
    self.rules = rules
    var program = PatternProgram(isReversed: true)
    var parts: [Parts] = []
    for (number, rule) in rules.enumerated() {
      let pattern = rule.pattern
      try program.add(
        (pattern.before.map { [$0] } ?? []) + [pattern.meant], label: number)
      var before: PatternProgram?
      if let node = pattern.before { before = try Self.program(node) }
      parts.append(Parts(before: before, meant: try Self.program(pattern.meant)))
    }
    all = PatternMachine(program, isEverywhere: true)
    self.parts = parts
    before = Array(repeating: nil, count: rules.count)
    meant = before
  }

  private static func program(_ node: PatternNode) throws(PatternError) -> PatternProgram {
    var program = PatternProgram(isReversed: false)
    try program.add([node], label: 0)
    return program
  }

  /// The matches of the rules in a text, in order, without overlap. The earliest match wins, then the first
  /// rule, then the longest match.
  mutating func finds(in text: Span<UInt8>) -> [Find] {
    var starts: [(offset: Int, rules: UInt64)] = []
    var state = all.start
    var index = text.count
    while index > 0 {
      index -= 1
      state = all.step(state, text[index])
      let rules = all.fits(state)
      if rules != 0 { starts.append((index, rules)) }
    }
    var finds: [Find] = []
    var free = 0
    for start in starts.reversed() where start.offset >= free {
      var rules = start.rules
      while rules != 0 {
        let rule = rules.trailingZeroBitCount
        rules &= rules - 1
        guard let range = range(of: rule, from: start.offset, in: text) else { continue }
        finds.append(Find(range: range, rule: rule))
        free = range.upperBound
        break
      }
    }
    return finds
  }

  private mutating func range(of rule: Int, from start: Int, in text: Span<UInt8>) -> Range<Int>? {
    if rules[rule].pattern.startsWord, start > 0, ByteSet.word.contains(text[start - 1]) {
      return nil
    }
    guard parts[rule].before != nil else {
      return end(of: rule, from: start, in: text).map { start..<$0 }
    }
    for cut in cuts(of: rule, from: start, in: text).reversed() {
      if let end = end(of: rule, from: cut, in: text) { return cut..<end }
    }
    return nil
  }

  /// The last positions where the part before `\K` may end.
  private mutating func cuts(of rule: Int, from start: Int, in text: Span<UInt8>) -> [Int] {
    guard let program = parts[rule].before else { return [] }
    var machine = before[rule].take() ?? PatternMachine(program, isEverywhere: false)
    defer { before[rule] = machine }
    var cuts: [Int] = []
    var state = machine.start
    var index = start
    var last = start
    if machine.fits(state) != 0 { cuts.append(start) }
    while index < text.count, index - last < Self.lookAhead {
      state = machine.step(state, text[index])
      index += 1
      if state == PatternMachine.dead { break }
      guard machine.fits(state) != 0 else { continue }
      last = index
      if cuts.count == Self.ends { cuts.removeFirst() }
      cuts.append(index)
    }
    return cuts
  }

  private mutating func end(of rule: Int, from start: Int, in text: Span<UInt8>) -> Int? {
    var found: Int?
    let follower = rules[rule].pattern.follower
    // Taken out, not copied: a table with two references would be copied when it grows.
    var machine = meant[rule].take() ?? PatternMachine(parts[rule].meant, isEverywhere: false)
    defer { meant[rule] = machine }
    var state = machine.start
    var index = start
    while index < text.count, index - (found ?? start) < Self.lookAhead {
      state = machine.step(state, text[index])
      index += 1
      if state == PatternMachine.dead { break }
      guard machine.fits(state) != 0 else { continue }
      if let follower {
        guard index < text.count ? follower.set.contains(text[index]) : follower.end else {
          continue
        }
      }
      found = index
    }
    return found
  }
}
