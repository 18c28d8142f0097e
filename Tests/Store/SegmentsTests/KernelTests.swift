import CSegmentScan
import TestSupport
import Testing

/// The loops of the scan, with the instructions of this machine and without.
@Suite struct KernelTests {
  static let words = 5
  let live: [UInt64]
  var random: SplitMix

  init() {
    random = SplitMix(seed: 77)
    live = [random.next(), ~0, 0, 1 << 63, random.next()]
  }

  /// The words in which the bits of live rows are set that `holds` holds for.
  func wanted(_ holds: (Int) -> Bool) -> [UInt64] {
    live.enumerated().map { index, word in
      (0..<64).reduce(0) { bits, bit in
        word >> UInt64(bit) & 1 == 1 && holds(index * 64 + bit) ? bits | 1 << UInt64(bit) : bits
      }
    }
  }

  /// Compares what two loops find, given where they look, which rows count, and the place of the result.
  func compare(
    _ wanted: [UInt64],
    _ loops: ((UnsafePointer<UInt64>, UnsafeMutablePointer<UInt64>) -> Void)...
  ) {
    for loop in loops {
      var found = [UInt64](repeating: 0, count: Self.words)
      live.withUnsafeBufferPointer { live in
        found.withUnsafeMutableBufferPointer { found in
          guard let live = live.baseAddress, let found = found.baseAddress else { return }
          loop(live, found)
        }
      }
      #expect(found == wanted)
    }
  }

  @Test("Bytes are found by a set, whatever is in it")
  mutating func bytes() {
    let codes = (0..<Self.words * 64).map { _ in UInt8(random.below(256)) }
    for round in 0..<40 {
      var set = (0..<4).map { _ in round < 20 ? random.next() : 0 }
      set[random.below(4)] |= 1 << UInt64(random.below(64))
      var bytes = segment_bytes_make(set)
      let wanted = wanted { set[Int(codes[$0] >> 6)] >> UInt64(codes[$0] & 63) & 1 == 1 }
      compare(
        wanted, { segment_in_bytes(codes, Self.words, &bytes, $0, $1) },
        { segment_in_bytes_plain(codes, Self.words, &bytes, $0, $1) })
    }
  }

  @Test("Numbers are found by a range, up to its ends")
  mutating func ranges() {
    let numbers = (0..<Self.words * 64).map { _ in random.next() }
    for _ in 0..<40 {
      let (one, other) = (random.pick(numbers), random.pick(numbers))
      let (least, most) = (min(one, other), max(one, other))
      compare(
        wanted { (least...most).contains(numbers[$0]) },
        { segment_in_range64(numbers, Self.words, least, most - least, $0, $1) },
        { segment_in_range64_plain(numbers, Self.words, least, most - least, $0, $1) })
      let words = numbers.map { UInt32(truncatingIfNeeded: $0) }
      let (first, last) = (min(words[3], words[9]), max(words[3], words[9]))
      compare(
        wanted { (first...last).contains(words[$0]) },
        { segment_in_range32(words, Self.words, first, last - first, $0, $1) },
        { segment_in_range32_plain(words, Self.words, first, last - first, $0, $1) })
      let halves = numbers.map { UInt16(truncatingIfNeeded: $0) }
      let (low, high) = (min(halves[5], halves[80]), max(halves[5], halves[80]))
      compare(
        wanted { (low...high).contains(halves[$0]) },
        { segment_in_range16(halves, Self.words, low, high - low, $0, $1) },
        { segment_in_range16_plain(halves, Self.words, low, high - low, $0, $1) })
    }
  }

  @Test("Codes of two and of four bytes are found by a set")
  mutating func sets() {
    let set = (0..<1 << 10).map { _ in random.next() }
    let wide = (0..<Self.words * 64).map { _ in UInt32(random.below(1 << 16)) }
    let narrow = wide.map { UInt16($0) }
    let wanted = wanted { set[Int(wide[$0] >> 6)] >> UInt64(wide[$0] & 63) & 1 == 1 }
    compare(
      wanted, { segment_in_set32(wide, Self.words, set, $0, $1) },
      { segment_in_set32_plain(wide, Self.words, set, $0, $1) },
      { segment_in_set16(narrow, Self.words, set, $0, $1) },
      { segment_in_set16_plain(narrow, Self.words, set, $0, $1) })
  }
}
