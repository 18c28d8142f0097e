extension UnwindBuilder {
  /// Makes `term` the CFA.
  mutating func setCFA(_ term: UnwindTerm) {
    if case .register(let register) = term.base, let register = UInt8(exactly: register),
      let offset = Int32(exactly: term.offset)
    {
      rules.setCFA(register: register, offset: offset)
    } else {
      rules.setCFA(expression: expressions.offset(of: term.operations))
    }
  }

  /// Makes `term` the rule of `register`.
  ///
  /// - Parameter cfa: What the CFA is, where terms may say the same by other words.
  /// - Returns: Whether there was room.
  mutating func set(_ register: UInt16, _ term: UnwindTerm, cfa: UnwindTerm?) -> Bool {
    typealias RuleKind = UnwindFormat.RuleKind
    if case .memory(let address) = term.base, term.offset == 0 {
      if let offset = Self.offset(of: address, from: cfa) {
        return rules.set(register, RuleKind.offset, offset)
      }
      let expressionOffset = expressions.offset(of: address.operations)
      return rules.set(register, RuleKind.expression, Int32(bitPattern: expressionOffset))
    }
    if let offset = Self.offset(of: term, from: cfa) {
      return rules.set(register, RuleKind.valueOffset, offset)
    }
    if case .register(let other) = term.base, term.offset == 0 {
      return other == register
        ? rules.set(register, RuleKind.sameValue)
        : rules.set(register, RuleKind.register, Int32(other))
    }
    let expressionOffset = expressions.offset(of: term.operations)
    return rules.set(register, RuleKind.valueExpression, Int32(bitPattern: expressionOffset))
  }

  /// How far `term` lies from the CFA, where that does not depend on memory or registers.
  private static func offset(of term: UnwindTerm, from cfa: UnwindTerm?) -> Int32? {
    if term.base == .frameAddress { return Int32(exactly: term.offset) }
    guard let cfa, term.base == cfa.base, term.base != .zero else { return nil }
    return Int32(exactly: term.offset &- cfa.offset)
  }
}
