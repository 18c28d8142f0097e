import TestSupport
import Testing
import TriageModel

@Suite("Keys that share a group") struct KeyPartitionTests {
  @Test(
    "A key joins those that could be read as it, where they are one group",
    arguments: [
      ([:], []),
      (["p": []], ["p"]),
      // A key that no report has joins nothing.
      (["a": ["p"], "b": ["p"]], ["a", "b"]),
      (["a": ["p"], "p": []], ["a p"]),
      (["a": ["p"], "b": ["p"], "p": []], ["a", "b", "p"]),
      // Three readings, each an alternative of the others: without modules, without inlined calls.
      (["k": ["s", "p", "ps"], "s": ["ps"], "p": ["ps"], "ps": []], ["k p ps s"]),
      (["s": ["ps"], "p": ["ps"], "ps": []], ["p", "ps", "s"]),
      // Two keys in one group may both have a third as their alternative.
      (["a": ["b", "p"], "b": ["p"], "p": []], ["a b p"]),
      // A key with two alternatives joins both.
      (["a": ["p"], "b": ["p"], "p": ["q"], "q": []], ["a", "b", "p q"]),
      (["a": ["p", "q"], "b": ["p"], "p": ["q"], "q": []], ["a", "b", "p", "q"]),
      // Each inlined into the other.
      (["f": ["g"], "g": ["f"]], ["f g"]),
      (["a": ["f"], "f": ["g"], "g": ["f"]], ["a f g"]),
      (["a": ["f"], "b": ["g"], "f": ["g"], "g": ["f"]], ["a", "b", "f", "g"]),
      (["a": ["a"]], ["a"]),
    ] as [([String: Set<String>], [String])])
  func groups(readings: [String: Set<String>], expected: [String]) {
    let roots = KeyPartition.roots(of: readings)
    let groups = Dictionary(grouping: roots.keys) { roots[$0] ?? "" }
    #expect(groups.values.map { $0.sorted().joined(separator: " ") }.sorted() == expected)
    for (root, members) in groups { #expect(members.contains(root)) }
  }

  @Test(
    "A weak reading joins, and never separates what exact ones join",
    arguments: [
      (["a": [], "p": []], ["a": ["p"]], ["a p"]),
      (["a": ["p"], "b": [], "p": []], ["b": ["p"]], ["a p", "b"]),
      (["a": [], "b": [], "p": []], ["a": ["p"], "b": ["p"]], ["a", "b", "p"]),
      // A weak reading does not decide what two exact ones leave open.
      (["a": ["p"], "b": ["p"], "c": [], "p": []], ["c": ["p"]], ["a", "b", "c", "p"]),
      // A group of exact readings joins by a weak one as a whole.
      (["a": ["p"], "b": [], "p": []], ["b": ["a"]], ["a b p"]),
      (["f": [], "g": []], ["f": ["g"], "g": ["f"]], ["f g"]),
    ] as [([String: Set<String>], [String: Set<String>], [String])])
  func weak(
    readings: [String: Set<String>], weak: [String: Set<String>], expected: [String]
  ) {
    let roots = KeyPartition.roots(of: readings, weak: weak)
    let groups = Dictionary(grouping: roots.keys) { roots[$0] ?? "" }
    #expect(groups.values.map { $0.sorted().joined(separator: " ") }.sorted() == expected)
  }

  @Test("Whatever the weak readings, keys joined by exact ones stay together", arguments: 0..<100)
  func neverSeparates(seed: UInt64) {
    var random = SplitMix(seed: 9_000 + seed)
    var tables: [[Int: Set<Int>]] = [[:], [:]]
    for key in 0..<12 {
      for index in tables.indices {
        tables[index][key] = Set(
          (0..<Int.random(in: 0...2, using: &random)).map { _ in
            // Downwards: in cycles it is undecided which key names the group.
            Int.random(in: 0...key, using: &random)
          })
      }
    }
    let exact = KeyPartition.roots(of: tables[0])
    let both = KeyPartition.roots(of: tables[0], weak: tables[1])
    for (key, root) in exact { #expect(both[key] == both[root]) }
  }

  /// A reference implementation: a key belongs to another if every path to it leads through that one.
  private func plainRoots(_ readings: [Int: Set<Int>]) -> [Int: Int] {
    let read = Set(readings.values.flatMap { $0 })
    let starts = readings.keys.filter { !read.contains($0) }
    func reached(without barred: Int) -> Set<Int> {
      var found: Set<Int> = []
      var rest = starts.filter { $0 != barred }
      while let key = rest.popLast() {
        guard found.insert(key).inserted else { continue }
        rest += (readings[key] ?? []).filter { $0 != barred && readings[$0] != nil }
      }
      return found
    }
    var roots: [Int: Int] = [:]
    for key in readings.keys {
      let gates = readings.keys.filter { !reached(without: $0).contains(key) }
      // All paths lead through each of them: the outermost is the one that needs no other.
      roots[key] = gates.first { gate in
        gates.allSatisfy { $0 == gate || reached(without: $0).contains(gate) }
      }
    }
    return roots
  }

  @Test("Any keys, with any readings, are as in a plain model", arguments: 0..<200)
  func model(seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    let count = Int.random(in: 1...9, using: &random)
    var readings: [Int: Set<Int>] = [:]
    for key in 0..<count {
      let others = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        Int.random(in: 1...count, using: &random)
      }
      readings[key] = Set(others.filter { $0 != key })
    }
    // Cycles without predecessors are cases of their own above.
    let read = Set(readings.values.flatMap { $0 })
    var reached: Set<Int> = []
    var rest = readings.keys.filter { !read.contains($0) }
    while let key = rest.popLast() {
      if reached.insert(key).inserted {
        rest += (readings[key] ?? []).filter { readings[$0] != nil }
      }
    }
    readings = readings.filter { reached.contains($0.key) }
    #expect(reached.contains(0))
    #expect(KeyPartition.roots(of: readings) == plainRoots(readings))
  }

  @Test("A long chain and a key with thousands of readings take little time")
  func large() {
    let count = 20_000
    var chain: [Int: Set<Int>] = [:]
    var star: [Int: Set<Int>] = [0: []]
    for key in 1...count {
      chain[key] = [key + 1]
      star[key] = [0]
    }
    #expect(Set(KeyPartition.roots(of: chain).values) == [1])
    #expect(Set(KeyPartition.roots(of: star).values).count == count + 1)
  }
}
