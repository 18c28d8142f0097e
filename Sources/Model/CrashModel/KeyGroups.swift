/// Partitions keys into groups, by the keys that reports have and the keys by which the same reports could
/// also be read.
///
/// A key by which other reports could be read joins their group when they are all in one. When they are in
/// several, it could belong to any of them: then it is a group of its own, and joins none of them.
///
///     split                       alone: a group
///     split, owed (or split)      one group, named for owed
///     split, owed (or split), share (or split)
///                                 three groups: `split` does not say which of the two it is
///
/// A weak reading is only possibly right: it assumes that the compiler inlined a function into its caller,
/// which it mostly does not. It counts where no report could be read as the key exactly, and so never
/// separates keys that exact readings join:
///
///     split, owed (or split), share (perhaps split)
///                                 two groups: `split` is `owed`
///
/// The result depends on the keys alone, in whatever order they came: the group of a key is the last key
/// through which all paths lead to it, from the keys that nothing else could be read as (the outermost
/// dominator in a control-flow graph).
public enum KeyGroups {
  /// For each key, the key that names its group.
  ///
  /// - Parameter readings: For each key that a report has, the keys by which it could be read. Keys that no
  ///   report has do not count.
  /// - Parameter weak: The weak readings, likewise, of keys that are in `readings` too.
  /// - Complexity: O(keys and readings), times the depth of the deepest chain of readings.
  public static func roots<Key: Hashable & Comparable>(
    of readings: [Key: Set<Key>], weak: [Key: Set<Key>] = [:]
  ) -> [Key: Key] {
    let graph = Graph(readings, weak: weak)
    let roots = graph.roots()
    return Dictionary(
      uniqueKeysWithValues: graph.keys.indices.map { (graph.keys[$0], graph.keys[roots[$0]]) })
  }

  /// Returns weak readings without those that a build refutes: where both keys came from one build, its
  /// compiler did not inline the one function into the other.
  ///
  /// - Parameter builds: For each key, the builds that have it.
  public static func unrefuted<Key: Hashable, Build: Hashable>(
    _ weak: [Key: Set<Key>], builds: [Key: Set<Build>]
  ) -> [Key: Set<Key>] {
    weak.reduce(into: [:]) { held, line in
      let own = builds[line.key] ?? []
      held[line.key] = line.value.filter { own.isDisjoint(with: builds[$0] ?? []) }
    }
  }

  private struct Graph<Key: Hashable & Comparable> {
    /// In order, so that nothing depends on the order of a hash table.
    let keys: [Key]
    /// For each key, the keys as which it could be read.
    private var readings: [[Int]]
    /// For each key, the keys that could be read as it.
    private var readers: [[Int]]

    init(_ table: [Key: Set<Key>], weak: [Key: Set<Key>]) {
      let keys = table.keys.sorted()
      let numbers = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, $0) })
      readings = Array(repeating: [], count: keys.count)
      readers = readings
      for (number, key) in keys.enumerated() {
        let others = (table[key] ?? []).compactMap { numbers[$0] }.filter { $0 != number }
        readings[number] = others.sorted()
        for other in others { readers[other].append(number) }
      }
      let isExact = readers.map { !$0.isEmpty }
      for (number, key) in keys.enumerated() {
        let others = (weak[key] ?? []).compactMap { numbers[$0] }.filter {
          $0 != number && !isExact[$0]
        }
        readings[number] = (readings[number] + others).sorted()
        for other in others { readers[other].append(number) }
      }
      self.keys = keys
    }

    func roots() -> [Int] {
      let (order, starts) = order()
      var ranks = Array(repeating: 0, count: keys.count)
      for (rank, key) in order.enumerated() { ranks[key] = rank }
      // For each key, the nearest one through which all paths lead to it; -1 where there is none.
      var gates: [Int?] = Array(repeating: nil, count: keys.count)
      for start in starts { gates[start] = -1 }
      func meet(_ one: Int, _ other: Int) -> Int {
        var (one, other) = (one, other)
        while one != other {
          if one < 0 || other < 0 { return -1 }
          if ranks[one] > ranks[other] {
            one = gates[one] ?? -1
          } else {
            other = gates[other] ?? -1
          }
        }
        return one
      }
      var isChanging = true
      while isChanging {
        isChanging = false
        for key in order where !starts.contains(key) {
          let known = readers[key].filter { gates[$0] != nil }
          guard let first = known.first else { continue }
          let gate = known.dropFirst().reduce(first, meet)
          if gates[key] != gate {
            gates[key] = gate
            isChanging = true
          }
        }
      }
      var roots = Array(keys.indices)
      for key in order {
        if let gate = gates[key], gate >= 0 { roots[key] = roots[gate] }
      }
      return roots
    }

    /// The keys in topological order, each after those that could be read as it except in cycles, and the
    /// keys that begin it.
    private func order() -> (order: [Int], starts: Set<Int>) {
      var seen = Array(repeating: false, count: keys.count)
      var last: [Int] = []
      var starts: Set<Int> = []
      // A cycle without an entry begins with the first of its keys.
      for start in keys.indices.filter({ readers[$0].isEmpty }) + keys.indices where !seen[start] {
        starts.insert(start)
        seen[start] = true
        var way = [(key: start, next: 0)]
        while let (key, next) = way.last {
          if next == readings[key].count {
            last.append(key)
            way.removeLast()
            continue
          }
          way[way.count - 1].next += 1
          let reading = readings[key][next]
          if seen[reading] { continue }
          seen[reading] = true
          way.append((reading, 0))
        }
      }
      return (last.reversed(), starts)
    }
  }
}
