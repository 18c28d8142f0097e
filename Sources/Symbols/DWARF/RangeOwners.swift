internal import Bytes

/// The first unit to describe each range of code.
///
/// Linkers keep one copy of a function that several units compiled, or fold equal ones, and let the
/// debug information of every copy point at the remaining one: in C++ each of thousands of units
/// may describe the same code. The first unit's description counts, and the others need not be
/// kept.
///
/// The file determines the numbers stored here, so the hash has a random factor: no file can make
/// all of them collide. The results do not depend on it.
///
/// Source: Dietzfelbinger et al., "A Reliable Randomized Algorithm for the Closest-Pair Problem",
/// multiply-shift hashing.
struct RangeOwners: ~Copyable {
  /// Start and end of the range; 0 is a free slot.
  private var keys = Table<UInt64>(repeating: 0, count: 4_096)
  private var owners = Table<UInt32>(repeating: 0, count: 4_096)
  private var used = 0
  private let factor = UInt64.random(in: 0...(.max)) | 1
  /// The shift that turns a product into a slot.
  private var shift: UInt64 = 64 - 12

  /// Whether the code from `start` to `end` is still free or belongs to `owner` already.
  mutating func assign(start: UInt32, end: UInt32, for owner: UInt32) -> Bool {
    let key = UInt64(start) &<< 32 | UInt64(end)
    if key == 0 { return true }
    let slot = search(key)
    if keys[slot] == key { return owners[slot] == owner }
    keys[slot] = key
    owners[slot] = owner
    used &+= 1
    if used &* 2 > keys.count { grow() }
    return true
  }

  /// Makes `owner` the owner of the code from `start` to `end`, unless a lower one is.
  mutating func assign(start: UInt32, end: UInt32, forLowest owner: UInt32) {
    let key = UInt64(start) &<< 32 | UInt64(end)
    let slot = search(key)
    if keys[slot] == key {
      owners[slot] = min(owners[slot], owner)
      return
    }
    keys[slot] = key
    owners[slot] = owner
    used &+= 1
    if used &* 2 > keys.count { grow() }
  }

  /// Whether the code from `start` to `end` belongs to `owner`.
  func isOwned(start: UInt32, end: UInt32, by owner: UInt32) -> Bool {
    let key = UInt64(start) &<< 32 | UInt64(end)
    let slot = search(key)
    return keys[slot] == key && owners[slot] == owner
  }

  @inline(__always)
  private func search(_ key: UInt64) -> Int {
    let mask = keys.count &- 1
    var slot = Int(truncatingIfNeeded: (key &* factor) &>> shift)
    while true {
      let found = keys[slot]
      if found == key || found == 0 { return slot }
      slot = (slot &+ 1) & mask
    }
  }

  private mutating func grow() {
    var oldKeys = Table<UInt64>(repeating: 0, count: keys.count * 2)
    var oldOwners = Table<UInt32>(repeating: 0, count: keys.count * 2)
    swap(&oldKeys, &keys)
    swap(&oldOwners, &owners)
    shift -= 1
    for index in 0..<oldKeys.count where oldKeys[index] != 0 {
      let slot = search(oldKeys[index])
      keys[slot] = oldKeys[index]
      owners[slot] = oldOwners[index]
    }
  }
}
