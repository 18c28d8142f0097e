/// Patterns as a graph of steps, each of which takes a byte out of a set or none.
package struct PatternProgram: Sendable {
  package enum Step: Sendable {
    case byte(ByteSet, next: Int)
    case split(Int, Int)
    case jump(Int)
    /// A pattern fits here.
    case fits(label: Int)
  }

  package private(set) var steps: [Step] = []
  /// Where the patterns begin.
  package private(set) var entries: [Int] = []
  private let isReversed: Bool

  /// The most steps; what `{2,500}` means counts as often as it says.
  package static let limit = 100_000
  private let limit: Int

  /// - Parameters:
  ///   - isReversed: Whether texts are read from their end.
  ///   - limit: The most steps.
  package init(isReversed: Bool, limit: Int = Self.limit) {
    self.isReversed = isReversed
    self.limit = limit
  }

  /// - Throws: ``PatternError`` when the patterns together are too large.
  package mutating func add(_ nodes: [PatternNode], label: Int) throws(PatternError) {
    let entry = steps.count
    for node in isReversed ? nodes.reversed() : nodes { try add(node) }
    steps.append(.fits(label: label))
    entries.append(entry)
  }

  /// Each part goes on with the step after its last one.
  private mutating func add(_ node: PatternNode) throws(PatternError) {
    guard steps.count < limit else {
      throw PatternError(offset: 0, reason: "the patterns are too large together")
    }
    switch node {
    case .set(let set): steps.append(.byte(set, next: steps.count + 1))
    case .sequence(let parts):
      for part in isReversed ? parts.reversed() : parts { try add(part) }
    case .choice(let parts):
      var ends: [Int] = []
      for (number, part) in parts.enumerated() {
        let isLast = number == parts.count - 1
        let fork = steps.count
        if !isLast { steps.append(.jump(0)) }
        try add(part)
        if !isLast {
          ends.append(steps.count)
          steps.append(.jump(0))
          steps[fork] = .split(fork + 1, steps.count)
        }
      }
      for end in ends { steps[end] = .jump(steps.count) }
    case .repeated(let part, let least, let most):
      for _ in 0..<least { try add(part) }
      guard let most else {
        let fork = steps.count
        steps.append(.jump(0))
        try add(part)
        steps.append(.jump(fork))
        steps[fork] = .split(fork + 1, steps.count)
        return
      }
      var forks: [Int] = []
      for _ in least..<most {
        forks.append(steps.count)
        steps.append(.jump(0))
        try add(part)
      }
      for fork in forks { steps[fork] = .split(fork + 1, steps.count) }
    }
  }
}
