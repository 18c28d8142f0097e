internal import CMarkSearch

/// Divides marks into eight groups, so that few other texts match one of them.
///
/// The bytes that a group allows are stored by their halves only: a group that allows `0x3a` and `0x20` also
/// allows `0x30` and `0x2a`. So marks with similar bytes belong together.
struct MarkGroups {
  /// The bytes allowed at one position, by their halves, a bit for each of the sixteen.
  private struct Halves: Hashable {
    var lower: UInt16 = 0
    var upper: UInt16 = 0

    init() {}

    init(_ bytes: [UInt8]) {
      for byte in bytes {
        lower |= 1 << UInt16(byte & 15)
        upper |= 1 << UInt16(byte >> 4)
      }
    }

    func union(_ other: Halves) -> Halves {
      var halves = self
      halves.lower |= other.lower
      halves.upper |= other.upper
      return halves
    }

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

  private struct Group: Hashable {
    var before: Halves
    var at: Halves
    var after: Halves

    /// A sort key that is the same in every run.
    var key: UInt128 {
      [before, at, after].reduce(0) { key, halves in
        key << 32 | UInt128(halves.lower) << 16 | UInt128(halves.upper)
      }
    }
  }

  private static let count = 8
  private var marks: Set<Group> = []

  /// Adds a mark by the bytes allowed before its anchor, the anchor, and those after it.
  mutating func add(_ before: [UInt8], _ anchor: UInt8, _ after: [UInt8]) {
    marks.insert(Group(before: Halves(before), at: Halves([anchor]), after: Halves(after)))
  }

  /// The marks, joined in pairs that match the fewest other texts.
  private func joined() -> [Group] {
    var groups = marks.sorted { $0.key < $1.key }
    var weights = groups.map(Self.weight)
    // The later group that each is best joined with, and the cost.
    var best: [(cost: Int, other: Int)] = []
    func nearest(_ index: Int) -> (cost: Int, other: Int) {
      var nearest = (cost: Int.max, other: index)
      for other in groups.indices where other > index {
        let cost =
          Self.weight(Self.union(groups[index], groups[other])) - weights[index] - weights[other]
        if cost < nearest.cost { nearest = (cost, other) }
      }
      return nearest
    }
    best = groups.indices.map(nearest)
    while groups.count > Self.count,
      let index = best.indices.min(by: { best[$0].cost < best[$1].cost })
    {
      let other = best[index].other
      groups[index] = Self.union(groups[index], groups[other])
      weights[index] = Self.weight(groups[index])
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
            Self.weight(Self.union(groups[position], groups[index])) - weights[position]
            - weights[index]
          if cost < best[position].cost { best[position] = (cost, index) }
        }
      }
    }
    return groups
  }

  private static func union(_ left: Group, _ right: Group) -> Group {
    Group(
      before: left.before.union(right.before), at: left.at.union(right.at),
      after: left.after.union(right.after))
  }

  private static func weight(_ group: Group) -> Int {
    group.before.weight * group.at.weight * group.after.weight
  }

  /// The lookup tables of the search.
  ///
  /// - Parameter rows: The rows as in `mark_tables`.
  func tables(_ rows: [UInt8]) -> mark_tables {
    var tables = mark_tables()
    unsafe withUnsafeMutableBytes(of: &tables.rows) { unsafe $0.copyBytes(from: rows) }
    for (number, group) in joined().enumerated() {
      for (side, halves) in [group.before, group.at, group.after].enumerated() {
        for half in 0..<16 {
          let bit = UInt8(1) << UInt8(number)
          let index = side * 16 + half
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
