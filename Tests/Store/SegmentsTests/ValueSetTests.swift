import Segments
import TestSupport
import Testing

@Suite struct ValueSetTests {
  @Test(
    "A set has what was put into it, near or far apart", arguments: [10, 5_000, 1 << 40, Int.max])
  func contains(span: Int) {
    var random = SplitMix(seed: UInt64(span))
    for count in [0, 1, 2, 100, 1000] {
      let values = (0..<count).map { _ in random.below(span) - span / 2 }
      let wanted = Set(values)
      let (set, others) = (ValueSet(values), ValueSet(values, isInverted: true))
      #expect(set.values == wanted.sorted())
      for value in values.flatMap({ [$0, $0 - 1, $0 + 1] }) + [Int.min, 0, Int.max] {
        #expect(set.contains(value) == wanted.contains(value))
        #expect(others.contains(value) != wanted.contains(value))
      }
    }
    let ends = ValueSet([Int.max, Int.min, Int.max])
    #expect(ends.values == [Int.min, Int.max])
    #expect(ends.contains(Int.min) && ends.contains(Int.max) && !ends.contains(0))
  }
}
