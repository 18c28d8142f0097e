internal import Bytes

/// The different rules of a file, each once: thousands of rows share a few hundred.
struct RulePool: ~Copyable {
  /// The records, one after the other.
  private(set) var words = Table<UInt64>()
  /// For each slot of a hash table the number of a record's first word plus 1; 0 for none.
  private var slots = Table<UInt32>(repeating: 0, count: 1 << 10)
  private var used = 0

  /// A longer search is given up, and the record is written once more: names of slots can be made
  /// to collide.
  private static let probes = 32

  /// The number of the word where the record of `rules` begins plus 1.
  mutating func number(of set: borrowing RuleSet) -> UInt32 {
    let rules = set.words.span
    if used &* 2 > slots.count { grow() }
    let bytes = unsafe rules.bytes
    let mask = slots.count &- 1
    var slot = Int(truncatingIfNeeded: bytes.contentHash(from: 0, count: bytes.byteCount)) & mask
    for _ in 0..<Self.probes {
      let number = slots[slot]
      if number == 0 { break }
      if matches(rules, at: Int(number) &- 1) { return number }
      slot = (slot &+ 1) & mask
    }
    let number = UInt32(truncatingIfNeeded: words.count &+ 1)
    words.append(contentsOf: rules)
    if slots[slot] == 0 { used &+= 1 }
    slots[slot] = number
    return number
  }

  private func matches(_ rules: Span<UInt64>, at index: Int) -> Bool {
    // The first word has the count of the others.
    guard words[index] == rules[0], rules.count <= words.count &- index else { return false }
    for offset in 1..<max(rules.count, 1) where words[index &+ offset] != rules[offset] {
      return false
    }
    return true
  }

  private mutating func grow() {
    let old = slots.count
    var known: [UInt32] = []
    for slot in 0..<old where slots[slot] != 0 { known.append(slots[slot]) }
    slots.reset(to: 0, count: old &* 2)
    let mask = slots.count &- 1
    for number in known {
      let index = Int(number) &- 1
      let count = Int(words[index] &>> 8 & 0xff) &+ 1
      let hash = unsafe words.span.bytes.contentHash(from: index &* 8, count: count &* 8)
      var slot = Int(truncatingIfNeeded: hash) & mask
      while slots[slot] != 0 { slot = (slot &+ 1) & mask }
      slots[slot] = number
    }
  }
}
