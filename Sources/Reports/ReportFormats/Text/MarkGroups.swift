internal import CMarkSearch

/// Groups of marks, eight in each of a few sets, so that few other texts match one of them.
///
/// The bytes that a group allows are stored by their halves only: a group that allows `0x3a` and `0x20` also
/// allows `0x30` and `0x2a`. So marks with similar bytes belong together.
struct MarkGroups: Equatable {
  /// The bytes allowed at one position, by their halves, a bit for each of the sixteen.
  struct Halves: Hashable {
    var lower: UInt16
    var upper: UInt16

    /// Any byte.
    static let all = Halves(lower: .max, upper: .max)

    init(lower: UInt16, upper: UInt16) {
      self.lower = lower
      self.upper = upper
    }

    init(_ byte: UInt8) {
      lower = 1 << UInt16(byte & 15)
      upper = 1 << UInt16(byte >> 4)
    }

    /// The bytes that fulfil a condition.
    init(where allows: (UInt8) -> Bool) {
      self.init(lower: 0, upper: 0)
      for byte in UInt8.min...UInt8.max where allows(byte) { self = union(Halves(byte)) }
    }

    func union(_ other: Halves) -> Halves {
      Halves(lower: lower | other.lower, upper: upper | other.upper)
    }

    func contains(_ other: Halves) -> Bool {
      other.lower & ~lower == 0 && other.upper & ~upper == 0
    }

    /// Both halves as one number.
    var number: UInt32 { UInt32(lower) << 16 | UInt32(upper) }

    /// The approximate number of allowed bytes per thousand in a log.
    var weight: Int {
      (Self.sums[Int(upper & 255)] + Self.sums[256 + Int(upper >> 8)]) * lower.nonzeroBitCount
    }

    /// Weights of bytes by upper half. Digits and small letters are common, control characters rare.
    private static let weights = [2, 1, 8, 14, 3, 2, 18, 12, 1, 1, 1, 1, 1, 1, 1, 1]
    /// The weights of several upper halves together: of the first eight, then of the others.
    private static let sums: [Int] = (0..<512).map { number in
      var sum = 0
      for bit in 0..<8 where number & (1 << bit) != 0 { sum += weights[(number >> 8) * 8 + bit] }
      return sum
    }
  }

  /// The bytes allowed at each position of a window around an anchor.
  struct Group: Hashable {
    /// The positions of a window, from the anchor.
    static let window = (-mark_window_before)...mark_window_after

    /// In the order of the positions.
    private(set) var bytes: [Halves]

    /// - Parameter allowed: Returns the bytes that are allowed at a position.
    init(_ allowed: (_ position: Int) -> Halves) { bytes = Self.window.map(allowed) }

    init(_ numbers: some Sequence<UInt32>) {
      bytes = numbers.map { Halves(lower: UInt16($0 >> 16), upper: UInt16(truncatingIfNeeded: $0)) }
    }

    func contains(_ other: Group) -> Bool {
      zip(bytes, other.bytes).allSatisfy { $0.contains($1) }
    }

    func union(_ other: Group) -> Group {
      var union = self
      for (index, halves) in other.bytes.enumerated() {
        union.bytes[index] = bytes[index].union(halves)
      }
      return union
    }

    var weight: Int { bytes.reduce(1) { $0 * $1.weight } }

    /// ``weight`` of the union with another group.
    func weight(with other: Group) -> Int {
      var weight = 1
      for index in bytes.indices { weight *= bytes[index].union(other.bytes[index]).weight }
      return weight
    }
  }

  private static let count = 8 * mark_most_sets
  private let groups: [Group]

  /// - Parameter numbers: As from ``numbers``.
  init(_ numbers: [UInt32]) {
    let width = Group.window.count
    groups = stride(from: 0, to: numbers.count - width + 1, by: width).map {
      Group(numbers[$0..<$0 + width])
    }
  }

  /// The groups as numbers, one for each position of each window.
  var numbers: [UInt32] { groups.flatMap { $0.bytes.map(\.number) } }

  /// Whether each of `marks` is in one of the groups.
  func cover(_ marks: [Group]) -> Bool {
    groups.count <= Self.count
      && marks.allSatisfy { mark in groups.contains { $0.contains(mark) } }
  }

  /// Divides `marks`: joins them in pairs that match the fewest other texts.
  ///
  /// - Complexity: O(n²) and more.
  init(joining marks: [Group]) {
    // In an order that is the same in every run.
    var groups = Set(marks).sorted {
      $0.bytes.lazy.map(\.number).lexicographicallyPrecedes($1.bytes.lazy.map(\.number))
    }
    var weights = groups.map { $0.weight }
    // The later group that each is best joined with, and the cost.
    var best: [(cost: Int, other: Int)] = []
    func nearest(_ index: Int) -> (cost: Int, other: Int) {
      var nearest = (cost: Int.max, other: index)
      for other in groups.indices where other > index {
        let cost =
          groups[index].weight(with: groups[other]) - weights[index] - weights[other]
        if cost < nearest.cost { nearest = (cost, other) }
      }
      return nearest
    }
    best = groups.indices.map(nearest)
    while groups.count > Self.count,
      let index = best.indices.min(by: { best[$0].cost < best[$1].cost })
    {
      let other = best[index].other
      groups[index] = groups[index].union(groups[other])
      weights[index] = groups[index].weight
      groups.swapAt(other, groups.count - 1)
      groups.removeLast()
      weights.swapAt(other, weights.count - 1)
      weights.removeLast()
      best.swapAt(other, best.count - 1)
      best.removeLast()
      // The groups that pointed at a changed index, and those at the changed indices.
      let moved = groups.count
      for position in groups.indices {
        let partner = best[position].other
        if position == index || position == other || partner == index || partner == other
          || partner == moved
        {
          best[position] = nearest(position)
        } else if position < index {
          let cost =
            groups[position].weight(with: groups[index]) - weights[position] - weights[index]
          if cost < best[position].cost { best[position] = (cost, index) }
        }
      }
    }
    self.groups = groups
  }

  /// The lookup tables of the search.
  ///
  /// - Parameter rows: The rows as in `mark_tables`.
  func tables(_ rows: [UInt8]) -> mark_tables {
    var tables = mark_tables()
    unsafe withUnsafeMutableBytes(of: &tables.rows) { unsafe $0.copyBytes(from: rows) }
    tables.sets = UInt8(max(1, (groups.count + 7) / 8))
    for (number, group) in groups.enumerated() {
      let (set, bit) = (number / 8, UInt8(1) << UInt8(number % 8))
      for (place, halves) in group.bytes.enumerated() {
        for half in 0..<16 {
          let index = (set * group.bytes.count + place) * 16 + half
          if halves.lower & 1 << UInt16(half) != 0 {
            unsafe withUnsafeMutableBytes(of: &tables.lower) { unsafe $0[index] |= bit }
          }
          if halves.upper & 1 << UInt16(half) != 0 {
            unsafe withUnsafeMutableBytes(of: &tables.upper) { unsafe $0[index] |= bit }
          }
        }
      }
    }
    return tables
  }
}
