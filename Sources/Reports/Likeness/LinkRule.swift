internal import CrashModel
public import TriageModel

/// The reason why two keys are linked.
public enum LinkRule: String, Hashable, Sendable, CaseIterable {
  /// The two functions of the app nearest to the crash are the same, and four frames and 70 % of the weight
  /// of both stacks agree: only the app's callees differ, or the names of its libraries.
  case sameFunctions = "L1"
  /// Two assertions or panics come from one statement, by function, caller, file, line and column, and 70 %
  /// of the weight of both stacks agree: only the data in their messages differs.
  case sameStatement = "L2"
  /// The likeness reaches the limit set for the app.
  case limit = "limit"
}

extension LinkPolicy {
  /// The most stacks of a key that are compared: those with the smallest digests, so that the order of
  /// arrival does not matter.
  public static let stacksOfKey = 32

  /// The rule that links two keys; `nil` if none does.
  ///
  /// - Parameter sharesFunctions: Whether ``LinkFacts/functions`` of both are the same. Their
  ///   ``LinkFacts/words`` are.
  /// - Parameter isStatement: Whether these identify a statement; then the words may differ.
  public func rule(
    for likeness: Likeness, sharesFunctions: Bool, isStatement: Bool = false
  ) -> LinkRule? {
    if self == .own(.off) { return nil }
    if sharesFunctions, isStatement {
      return likeness.millionths >= 700_000 ? .sameStatement : nil
    }
    if sharesFunctions, likeness.millionths >= 700_000, likeness.matchedFrames >= 4 {
      return .sameFunctions
    }
    if case .own(.from(let hundredths)) = self, likeness.millionths >= hundredths * 10_000 {
      return .limit
    }
    return nil
  }

  /// Whether the policy links keys that no rule links.
  public var hasLimit: Bool {
    if case .own(.from) = self { true } else { false }
  }
}
