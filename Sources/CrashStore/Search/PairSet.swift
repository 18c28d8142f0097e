/// Pairs of a group and a value, each once.
///
/// A table with open places: a set of the standard library takes three times as long, which is felt
/// with a million of them.
struct PairSet {
  private var groups: [Int]
  private var values: [Int]
  private(set) var count = 0

  init() {
    groups = [Int](repeating: 0, count: 1024)
    values = groups
  }

  /// - Parameter group: Above 0, which marks a place that is free.
  /// - Returns: Whether it is new.
  @discardableResult
  mutating func insert(_ group: Int, _ value: Int) -> Bool {
    if count * 2 >= groups.count { grow() }
    let mask = groups.count - 1
    var place = Self.place(group, value) & mask
    while groups[place] != 0 {
      if groups[place] == group, values[place] == value { return false }
      place = (place + 1) & mask
    }
    groups[place] = group
    values[place] = value
    count += 1
    return true
  }

  mutating func add(_ places: [Int], _ groups: [Int], _ values: [Int]) {
    for place in places { insert(groups[place], values[place]) }
  }

  func forEach(_ body: (_ group: Int, _ value: Int) -> Void) {
    for place in groups.indices where groups[place] != 0 { body(groups[place], values[place]) }
  }

  private mutating func grow() {
    let old = self
    groups = [Int](repeating: 0, count: old.groups.count * 4)
    values = groups
    count = 0
    old.forEach { insert($0, $1) }
  }

  /// Source of the multiplier: the golden ratio's fraction in 64 bits.
  private static func place(_ group: Int, _ value: Int) -> Int {
    let mixed = (UInt(bitPattern: value) &+ UInt(bitPattern: group) &* 0x9e37_79b9_7f4a_7c15)
    let folded = (mixed ^ (mixed >> 29)) &* 0xbf58_476d_1ce4_e5b9
    return Int(bitPattern: (folded ^ (folded >> 32)) >> 1)
  }
}
