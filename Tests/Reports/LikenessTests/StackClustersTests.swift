import CrashModel
import Likeness
import TestSupport
import Testing

@Suite struct StackClustersTests {
  private func features(_ functions: String) -> StackFeatures {
    StackFeatures(
      NormalisedStack(
        calls: functions.split(separator: " ").map { .init(token: String($0), frameClass: .app) }))
  }

  @Test func `Stacks that a chain of like ones connects are one cluster`() {
    let chain = ["a b c d", "b c d e", "c d e f", "d e f g", "e f g h"].map(features)
    #expect(chain[0].likeness(to: chain[4]).millionths == 0)
    #expect(zip(chain, chain.dropFirst()).allSatisfy { $0.likeness(to: $1).millionths >= 350_000 })
    #expect(StackClusters.minor(of: chain.map { ($0, 5) }).isEmpty)
    let broken = [chain[0], chain[1], chain[4]].map { ($0, 5) }
    #expect(StackClusters.minor(of: broken).map(\.stacks) == [[2]])
  }

  @Test func `The cluster of the most reports is the group, and small ones don't count`() {
    let stacks = ["a b c", "x y z", "x y w", "p q r"].map(features)
    let found = StackClusters.minor(of: zip(stacks, [30, 20, 15, 1]).map { ($0, $1) })
    #expect(found.map(\.stacks) == [[0]])
    #expect(found.map(\.reports) == [30] && found[0].likeness.millionths == 0)
    let few = StackClusters.minor(of: [(stacks[0], 39), (stacks[1], 2)])
    #expect(few.isEmpty)
    #expect(StackClusters.minor(of: [(stacks[0], 38), (stacks[1], 2)]).map(\.reports) == [2])
    #expect(StackClusters.minor(of: []).isEmpty)
  }

  @Test func `Clusters do not depend on the order of stacks`() {
    var random = SplitMix(seed: 3)
    for _ in 0..<50 {
      // No two sets of stacks have the same number of reports.
      let stacks = (0..<12).map { number in
        (
          features: StackFeatures(RandomStack.make(&random, names: 40)),
          reports: 4096 + (1 << number)
        )
      }
      func clusters(
        of stacks: [(features: StackFeatures, reports: Int)]
      ) -> [Set<StackFeatures>] {
        StackClusters.minor(of: stacks).map { Set($0.stacks.map { stacks[$0].features }) }
      }
      #expect(clusters(of: stacks.shuffled(using: &random)) == clusters(of: stacks))
    }
  }

  @Test func `No more than fifty stacks are compared`() {
    let many = (0..<80).map { (features("f\($0) g\($0)"), 10) }
    let found = StackClusters.minor(of: many)
    #expect(found.flatMap(\.stacks).allSatisfy { $0 < StackClusters.limit })
  }
}
