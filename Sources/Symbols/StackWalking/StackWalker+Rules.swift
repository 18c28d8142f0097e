internal import CrashModel
internal import Identifiers
internal import UnwindRules

/// Callers by call-frame information, whatever it was compiled from.
extension StackWalker {
  /// The caller by the first file of the image that knows the function.
  ///
  /// - Parameter next: The caller, if it is found.
  func byRules<Code: WalkedCode>(
    _ walk: WalkedFrame, _ pc: UInt64, _ found: (image: Int, offset: UInt64)?,
    _ next: inout WalkedFrame, in code: inout Code, _ budget: inout WalkBudget
  ) throws -> CallerFinding {
    guard let (image, offset) = found, let offset = UInt32(exactly: offset) else {
      return .unknown
    }
    let base = walk.position.lookUp(Address(pc)).value &- UInt64(offset)
    let files = try code.rules(of: image)
    for index in files.indices {
      guard let row = walk.call?.row ?? files[index].lookUp(offset) else { continue }
      if walk.isTrampoline, !row.flags.contains(.signalFrame) { continue }
      if walk.isAnywhere, row.flags.contains(.atCallsOnly),
        let around = try aroundFrame(walk, pc, in: &code)
      {
        next = around
        return .found
      }
      switch apply(row, of: files[index], to: walk, base: base, &next) {
      case .end: return .end
      case .unknown: continue
      case .found:
        if row.flags.contains(.searchedReturnAddress) {
          try searchReturnAddress(&next, after: walk, in: &code, &budget)
        }
        if isCaller(next, of: walk) { return .found }
      }
    }
    return .unknown
  }

  private func apply(
    _ row: UnwindRow, of rules: UnwindRules, to walk: WalkedFrame, base: UInt64,
    _ next: inout WalkedFrame
  ) -> CallerFinding {
    let slide = base &- rules.imageBase
    let cfa: UInt64?
    switch row.cfa {
    case .unknown: return .unknown
    case .register(let number, let offset):
      cfa = walk.registers[Int(number)].map { $0 &+ UInt64(bitPattern: Int64(offset)) }
    case .expression(let expression):
      cfa = compute(expression, of: rules, slide, nil, walk)
    }
    guard let cfa = cfa.map(wrapped) else { return .unknown }
    next.registers = walk.registers
    next.registers.keep(keptRegisters)
    next.trust = .callFrameInformation
    next.isTrampoline = false
    next.chainLength = 0
    next.parameterBytes = UInt64(rules.parameterBytes(of: row) ?? 0)
    next.isInterrupted = row.flags.contains(.signalFrame)
    next.registers[processor.stackPointer] = cfa
    let number = processor.register(row.returnAddressRegister)
    // Without a rule the return address is still in its register.
    var saved = walk.registers[number]
    for index in 0..<row.ruleCount {
      let (register, rule) = rules.rule(index, of: row)
      let target = processor.register(register)
      let value = value(of: target, by: rule, cfa, walk, slide, rules)
      if target == number {
        if rule == .undefined { return .end }
        saved = value
      }
      next.registers[target] = value
    }
    guard let address = saved.map(stripped) else { return .unknown }
    if address == 0 { return .end }
    next.registers[processor.programCounter] = address
    if let link = processor.linkRegister, link != number, !next.isInterrupted {
      next.registers[link] = nil
    }
    return .found
  }

  private func value(
    of register: Int, by rule: UnwindRow.Rule, _ cfa: UInt64, _ walk: WalkedFrame,
    _ slide: UInt64, _ rules: UnwindRules
  ) -> UInt64? {
    switch rule {
    case .undefined: return nil
    case .sameValue: return walk.registers[register]
    case .offset(let offset):
      return memory.word(at: wrapped(cfa &+ UInt64(bitPattern: Int64(offset))))
    case .valueOffset(let offset): return wrapped(cfa &+ UInt64(bitPattern: Int64(offset)))
    case .register(let other): return walk.registers[processor.register(other)]
    case .expression(let expression):
      return compute(expression, of: rules, slide, cfa, walk).flatMap { memory.word(at: $0) }
    case .valueExpression(let expression):
      return compute(expression, of: rules, slide, cfa, walk)
    }
  }

  /// - Parameters:
  ///   - slide: The distance from linked addresses to those of the process.
  ///   - start: The value on the stack at first.
  private func compute(
    _ expression: UnwindExpression, of rules: UnwindRules, _ slide: UInt64, _ start: UInt64?,
    _ walk: WalkedFrame
  ) -> UInt64? {
    ExpressionMachine(
      memory: memory, registers: walk.registers, slide: slide,
      calleeParameterBytes: walk.parameterBytes
    ).value(of: expression, in: rules, startingWith: start)
  }

  /// Rules of 32-bit Windows say where the return address should be. Arguments that were pushed for a call
  /// may lie before it, and after a call through a wrong pointer the function's own address.
  ///
  /// Source: Breakpad, `src/processor/stackwalker_x86.cc`, `GetCallerByWindowsFrameInfo`.
  private func searchReturnAddress<Code: WalkedCode>(
    _ next: inout WalkedFrame, after walk: WalkedFrame, in code: inout Code,
    _ budget: inout WalkBudget
  ) throws {
    guard let sp = next.registers[processor.stackPointer],
      let pc = next.registers[processor.programCounter]
    else { return }
    let isStale =
      walk.trust == .context && pc == walk.registers[processor.programCounter]
    if !isStale, try code.isCode(CodePosition.returnAddress.lookUp(Address(pc))) { return }
    let size = UInt64(processor.wordSize)
    for index in 0..<UInt64(WalkLimits.searchedWords) {
      let slot = wrapped(sp &+ index &* size)
      budget.steps -= 1
      guard let word = memory.word(at: slot) else { return }
      guard try isReturnAddress(word, in: &code) else { continue }
      next.registers[processor.programCounter] = word
      next.registers[processor.stackPointer] = wrapped(slot &+ size)
      return
    }
  }
}
