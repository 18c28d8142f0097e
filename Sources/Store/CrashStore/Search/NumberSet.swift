/// A set of numbers.
///
/// A hash table with open addressing: a set of the standard library takes three times as long,
/// which matters with a million numbers.
struct NumberSet {
  /// 0 marks a free slot.
  private var slots = [UInt64](repeating: 0, count: 256)
  private var hasZero = false
  private(set) var count = 0

  /// - Returns: Whether it is new.
  @discardableResult
  mutating func insert(_ number: UInt64) -> Bool {
    guard number != 0 else {
      defer { hasZero = true }
      if !hasZero { count += 1 }
      return !hasZero
    }
    if count * 2 >= slots.count { grow() }
    let slot = slot(of: number)
    guard slots[slot] == 0 else { return false }
    slots[slot] = number
    count += 1
    return true
  }

  func contains(_ number: UInt64) -> Bool {
    number == 0 ? hasZero : slots[slot(of: number)] != 0
  }

  func forEach(_ body: (UInt64) -> Void) {
    if hasZero { body(0) }
    for number in slots where number != 0 { body(number) }
  }

  /// The slot of a number, or the one where it would be inserted.
  ///
  /// Source of the multiplier: SplitMix64.
  private func slot(of number: UInt64) -> Int {
    let folded = (number ^ (number >> 29)) &* 0xbf58_476d_1ce4_e5b9
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: folded ^ (folded >> 32)) & mask
    while slots[slot] != 0, slots[slot] != number { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func grow() {
    let old = slots
    slots = [UInt64](repeating: 0, count: old.count * 2)
    for number in old where number != 0 { slots[slot(of: number)] = number }
  }
}

extension NumberSet {
  /// A number that combines a group and the code of a term, both of 32 bits.
  static func pair(_ group: Int, _ code: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: group) &<< 32 | UInt64(truncatingIfNeeded: code & 0xffff_ffff)
  }
}
