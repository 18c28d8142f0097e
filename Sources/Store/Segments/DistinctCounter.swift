internal import Bytes

/// Counts distinct hashes other than 0.
///
/// A table of all would not fit into the processor's cache, so they are divided by their upper bits.
struct DistinctCounter: ~Copyable {
  private var hashes = Table<UInt64>()
  private var parted = Table<UInt64>()
  /// A table of the hashes of a part; 0 where there is none.
  private var slots = Table<UInt64>()

  /// How many hashes a part should have.
  private static let partSize = 512

  mutating func removeAll() { hashes.removeAll() }

  @inline(__always)
  mutating func append(_ hash: UInt64) {
    // Hashes may come from others: their bits need not be random. Multiplying by an odd number keeps them
    // distinct.
    hashes.append(hash &* 0x9e37_79b9_7f4a_7c15)
  }

  mutating func count() -> Int {
    let parts = max(hashes.count / Self.partSize, 1)
    let bits = Int.bitWidth - parts.leadingZeroBitCount
    let shift = UInt64(64 - bits)
    var ends = [Int](repeating: 0, count: 1 << bits)
    for index in 0..<hashes.count { ends[Int(hashes[index] &>> shift)] &+= 1 }
    var end = 0
    for part in ends.indices {
      let count = ends[part]
      ends[part] = end
      end += count
    }
    parted.reset(to: 0, count: hashes.count)
    for index in 0..<hashes.count {
      let part = Int(hashes[index] &>> shift)
      parted[ends[part]] = hashes[index]
      ends[part] &+= 1
    }
    var start = 0
    return ends.reduce(0) { count, end in
      defer { start = end }
      return count + countPart(start..<end, shift: UInt64(bits))
    }
  }

  /// - Parameter shift: How many upper bits all hashes of the part share.
  private mutating func countPart(_ range: Range<Int>, shift: UInt64) -> Int {
    let bits = Int.bitWidth - (range.count * 2).leadingZeroBitCount
    slots.reset(to: 0, count: 1 << bits)
    let mask = 1 << bits - 1
    var count = 0
    for index in range {
      let hash = parted[index]
      var place = Int(truncatingIfNeeded: (hash &<< shift) &>> UInt64(64 - bits)) & mask
      while slots[place] != 0, slots[place] != hash { place = (place &+ 1) & mask }
      if slots[place] == 0 {
        slots[place] = hash
        count &+= 1
      }
    }
    return count
  }
}
