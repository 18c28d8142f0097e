internal import CrashModel
internal import Identifiers
internal import UnwindRules

/// Callers of code without available rules, such as the C library's: the nearest return address on the stack
/// that is confirmed by the rules and the code of another image.
///
/// Libraries use the frame pointer for other purposes, or leave it unchanged: its chain then begins at the
/// caller's caller, and the function that called the library would be lost.
extension StackWalker {
  func byConfirmedScan<Code: WalkedCode>(
    _ walk: WalkedFrame, _ image: Int?, in code: inout Code, _ budget: inout WalkBudget
  ) throws -> WalkedFrame? {
    // The libraries of other systems maintain the chain.
    guard processor.instructions == .x86, isUnix, let image, try code.rules(of: image).isEmpty,
      let sp = walk.registers[processor.stackPointer]
    else { return nil }
    let size = UInt64(processor.wordSize)
    // A tail call leaves the address of a function other than the one that was called.
    var second: WalkedFrame?
    for index in 0..<searchedWords(walk, sp) {
      let slot = wrapped(sp &+ index &* size)
      budget.steps -= 1
      guard budget.steps > 0, let pc = memory.word(at: slot) else { break }
      guard pc >= 4096, processor.isCanonical(pc), mayExecute(pc),
        let (other, offset) = try code.image(at: CodePosition.returnAddress.lookUp(Address(pc))),
        other != image, let offset = UInt32(exactly: offset), try isReturnAddress(pc, in: &code),
        try isAfterCall(pc, in: &code) == true
      else { continue }
      var next = WalkedFrame(registers: walk.registers, trust: .scan)
      next.registers.keep(keptRegisters)
      next.registers[processor.programCounter] = pc
      next.registers[processor.stackPointer] = wrapped(slot &+ size)
      // The frame pointer is still the caller's, or the library saved it below the return address.
      for saved in 0...WalkLimits.savedRegisters {
        if saved > 0 {
          guard let fp = memory.word(at: wrapped(slot &- UInt64(saved) &* size)), fp > slot,
            fp &- slot <= WalkLimits.frameSize
          else { continue }
          next.registers[processor.framePointer] = fp
        }
        guard let caller = checked(next, after: walk) else { break }
        switch try confirmation(of: caller, other, offset, in: &code, &budget) {
        case .whole: return caller
        case .byRules: second = second ?? caller
        case .none: continue
        }
        break
      }
    }
    return second
  }

  /// How many words may contain the return address: all up to the frame that the frame pointer leads to.
  private func searchedWords(_ walk: WalkedFrame, _ sp: UInt64) -> UInt64 {
    let size = UInt64(processor.wordSize)
    guard let fp = walk.registers[processor.framePointer], fp >= sp,
      fp &- sp < WalkLimits.frameSize,
      let saved = memory.word(at: fp), saved > fp, memory.region(at: saved) != nil,
      let pc = memory.word(at: wrapped(fp &+ size)), mayExecute(pc)
    else { return UInt64(WalkLimits.scannedWordsAfterSureFrame) }
    return min((fp &- sp) / size, UInt64(WalkLimits.confirmedWords))
  }

  private enum Confirmation { case none, byRules, whole }

  /// Whether the rules of a frame lead to its caller, and that calls the frame's function as far as can be
  /// seen.
  private func confirmation<Code: WalkedCode>(
    of walk: WalkedFrame, _ image: Int, _ offset: UInt32, in code: inout Code,
    _ budget: inout WalkBudget
  ) throws -> Confirmation {
    guard let pc = walk.registers[processor.programCounter] else { return .none }
    var caller = walk
    switch try byRules(walk, pc, (image, UInt64(offset)), &caller, in: &code, &budget) {
    // The first function of a program or thread has no return address, not one of zeros.
    case .end: return caller.registers[processor.programCounter] == 0 ? .none : .whole
    case .unknown: return .none
    case .found: break
    }
    guard let back = caller.registers[processor.programCounter],
      try isReturnAddress(back, in: &code)
    else { return .none }
    // A direct call shows which function it called.
    guard let called = try directTarget(ofCallBefore: back, in: &code),
      let start = try code.functionStart(at: CodePosition.returnAddress.lookUp(Address(pc)))?.value,
      try code.functionStart(at: Address(called))?.value == called
    else { return .whole }
    return called == start ? .whole : .byRules
  }

  /// The target of the call before an address, if it is part of the instruction: `E8` and a distance.
  private func directTarget<Code: WalkedCode>(
    ofCallBefore pc: UInt64, in code: inout Code
  ) throws -> UInt64? {
    guard let bytes = try instructionBytes(at: pc &- 5, count: 5, in: &code), bytes & 0xff == 0xe8
    else {
      return nil
    }
    return wrapped(pc &+ UInt64(bitPattern: Int64(Int32(truncatingIfNeeded: bytes >> 8))))
  }
}
