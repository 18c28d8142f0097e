internal import CMarkSearch

/// Eight groups of marks, so that few other texts match one of them.
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

  /// The bytes allowed before an anchor, as the anchor and after it.
  struct Group: Hashable {
    var before: Halves
    var at: Halves
    var after: Halves

    func contains(_ other: Group) -> Bool {
      before.contains(other.before) && at.contains(other.at) && after.contains(other.after)
    }

    func union(_ other: Group) -> Group {
      Group(
        before: before.union(other.before), at: at.union(other.at),
        after: after.union(other.after))
    }

    var weight: Int { before.weight * at.weight * after.weight }

    /// A sort key that is the same in every run.
    fileprivate var key: UInt128 {
      [before, at, after].reduce(0) { key, halves in key << 32 | UInt128(halves.number) }
    }
  }

  private static let count = 8
  private let groups: [Group]

  /// - Parameter numbers: As from ``numbers``.
  init(_ numbers: [UInt32]) {
    let halves = numbers.map {
      Halves(lower: UInt16($0 >> 16), upper: UInt16(truncatingIfNeeded: $0))
    }
    groups = stride(from: 0, to: halves.count - 2, by: 3).map {
      Group(before: halves[$0], at: halves[$0 + 1], after: halves[$0 + 2])
    }
  }

  /// The groups as numbers, three for each.
  var numbers: [UInt32] { groups.flatMap { [$0.before.number, $0.at.number, $0.after.number] } }

  /// Whether each of `marks` is in one of the groups.
  func cover(_ marks: [Group]) -> Bool {
    groups.count <= Self.count
      && marks.allSatisfy { mark in groups.contains { $0.contains(mark) } }
  }

  /// Divides `marks`: joins them in pairs that match the fewest other texts.
  ///
  /// - Complexity: O(n²) and more.
  init(joining marks: [Group]) {
    var groups = Set(marks).sorted { $0.key < $1.key }
    var weights = groups.map { $0.weight }
    // The later group that each is best joined with, and the cost.
    var best: [(cost: Int, other: Int)] = []
    func nearest(_ index: Int) -> (cost: Int, other: Int) {
      var nearest = (cost: Int.max, other: index)
      for other in groups.indices where other > index {
        let cost =
          groups[index].union(groups[other]).weight - weights[index] - weights[other]
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
            groups[position].union(groups[index]).weight - weights[position] - weights[index]
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
    for (number, group) in groups.enumerated() {
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
