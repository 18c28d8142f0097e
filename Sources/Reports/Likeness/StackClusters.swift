/// Clusters of stacks that have little in common, which may be several bugs.
public enum StackClusters {
  /// The least likeness of two stacks of one cluster, in millionths.
  public static let least = 450_000
  /// The most stacks that are compared.
  public static let limit = 50

  /// Stacks chained by likeness.
  public struct Cluster: Hashable, Sendable {
    /// The indices of the stacks, ascending.
    public let stacks: [Int]
    /// The number of reports with these stacks.
    public let reports: Int
    /// The likeness of the most similar pair of stacks, one of this cluster and one of the largest.
    public let likeness: Likeness
  }

  /// The clusters large enough to be a bug of their own: more than one report, and a twentieth of all.
  ///
  /// Two stacks are in one cluster where a chain of stacks leads from one to the other whose neighbours have
  /// a likeness of ``least`` or more.
  ///
  /// - Parameter stacks: The stacks of a group, and how many reports have each; the most frequent first. At
  ///   most ``limit`` are compared.
  /// - Returns: All but the largest, in descending order of size; empty if the stacks are one cluster.
  /// - Complexity: O(n²) likenesses.
  public static func minor(of stacks: [(features: StackFeatures, reports: Int)]) -> [Cluster] {
    let stacks = stacks.prefix(limit)
    var roots = Array(stacks.indices)
    var likenesses: [[Likeness]] = []
    for (index, stack) in stacks.enumerated() {
      likenesses.append(stacks[..<index].map { stack.features.likeness(to: $0.features) })
      for (other, likeness) in likenesses[index].enumerated()
      where likeness.millionths >= least && roots[other] != roots[index] {
        let (old, new) = (max(roots[index], roots[other]), min(roots[index], roots[other]))
        for member in 0...index where roots[member] == old { roots[member] = new }
      }
    }
    var members: [Int: [Int]] = [:]
    for (index, root) in roots.enumerated() { members[root, default: []].append(index) }
    func reports(_ members: [Int]) -> Int { members.reduce(0) { $0 + stacks[$1].reports } }
    let ranked = members.values.sorted {
      (reports($1), $0[0]) < (reports($0), $1[0])
    }
    guard let greatest = ranked.first else { return [] }
    let all = stacks.reduce(0) { $0 + $1.reports }
    return ranked.dropFirst().filter { reports($0) > 1 && reports($0) * 20 >= all }.map { cluster in
      let between = cluster.flatMap { one in
        greatest.map { likenesses[max(one, $0)][min(one, $0)] }
      }
      return Cluster(
        stacks: cluster, reports: reports(cluster),
        likeness: between.max() ?? Likeness(millionths: 0, matchedFrames: 0))
    }
  }
}
