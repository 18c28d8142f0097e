internal import CrashModel
internal import Identifiers

/// Callers found by the first instructions of a function. On RISC-V, libraries have functions without rules
/// and frame pointers, `abort` among them.
extension StackWalker {
  func byPrologue<Code: WalkedCode>(
    _ walk: WalkedFrame, _ pc: UInt64, in code: inout Code, _ budget: inout WalkBudget
  ) throws -> WalkedFrame? {
    guard processor.instructions == .riscv, let link = processor.linkRegister,
      let sp = walk.registers[processor.stackPointer],
      let start = try code.functionStart(at: walk.position.lookUp(Address(pc)))?.value
    else { return nil }
    var prologue = RISCVPrologue()
    var cursor = start
    while cursor < pc, budget.steps > 0, cursor &- start < WalkLimits.prologueSize,
      let low = try instructionBytes(at: cursor, count: 2, in: &code)
    {
      budget.steps -= 1
      let isLong = low & 3 == 3
      guard let instruction = isLong ? try instructionBytes(at: cursor, count: 4, in: &code) : low,
        prologue.take(UInt32(instruction), isLong: isLong)
      else { break }
      cursor &+= isLong ? 4 : 2
    }
    let entry = sp &+ prologue.depth
    guard prologue.depth > 0, let offset = prologue.saved[link],
      let address = memory.word(at: entry &- offset), try isReturnAddress(address, in: &code)
    else { return nil }
    var next = WalkedFrame(registers: walk.registers, trust: .framePointer)
    next.registers.keep(processor.kept)
    for (register, offset) in prologue.saved {
      next.registers[register] = memory.word(at: entry &- offset)
    }
    next.registers[processor.programCounter] = address
    next.registers[processor.stackPointer] = entry
    next.registers[link] = nil
    return checked(next, after: walk)
  }
}

/// The registers saved on the stack by RISC-V instructions since a function began.
///
/// Source: The RISC-V Instruction Set Manual, volume I, "C" and the tables of opcodes.
private struct RISCVPrologue {
  /// By how much the stack pointer was lowered.
  private(set) var depth: UInt64 = 0
  /// The distance of each register below the initial stack pointer.
  private(set) var saved: [Int: UInt64] = [:]

  /// - Returns: Whether the following instruction is executed next: it is not after a jump.
  mutating func take(_ word: UInt32, isLong: Bool) -> Bool {
    func bits(_ low: UInt32, _ count: UInt32) -> UInt32 { word >> low & (1 << count - 1) }
    if isLong {
      switch (bits(0, 7), bits(12, 3)) {
      // addi sp, sp, n
      case (0x13, 0) where bits(7, 5) == 2 && bits(15, 5) == 2:
        lower(by: Int(Int32(bitPattern: word) >> 20))
      // sd register, n(sp)
      case (0x23, 3) where bits(15, 5) == 2:
        save(bits(20, 5), at: Int((Int32(bitPattern: word) >> 25) << 5) + Int(bits(7, 5)))
      // Branches, jalr, jal.
      case (0x63, _), (0x67, _), (0x6f, _): return false
      default: break
      }
      return true
    }
    switch (bits(0, 2), bits(13, 3)) {
    // c.addi sp, n
    case (1, 0) where bits(7, 5) == 2:
      lower(by: Int(bits(2, 5)) - Int(bits(12, 1) << 5))
    // c.addi16sp
    case (1, 3) where bits(7, 5) == 2:
      let low = bits(6, 1) << 4 | bits(2, 1) << 5 | bits(5, 1) << 6 | bits(3, 2) << 7
      lower(by: Int(low) - Int(bits(12, 1) << 9))
    // c.sdsp register, n
    case (2, 7): save(bits(2, 5), at: Int(bits(10, 3) << 3 | bits(7, 3) << 6))
    // c.j, c.beqz, c.bnez; c.jr and c.jalr.
    case (1, 5), (1, 6), (1, 7): return false
    case (2, 4) where bits(2, 5) == 0: return false
    default: break
    }
    return true
  }

  private mutating func lower(by change: Int) { depth = depth &- UInt64(bitPattern: Int64(change)) }

  private mutating func save(_ register: UInt32, at offset: Int) {
    // The first value saved of a register is the caller's.
    if saved[Int(register)] == nil {
      saved[Int(register)] = depth &- UInt64(bitPattern: Int64(offset))
    }
  }
}
