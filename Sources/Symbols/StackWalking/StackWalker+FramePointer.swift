internal import CrashModel

/// Callers by the chain of frame pointers.
extension StackWalker {
  func byFramePointer<Code: WalkedCode>(
    _ walk: WalkedFrame, in code: inout Code
  ) throws -> CallerSearch {
    if processor.frameChain == .backChain { return try byBackChain(walk, in: &code) }
    guard processor.frameChain != .none, let fp = walk.registers[processor.framePointer] else {
      return .unknown
    }
    // The function that began the chain has no caller.
    if fp == 0 { return walk.chainLength > 1 ? .end : .unknown }
    // Where unwind codes are the rule, a frame pointer may point anywhere into the frame.
    let last: UInt64 = isWindows64 ? WalkLimits.frameOffsets : 0
    for offset in stride(from: 0, through: last, by: 16) {
      let result = try byFramePointer(walk, wrapped(fp &+ offset), in: &code)
      if case .unknown = result { continue }
      return result
    }
    return .unknown
  }

  private func byFramePointer<Code: WalkedCode>(
    _ walk: WalkedFrame, _ fp: UInt64, in code: inout Code
  ) throws -> CallerSearch {
    let size = UInt64(processor.wordSize)
    let isBelow = processor.frameChain == .below
    let slot = isBelow ? fp &- 2 &* size : fp
    guard let sp = walk.registers[processor.stackPointer], slot >= sp,
      slot &- sp < WalkLimits.frameSize << 4, let saved = memory.word(at: slot),
      let address = memory.word(at: wrapped(slot &+ size))
    else { return .unknown }
    // Swift marks the frames of functions that can wait.
    let caller = stripped(saved & ~Self.frameMark)
    let pc = stripped(address)
    if pc == 0, caller == 0, walk.chainLength > 0 { return .end }
    guard pc >= 4096, processor.isCanonical(pc), mayExecute(pc) else { return .unknown }
    // The chain leads up the stack. A program's first function may have anything in the register, but then
    // its caller is known code, and near where the chain was not followed before.
    let isChain = caller > fp && memory.region(at: caller) != nil
    if !isChain {
      guard walk.chainLength > 0 || slot &- sp <= WalkLimits.lastFrameSize,
        try isReturnAddress(pc, in: &code)
      else { return .unknown }
    }
    var next = WalkedFrame(registers: WalkedRegisters(), trust: .framePointer)
    next.chainLength = walk.chainLength + 1
    next.registers[processor.programCounter] = pc
    next.registers[processor.framePointer] = caller
    next.registers[processor.stackPointer] = wrapped(slot &+ size &* 2)
    return checked(next, after: walk).map(CallerSearch.found) ?? .unknown
  }

  /// The word at the stack pointer of Power is the caller's stack pointer; above that a function has saved
  /// its return address.
  ///
  /// Source: "64-Bit ELF V2 ABI Specification", section 2.2.2; the "PowerPC Processor Supplement" of the
  /// System V ABI for 32 bits.
  private func byBackChain<Code: WalkedCode>(
    _ walk: WalkedFrame, in code: inout Code
  ) throws -> CallerSearch {
    guard let sp = walk.registers[processor.stackPointer], let caller = memory.word(at: sp) else {
      return .unknown
    }
    if caller == 0 { return walk.chainLength > 0 ? .end : .unknown }
    let slot = caller &+ (processor.wordSize == 8 ? 16 : 4)
    guard caller > sp, caller &- sp < WalkLimits.frameSize << 4,
      let pc = memory.word(at: wrapped(slot))
    else { return .unknown }
    if pc == 0, walk.chainLength > 0 { return .end }
    guard try isReturnAddress(pc, in: &code) else { return .unknown }
    var next = WalkedFrame(registers: WalkedRegisters(), trust: .framePointer)
    next.chainLength = walk.chainLength + 1
    next.registers[processor.programCounter] = pc
    next.registers[processor.stackPointer] = caller
    return checked(next, after: walk).map(CallerSearch.found) ?? .unknown
  }
}
