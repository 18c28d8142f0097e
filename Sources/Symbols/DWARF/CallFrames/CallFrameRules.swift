package import Bytes

/// The rules that hold from one address on: where the canonical frame address (CFA) is, and how the
/// registers of the caller are found.
///
/// Source: DWARF 5, section 6.4.1.
package struct CallFrameRules: ~Copyable {
  /// How the CFA is computed.
  package enum CFA: BitwiseCopyable {
    case unknown
    case register(UInt8, offset: Int32)
    /// An expression by the number that ``CallFrameOutput`` gave it.
    case expression(UInt32)
  }

  /// The kind of a register's rule.
  package enum Kind: UInt8, BitwiseCopyable {
    case undefined
    case sameValue
    /// Saved in memory at the CFA plus the value.
    case offset
    /// The CFA plus the value.
    case valueOffset
    /// In the register that the value names.
    case register
    /// Saved in memory at the value of an expression.
    case expression
    /// The value of an expression.
    case valueExpression
  }

  package struct Rule: BitwiseCopyable {
    package var register: UInt16
    package var kind: Kind
    /// An offset, a register, or the bits of an expression's number.
    package var value: Int32
  }

  /// Facts of a row besides the rules of registers.
  package struct Head: BitwiseCopyable {
    package var cfa = CFA.unknown
    package var returnAddressRegister: UInt8 = 0
    /// The frame of a signal handler.
    package var isSignalFrame = false
    /// Arm's pointer authentication.
    package var hasSignedReturnAddress = false
  }

  package var head = Head()
  /// By register.
  package private(set) var rules = Table<Rule>(minimumCapacity: 32)

  init() {}

  /// No rules, and nothing known.
  mutating func clear() {
    head = Head()
    rules.removeAll()
  }

  /// Appends the rules to `table`.
  func save(to table: inout Table<Rule>) { table.append(contentsOf: rules.span) }

  /// Takes the rules in `range` of `table`.
  mutating func restore(_ head: Head, _ table: borrowing Table<Rule>, _ range: Range<Int>) {
    self.head = head
    rules.removeAll()
    rules.append(contentsOf: table.span.extracting(range))
  }

  /// Adds or replaces the rule of a register.
  ///
  /// - Returns: Whether there was room.
  mutating func set(_ rule: Rule) -> Bool {
    let index = index(of: rule.register)
    if index < rules.count, rules[index].register == rule.register {
      rules[index] = rule
      return true
    }
    guard rules.count < CallFrameLimits.registers else { return false }
    rules.insert(rule, at: index)
    return true
  }

  mutating func remove(_ register: UInt16) {
    let index = index(of: register)
    guard index < rules.count, rules[index].register == register else { return }
    for next in index..<(rules.count &- 1) { rules[next] = rules[next &+ 1] }
    rules.removeLast()
  }

  /// The index of the first rule that is for `register` or a higher one; `rules.count` if none is.
  private func index(of register: UInt16) -> Int {
    var index = rules.count
    while index > 0, rules[index &- 1].register >= register { index &-= 1 }
    return index
  }
}
