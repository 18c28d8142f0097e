/// Partitions keys into groups: each key is in the group of its outermost dominator.
///
/// In the graph of readings, a key is the predecessor of the keys by which the same reports could also be
/// read. One key dominates another if all paths to that one, from the keys without predecessors, lead
/// through it. So a key joins the group of its predecessors when they are all in one. When they are in
/// several, it could belong to any of them: then it is a group of its own.
///
/// For example, with three keys, a further reading arriving at each step:
///
/// 1. The key `split` has no predecessor. It is a group of its own.
/// 2. `owed` could be read as `split`. All paths to `split` lead through `owed`, its dominator: one group,
///    named for `owed`.
/// 3. `share` could be read as `split`, too. One path to `split` leads through `owed` and one through
///    `share`, so that neither dominates it. There are three groups: `split` does not say which of the two
///    it is.
/// 4. `share` could also be read as `owed`. Now all paths begin with `share`, which dominates both other
///    keys: one group, named for `share`.
///
/// A weak reading is only possibly right: it assumes that the compiler inlined a function into its caller,
/// which it mostly does not. It counts where no report could be read as the key exactly, and so never
/// separates keys that exact readings join: if in step 3 `share` could only perhaps be read as `split`, there
/// are two groups, and `split` is `owed`.
///
/// The result depends on the keys alone, not on the order in which they came.
public enum KeyPartition {
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
    weak.reduce(into: [:]) { remaining, line in
      let own = builds[line.key] ?? []
      remaining[line.key] = line.value.filter { own.isDisjoint(with: builds[$0] ?? []) }
    }
  }

  private struct Graph<Key: Hashable & Comparable> {
    /// In order, so that nothing depends on the order of a hash table.
    let keys: [Key]
    /// For each key, the keys as which it could be read.
    private var readings: [[Int]]
    /// For each key, the keys that could be read as it, which precede it on paths.
    private var predecessors: [[Int]]

    init(_ table: [Key: Set<Key>], weak: [Key: Set<Key>]) {
      let keys = table.keys.sorted()
      let numbers = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, $0) })
      readings = Array(repeating: [], count: keys.count)
      predecessors = readings
      for (number, key) in keys.enumerated() {
        let others = (table[key] ?? []).compactMap { numbers[$0] }.filter { $0 != number }
        readings[number] = others.sorted()
        for other in others { predecessors[other].append(number) }
      }
      let isExact = predecessors.map { !$0.isEmpty }
      for (number, key) in keys.enumerated() {
        let others = (weak[key] ?? []).compactMap { numbers[$0] }.filter {
          $0 != number && !isExact[$0]
        }
        readings[number] = (readings[number] + others).sorted()
        for other in others { predecessors[other].append(number) }
      }
      self.keys = keys
    }

    func roots() -> [Int] {
      let (order, entries) = order()
      var ranks = Array(repeating: 0, count: keys.count)
      for (rank, key) in order.enumerated() { ranks[key] = rank }
      // For each key, its nearest dominator; -1 where there is none. Computed as in Cooper, Harvey and
      // Kennedy, "A Simple, Fast Dominance Algorithm".
      var dominators: [Int?] = Array(repeating: nil, count: keys.count)
      for entry in entries { dominators[entry] = -1 }
      func commonDominator(_ one: Int, _ other: Int) -> Int {
        var (one, other) = (one, other)
        while one != other {
          if one < 0 || other < 0 { return -1 }
          if ranks[one] > ranks[other] {
            one = dominators[one] ?? -1
          } else {
            other = dominators[other] ?? -1
          }
        }
        return one
      }
      var isChanging = true
      while isChanging {
        isChanging = false
        for key in order where !entries.contains(key) {
          let known = predecessors[key].filter { dominators[$0] != nil }
          guard let first = known.first else { continue }
          let dominator = known.dropFirst().reduce(first, commonDominator)
          if dominators[key] != dominator {
            dominators[key] = dominator
            isChanging = true
          }
        }
      }
      var roots = Array(keys.indices)
      for key in order {
        if let dominator = dominators[key], dominator >= 0 { roots[key] = roots[dominator] }
      }
      return roots
    }

    /// The keys in topological order, each after those that could be read as it except in cycles, and the
    /// keys with which paths begin.
    private func order() -> (order: [Int], entries: Set<Int>) {
      var seen = Array(repeating: false, count: keys.count)
      var finished: [Int] = []
      var entries: Set<Int> = []
      // A cycle without an entry begins with the first of its keys.
      for start in keys.indices.filter({ predecessors[$0].isEmpty }) + keys.indices
      where !seen[start] {
        entries.insert(start)
        seen[start] = true
        var path = [(key: start, next: 0)]
        while let (key, next) = path.last {
          if next == readings[key].count {
            finished.append(key)
            path.removeLast()
            continue
          }
          path[path.count - 1].next += 1
          let reading = readings[key][next]
          if seen[reading] { continue }
          seen[reading] = true
          path.append((reading, 0))
        }
      }
      return (finished.reversed(), entries)
    }
  }
}
