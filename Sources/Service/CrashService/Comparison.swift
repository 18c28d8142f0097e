package import CrashModel
internal import CrashStore

/// Where two reports diverge, and why they are in one group or in two.
package struct Comparison {
  /// The steps of two stacks in one row; one side is `nil` if only the other has it.
  package struct Row {
    package let first: SignatureStep?
    package let second: SignatureStep?

    /// Whether both sides are equal.
    package var isSame: Bool {
      guard let first, let second else { return false }
      return first.result == second.result && first.frameClass == second.frameClass
        && first.used == second.used && (first.frame == nil) == (second.frame == nil)
    }

    package init(first: SignatureStep?, second: SignatureStep?) {
      self.first = first
      self.second = second
    }
  }

  package let first: Explanation
  package let second: Explanation
  /// The decisions about the reports, then the frames from the top.
  package let rows: [Row]
  /// The likeness of the stacks; `nil` if one of them has no frame.
  package let stacks: Stacks?

  package init(_ first: Explanation, _ second: Explanation) {
    self.first = first
    self.second = second
    rows =
      Self.aligned(first.decisions, second.decisions) + Self.aligned(first.frames, second.frames)
    stacks = Stacks(first, second)
  }

  /// The index of the first row that differs.
  package var firstDifference: Int? { rows.firstIndex { !$0.isSame } }

  package var isOneKey: Bool {
    first.app == second.app && first.signature.key == second.signature.key
  }

  /// Whether both are in one group; `nil` if one of them is not in a store.
  package var isOneGroup: Bool? {
    guard let one = first.membership?.group, let other = second.membership?.group else {
      return nil
    }
    return one == other
  }

  // MARK: Alignment

  /// The maximum number of steps to align, more than the frames of a stack that are considered.
  private static let mostSteps = 2048

  private static func aligned(_ first: [SignatureStep], _ second: [SignatureStep]) -> [Row] {
    var names = NameNumbers()
    func compared(_ steps: [SignatureStep]) -> [ComparedStep] {
      steps.prefix(mostSteps).map { step in
        ComparedStep(
          result: names.number(of: step.result), subject: names.number(of: step.subject),
          hasFrame: step.frame != nil)
      }
    }
    return Alignment(compared(first), compared(second), most: mostSteps, by: isAlike).rows.map {
      Row(first: $0.first.map { first[$0] }, second: $0.second.map { second[$0] })
    }
  }

  private struct ComparedStep {
    let result: Int
    let subject: Int
    let hasFrame: Bool
  }

  private static func isAlike(_ one: ComparedStep, _ other: ComparedStep) -> Bool {
    one.result == other.result && (one.hasFrame || one.subject == other.subject)
  }
}
