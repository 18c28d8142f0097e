public import CrashModel

/// Why two keys are linked.
public enum LinkRule: String, Hashable, Sendable, CaseIterable {
  /// The two functions of the app nearest to the crash are the same, and four frames and 70 % of the
  /// weight of both stacks agree: only what the app called differs, or what its libraries are called.
  case sameFunctions = "L1"
  /// Two assertions or panics are of one statement, by function, caller, file, line and column, and 70 % of the
  /// weight of both stacks agree: only the data in their words differs.
  case sameStatement = "L2"
  /// The likeness reaches the limit that somebody set for the app.
  case limit = "limit"
}

extension LinkPolicy {
  /// The most stacks of a key that are compared: those of the smallest digests, so that it does not matter
  /// which came first.
  public static let stacksOfKey = 32

  /// Which rule links two keys; `nil` where none does.
  ///
  /// - Parameter sharesFunctions: Whether ``LinkFacts/functions`` of both are the same. Their
  ///   ``LinkFacts/words`` are.
  /// - Parameter isStatement: Whether these stand for a statement; then the words may differ.
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

  /// Whether it links keys for which no rule holds.
  public var hasLimit: Bool {
    if case .own(.from) = self { true } else { false }
  }
}
