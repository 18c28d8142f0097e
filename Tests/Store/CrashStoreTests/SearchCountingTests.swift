import Identifiers
import TestSupport
import Testing

@testable import CrashStore

/// Counting structures of scans, against the sets of the standard library.
@Suite struct SearchCountingTests {
  @Test("Numbers are recognised when repeated, including 0, however many there are")
  func numbers() {
    var generator = SplitMix(seed: 1)
    var known: Set<UInt64> = []
    var set = NumberSet()
    for _ in 0..<20_000 {
      let number = UInt64.random(in: 0..<10_000, using: &generator)
      #expect(set.insert(number) == known.insert(number).inserted)
    }
    var all: Set<UInt64> = []
    set.forEach { all.insert($0) }
    #expect(all == known)
    #expect(set.count == known.count)
  }

  @Test("An installation counts once in each group")
  func installs() {
    var generator = SplitMix(seed: 1)
    var known: [Int: Set<Int>] = [:]
    var counter = InstallCounter()
    let installs = (0..<3000).map { _ in Int.random(in: .min ... .max, using: &generator) }
    for _ in 0..<100_000 {
      let (install, group) = (generator.pick(installs), generator.below(20))
      known[group, default: []].insert(install)
      counter.add(install, of: group)
    }
    let counts = counter.finish()
    for group in 0..<20 { #expect(counts[group] == known[group]?.count) }
    #expect(counts.dropFirst(20).allSatisfy { $0 == 0 })
  }

  @Test("Reports count on their days, from the earliest possible time to the latest")
  func days() {
    let day = 86_400_000_000
    let first = Timestamp(microseconds: .min / 2).microseconds
    let last = Timestamp(microseconds: .max / 2).microseconds
    var counter = DayCounter()
    for time in [0, day - 1, day, -1, 70_000 * day, first, last] { counter.add(time) }
    let ends = [first, last].map { Timestamp(microseconds: $0).day }
    #expect(
      counter.counts
        == [0: 2, 1: 1, -1: 1, 70_000: 1, ends[0]: 1, ends[1]: 1])
  }
}
