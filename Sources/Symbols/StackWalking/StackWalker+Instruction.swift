internal import CrashModel
internal import Identifiers
internal import UnwindRules

/// Callers of a function that may have no frame at the moment, by its instruction: rules that hold at calls
/// only, or none, do not tell its beginning and its end.
extension StackWalker {
  /// The caller of code without rules.
  func byInstruction<Code: WalkedCode>(
    _ walk: WalkedFrame, _ pc: UInt64, _ isInImage: Bool, in code: inout Code
  ) throws -> WalkedFrame? {
    if let next = try aroundFrame(walk, pc, in: &code) { return next }
    guard processor.instructions != .x86 else {
      // A call through a wrong pointer leaves its return address on top of the stack, and nothing else: it may
      // lead out of all images, or to the data of one. Code that a program makes for itself has frames.
      let canExecute = memory.mapping(at: pc)?.protection.contains(.execute)
      return canExecute ?? isInImage ? nil : try onTop(walk, skipping: 0, in: &code)
    }
    guard try isLeaf(walk, pc, isInImage, in: &code) else { return nil }
    return try byLink(walk, in: &code)
  }

  /// The caller at an instruction where the function has no frame yet, or no more.
  func aroundFrame<Code: WalkedCode>(
    _ walk: WalkedFrame, _ pc: UInt64, in code: inout Code
  ) throws -> WalkedFrame? {
    let start = try code.functionStart(at: Address(pc))?.value
    switch processor.instructions {
    case .x86:
      guard let words = try wordsOnTop(pc, start, in: &code) else { return nil }
      return try onTop(walk, skipping: words, in: &code)
    case .arm64:
      return try isAroundARM64Frame(pc, start, in: &code) ? byLink(walk, in: &code) : nil
    case .riscv:
      let instruction = try instructionBytes(at: pc, count: 2, in: &code)
      // c.jr ra
      return start == pc || instruction == 0x8082 ? try byLink(walk, in: &code) : nil
    case .arm:
      return try isAroundArmFrame(pc, start, in: &code) ? byLink(walk, in: &code) : nil
    case .mips:
      // jr ra: the instruction after it is executed first, and takes the frame down.
      let isReturn = try instructionWord(at: pc &- 4, in: &code) == 0x03e0_0008
      return start == pc || isReturn ? try byLink(walk, in: &code) : nil
    case .power:
      // blr
      let isReturn = try instructionWord(at: pc, in: &code) == 0x4e80_0020
      return start == pc || isReturn ? try byLink(walk, in: &code) : nil
    }
  }

  // MARK: x86

  /// How many words lie on the return address at an instruction of a prologue, an epilogue or a stub of
  /// the procedure linkage table; `nil` at any other.
  private func wordsOnTop<Code: WalkedCode>(
    _ pc: UInt64, _ start: UInt64?, in code: inout Code
  ) throws -> UInt64? {
    if start == pc { return 0 }
    guard let bytes = try instructionBytes(at: pc, count: 8, in: &code) else { return nil }
    let first = bytes & 0xff
    // ret, ret n, rep ret
    if first == 0xc3 || first == 0xc2 || bytes & 0xffff == 0xc3f3 { return 0 }
    // pop rbp; ret
    if bytes & 0xffff == 0xc35d { return 1 }
    // push rbp; mov rbp, rsp: after the first
    if let start, pc &- start == 1,
      try instructionBytes(at: start, count: 1, in: &code) == 0x55
    {
      return 1
    }
    return try wordsInStub(pc, bytes, in: &code)
  }

  /// A stub of the procedure linkage table: `jmp *slot`, `push number`, `jmp first`. The first stub pushes
  /// another word and jumps.
  private func wordsInStub<Code: WalkedCode>(
    _ pc: UInt64, _ bytes: UInt64, in code: inout Code
  ) throws -> UInt64? {
    func isJump(_ bytes: UInt64) -> Bool {
      bytes & 0xffff == 0x25ff || bytes & 0xff_ffff == 0x25fff2
    }
    if bytes & 0xff == 0x68, bytes >> 40 & 0xff == 0xe9 { return 0 }
    // endbr64
    if bytes & 0xffff_ffff == 0xfa1e_0ff3 {
      return isJump(bytes >> 32) || bytes >> 32 & 0xff == 0x68 ? 0 : nil
    }
    if bytes & 0xff == 0xe9,
      let before = try instructionBytes(at: pc &- 5, count: 1, in: &code), before == 0x68,
      let jump = try instructionBytes(at: pc &- 11, count: 2, in: &code), jump == 0x25ff
    {
      return 1
    }
    if bytes & 0xffff == 0x35ff, bytes >> 48 == 0x25ff || bytes >> 48 == 0xfff2 { return 1 }
    guard isJump(bytes) else { return nil }
    return try instructionBytes(at: pc &- 6, count: 2, in: &code) == 0x35ff ? 2 : 0
  }

  /// The return address is after `words` words; everything else is as in the caller.
  private func onTop<Code: WalkedCode>(
    _ walk: WalkedFrame, skipping words: UInt64, in code: inout Code
  ) throws -> WalkedFrame? {
    let size = UInt64(processor.wordSize)
    guard let sp = walk.registers[processor.stackPointer],
      let pc = memory.word(at: wrapped(sp &+ words &* size)),
      try isReturnAddress(pc, in: &code)
    else { return nil }
    var next = WalkedFrame(registers: walk.registers, trust: .framePointer)
    next.registers[processor.programCounter] = pc
    next.registers[processor.stackPointer] = wrapped(sp &+ (words &+ 1) &* size)
    // The word nearest to the return address is the frame pointer that was saved first.
    if words == 1, let saved = memory.word(at: sp), memory.region(at: saved) != nil {
      next.registers[processor.framePointer] = saved
    }
    return checked(next, after: walk)
  }

  // MARK: Link registers

  private func byLink<Code: WalkedCode>(
    _ walk: WalkedFrame, in code: inout Code
  ) throws -> WalkedFrame? {
    guard let link = processor.linkRegister, let saved = walk.registers[link],
      try isReturnAddress(stripped(saved), in: &code)
    else { return nil }
    var next = WalkedFrame(registers: walk.registers, trust: .framePointer)
    next.registers[processor.programCounter] = stripped(saved)
    next.registers[link] = nil
    return checked(next, after: walk)
  }

  private func isAroundARM64Frame<Code: WalkedCode>(
    _ pc: UInt64, _ start: UInt64?, in code: inout Code
  ) throws -> Bool {
    if start == pc { return true }
    guard let instruction = try instructionBytes(at: pc, count: 4, in: &code) else { return false }
    // ret, retaa, retab
    if [0xd65f_03c0, 0xd65f_0bff, 0xd65f_0fff].contains(instruction) { return true }
    // Until the frame pointer is set ("mov x29, sp", "add x29, sp, n") it is the caller's.
    guard let start, pc &- start <= 64 else { return false }
    for address in stride(from: start, through: pc, by: 4) {
      guard let word = try instructionBytes(at: address, count: 4, in: &code) else { return false }
      if word & 0xffc0_03ff == 0x9100_03fd { return address == pc }
    }
    return false
  }

  private func isAroundArmFrame<Code: WalkedCode>(
    _ pc: UInt64, _ start: UInt64?, in code: inout Code
  ) throws -> Bool {
    if start == pc { return true }
    // bx lr, of Arm and Thumb
    if try instructionBytes(at: pc, count: 4, in: &code) == 0xe12f_ff1e { return true }
    return try instructionBytes(at: pc, count: 2, in: &code) == 0x4770
  }

  /// Whether the return address is still in the link register: it is, unless the function has called another
  /// since, or has saved it for that.
  private func isLeaf<Code: WalkedCode>(
    _ walk: WalkedFrame, _ pc: UInt64, _ isInImage: Bool, in code: inout Code
  ) throws -> Bool {
    guard isInImage else { return true }
    guard let link = processor.linkRegister, let saved = walk.registers[link].map(stripped),
      saved != pc
    else { return false }
    // Saved already, and so part of the chain.
    if processor.frameChain == .backChain, let sp = walk.registers[processor.stackPointer],
      let caller = memory.word(at: sp),
      memory.word(at: wrapped(caller &+ (processor.wordSize == 8 ? 16 : 4))) == saved
    {
      return false
    }
    if processor.frameChain == .above, let fp = walk.registers[processor.framePointer],
      let chained = memory.word(at: wrapped(fp &+ UInt64(processor.wordSize))),
      stripped(chained) == saved
    {
      return false
    }
    let address = CodePosition.returnAddress.lookUp(Address(saved))
    // A call inside of the function leaves an address in it.
    let own = try code.functionStart(at: Address(pc))
    let other = try code.functionStart(at: address)
    if own != nil || other != nil { return own != other }
    // Stubs of the procedure linkage table have no rules, unlike the functions that call them.
    if try !hasRules(at: Address(pc), in: &code), try hasRules(at: address, in: &code) {
      return true
    }
    return max(saved, pc) - min(saved, pc) > WalkLimits.leafDistance
  }

  private func hasRules<Code: WalkedCode>(
    at address: Address, in code: inout Code
  ) throws -> Bool {
    guard let (image, offset) = try code.image(at: address), let offset = UInt32(exactly: offset)
    else { return false }
    return try code.rules(of: image).contains { $0.lookUp(offset) != nil }
  }
}
