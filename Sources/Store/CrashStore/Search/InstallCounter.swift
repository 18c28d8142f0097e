/// Counts distinct installations per group.
///
/// A table of millions of installations exceeds the processor's cache, and each access would miss. So it
/// is partitioned, and additions are buffered until a partition has enough of them.
struct InstallCounter {
  private static let partBits = 6
  /// Buffer size of each partition.
  private static let waitingLimit = 1024

  private var parts = [NumberSet](repeating: NumberSet(), count: 1 << partBits)
  /// Empty until the first addition.
  private var waiting: [Waiting] = []
  private var waitingCounts = [Int](repeating: 0, count: 1 << partBits)
  private var counts: [Int] = []

  private struct Waiting {
    var number: UInt64 = 0
    var group = 0
  }

  /// - Parameters:
  ///   - install: The installation's number in the index: eight bytes of a hash, not 0.
  ///   - group: The group's number, not below 0. Two installations of one group are always distinguished;
  ///     those of two groups collide as rarely as two hashes do.
  mutating func add(_ install: Int, of group: Int) {
    if waiting.isEmpty {
      waiting = [Waiting](repeating: Waiting(), count: Self.waitingLimit << Self.partBits)
    }
    let number = UInt64(bitPattern: Int64(install)) ^ Self.salt(of: group)
    let part = Int(truncatingIfNeeded: number >> (64 - UInt64(Self.partBits)))
    waiting[part * Self.waitingLimit + waitingCounts[part]] = Waiting(number: number, group: group)
    waitingCounts[part] += 1
    if waitingCounts[part] == Self.waitingLimit { settle(part) }
  }

  /// The number of installations by group number; groups missing at the end have none.
  mutating func finish() -> [Int] {
    for part in parts.indices { settle(part) }
    return counts
  }

  private mutating func settle(_ part: Int) {
    var numbers = NumberSet()
    swap(&numbers, &parts[part])
    let start = part * Self.waitingLimit
    for index in start..<start + waitingCounts[part]
    where numbers.insert(waiting[index].number) {
      let group = waiting[index].group
      if group >= counts.count {
        counts += repeatElement(0, count: max(group + 1 - counts.count, counts.count))
      }
      counts[group] += 1
    }
    swap(&numbers, &parts[part])
    waitingCounts[part] = 0
  }

  /// Source of the multipliers: the golden ratio's fraction in 64 bits, and SplitMix64.
  private static func salt(of group: Int) -> UInt64 {
    let mixed = UInt64(truncatingIfNeeded: group) &* 0x9e37_79b9_7f4a_7c15
    return (mixed ^ (mixed >> 30)) &* 0x94d0_49bb_1331_11eb
  }
}
