internal import CrashModel

/// Callers by looking through the words of the stack.
extension StackWalker {
  /// The first word above the stack pointer that can be a return address.
  func byScan<Code: WalkedCode>(
    _ walk: WalkedFrame, in code: inout Code, _ budget: inout WalkBudget
  ) throws -> WalkedFrame? {
    guard let sp = walk.registers[processor.stackPointer] else { return nil }
    let isSure = walk.trust == .context || walk.trust == .callFrameInformation
    let words = isSure ? WalkLimits.scannedWordsAfterSureFrame : WalkLimits.scannedWords
    let size = UInt64(processor.wordSize)
    for index in 0..<UInt64(words) {
      let address = wrapped(sp &+ index &* size)
      budget.steps -= 1
      guard budget.steps > 0, let word = memory.word(at: address) else { return nil }
      let pc = stripped(word)
      // On Power the function below has saved its return address, which is here, in this frame.
      if processor.frameChain == .backChain, pc == walk.registers[processor.programCounter] {
        continue
      }
      guard try isReturnAddress(pc, in: &code) else { continue }
      var next = WalkedFrame(registers: WalkedRegisters(), trust: .scan)
      next.registers[processor.programCounter] = pc
      next.registers[processor.stackPointer] = wrapped(address &+ size)
      if index > 0, processor.instructions == .x86 {
        next.registers[processor.framePointer] = framePointer(below: address, walk)
      }
      return checked(next, after: walk)
    }
    return nil
  }

  /// The frame pointer that a function saved below its return address, or that it left alone.
  private func framePointer(below address: UInt64, _ walk: WalkedFrame) -> UInt64? {
    let size = UInt64(processor.wordSize)
    let slot = address &- size
    if let saved = memory.word(at: slot), saved > slot,
      saved &- slot <= WalkLimits.frameSize, memory.region(at: saved) != nil
    {
      return saved
    }
    guard let own = walk.registers[processor.framePointer], own >= address &+ size,
      memory.region(at: own) != nil
    else { return nil }
    return own
  }
}
