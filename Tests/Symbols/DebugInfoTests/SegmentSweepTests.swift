import Bytes
import DWARF
import TestSupport
import Testing

@testable import DebugInfo

@Suite struct SegmentSweepTests {
  /// Results of the sweep for each address below `end`.
  static func answers(
    _ codeRanges: [CodeRange], units: [UInt32], end: UInt32, limit: Int = 4_096
  ) -> [UInt32] {
    var table = Table<CodeRange>()
    for codeRange in codeRanges { table.append(codeRange) }
    var unitScopes = Table<UInt32>()
    for unit in units { unitScopes.append(unit) }
    var sweep = SegmentSweep(overlapLimit: limit)
    sweep.run(CodeRangeSort.sort(table), unitScopes: unitScopes)
    var answers = [UInt32](repeating: .max, count: Int(end))
    var last: UInt32 = .max
    for index in 0..<sweep.segments.count {
      let segment = sweep.segments[index]
      let next = index + 1 < sweep.segments.count ? sweep.segments[index + 1].start : .max
      #expect(segment.scope != last, "neighbours differ")
      #expect(next > segment.start, "segments are in order")
      last = segment.scope
      for address in min(segment.start, end)..<min(next, end) {
        answers[Int(address)] = segment.scope
      }
    }
    return answers
  }

  /// Results by definition: the last scope of the first unit that covers an address.
  static func expected(_ codeRanges: [CodeRange], units: [UInt32], end: UInt32) -> [UInt32] {
    func unit(_ scope: UInt32) -> Int { units.lastIndex { $0 <= scope } ?? 0 }
    return (0..<end).map { address in
      let covering = codeRanges.filter { $0.start <= address && address < $0.end }.map(\.scope)
      guard let first = covering.map(unit).min() else { return .max }
      return covering.filter { unit($0) == first }.max() ?? .max
    }
  }

  @Test("Random ranges, nested, overlapping and from several units", arguments: 0..<200)
  func random(seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    let count = UInt32.random(in: 1...14, using: &random)
    var units: [UInt32] = [0]
    var codeRanges: [CodeRange] = []
    for scope in 0..<count {
      if scope > 0, Int.random(in: 0..<5, using: &random) == 0 { units.append(scope) }
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        let start = UInt32.random(in: 0..<60, using: &random)
        codeRanges.append(
          CodeRange(
            start: start, end: start + UInt32.random(in: 1...40, using: &random), scope: scope))
      }
    }
    #expect(
      Self.answers(codeRanges, units: units, end: 110)
        == Self.expected(codeRanges, units: units, end: 110))
  }

  @Test("More ranges over one address than the limit are left out, not kept for ever")
  func overlaps() {
    let codeRanges = (0..<200_000 as Range<UInt32>).map {
      CodeRange(start: $0, end: 1_000_000, scope: $0)
    }
    #expect(Self.answers(codeRanges, units: [0], end: 10, limit: 8)[9] == 7)
  }

  @Test("The sort keeps the order of ranges with the same start")
  func sorting() {
    var random = SplitMix(seed: 7)
    var table = Table<CodeRange>()
    for scope in 0..<5_000 as Range<UInt32> {
      let start =
        UInt32.random(in: 0...200, using: &random) << UInt32.random(in: 0...24, using: &random)
      table.append(CodeRange(start: start, end: .max, scope: scope))
    }
    let sorted = CodeRangeSort.sort(table)
    for index in 1..<sorted.count {
      let (left, right) = (sorted[index - 1], sorted[index])
      #expect((left.start, left.scope) < (right.start, right.scope))
    }
  }
}
