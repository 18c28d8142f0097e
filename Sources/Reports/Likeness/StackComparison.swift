public import CrashModel

/// The explanation of two stacks' likeness: which of their frames are partners.
public struct StackComparison: Sendable {
  public let likeness: Likeness
  /// The indices of the calls that have a partner: in the first stack, in the second; in the order of the
  /// first.
  public let matched: [(own: Int, other: Int)]
  /// The indices of the compared calls without one, in each stack.
  public let ownRest: [Int]
  public let otherRest: [Int]
  /// The normalised names of the frames that agree, and of those that don't: without those that show only how
  /// the process died.
  public let names: (matched: [String], ownRest: [String], otherRest: [String])

  /// - Complexity: O(frames) of both, of which at most 60 each are compared.
  public init(_ stack: NormalisedStack, _ other: NormalisedStack) {
    likeness = StackFeatures(stack).likeness(to: StackFeatures(other))
    let (own, others) = (Array(StackFrames(stack)), Array(StackFrames(other)))
    var positions: [String: [Int]] = [:]
    for frame in others {
      positions[other.calls[frame.index].token, default: []].append(frame.index)
    }
    var taken: [String: Int] = [:]
    var matched: [(own: Int, other: Int)] = []
    var ownRest: [Int] = []
    for frame in own {
      let token = stack.calls[frame.index].token
      let next = taken[token, default: 0]
      if let positions = positions[token], next < positions.count {
        matched.append((frame.index, positions[next]))
        taken[token] = next + 1
      } else {
        ownRest.append(frame.index)
      }
    }
    let partners = Set(matched.map(\.other))
    self.matched = matched
    self.ownRest = ownRest
    let otherRest = others.map(\.index).filter { !partners.contains($0) }
    self.otherRest = otherRest
    func named(_ indices: [Int], of stack: NormalisedStack) -> [String] {
      indices.map { stack.calls[$0] }.filter { $0.frameClass != .death }.map(\.token)
    }
    names = (
      named(matched.map(\.own), of: stack), named(ownRest, of: stack), named(otherRest, of: other)
    )
  }
}
