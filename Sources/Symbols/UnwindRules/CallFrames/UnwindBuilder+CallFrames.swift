internal import Bytes
internal import DWARF

extension UnwindBuilder {
  /// Adds the rules of a section of call frame information.
  mutating func read(_ section: CallFrameSection, rank: UInt32) {
    allow(bytes: section.bytes.count)
    sources.insert(section.isEHFrame ? .ehFrame : .debugFrame)
    callFrameRank = rank
    var reader = CallFrameReader(section)
    reader.read(into: &self)
  }
}

extension UnwindBuilder: CallFrameOutput {
  mutating func addExpression(_ operations: [UInt8]) -> UInt32 {
    expressions.offset(of: operations)
  }

  mutating func open(_ start: UInt32, _ end: UInt32) { open(start, end, rank: callFrameRank) }

  mutating func addRow(_ start: UInt32, _ row: borrowing CallFrameRules) throws(ParseError) {
    rules.set(row)
    try addRow(start)
  }
}

extension RuleSet {
  /// Replaces all rules.
  mutating func set(_ row: borrowing CallFrameRules) {
    clear()
    setReturnAddressRegister(row.head.returnAddressRegister)
    if row.head.isSignalFrame { flags.insert(.signalFrame) }
    if row.head.hasSignedReturnAddress { flags.insert(.signedReturnAddress) }
    switch row.head.cfa {
    case .unknown: break
    case .register(let register, let offset): setCFA(register: register, offset: offset)
    case .expression(let offset): setCFA(expression: offset)
    }
    let rules = row.rules.span
    for index in rules.indices {
      let rule = rules[index]
      // There is room: a row of call frame information has no more rules than one of the file.
      _ = set(rule.register, UnwindFormat.kind(of: rule.kind), rule.value)
    }
  }
}

extension UnwindFormat {
  fileprivate static func kind(of rule: CallFrameRules.Kind) -> UInt8 {
    switch rule {
    case .undefined: RuleKind.undefined
    case .sameValue: RuleKind.sameValue
    case .offset: RuleKind.offset
    case .valueOffset: RuleKind.valueOffset
    case .register: RuleKind.register
    case .expression: RuleKind.expression
    case .valueExpression: RuleKind.valueExpression
    }
  }
}
