internal import Bytes
internal import CrashModel
internal import Identifiers
internal import UnwindRules

/// The code to which a signal handler returns, and the registers that the kernel saved below it.
///
/// Source: Linux, `arch/*/kernel/signal.c` and `arch/*/include/uapi/asm/sigcontext.h`; the bytes that gdb
/// searches for, `*-linux-tdep.c`.
extension StackWalker {
  /// Marks a caller that is the end of a signal handler: its address is an instruction then, and the function
  /// before it is unrelated. Otherwise stores the rules of the call.
  func mark<Code: WalkedCode>(_ walk: inout WalkedFrame, in code: inout Code) throws {
    walk.call = nil
    walk.isInjected = false
    guard !walk.isInterrupted, let pc = walk.registers[processor.programCounter] else { return }
    if let (image, offset) = try code.image(at: Address(pc)), let offset = UInt32(exactly: offset) {
      let files = try code.rules(of: image)
      for index in files.indices {
        var start: UInt32 = 0
        guard let row = files[index].lookUp(offset, start: &start) else { continue }
        // A call that does not return may be the last instruction of the preceding function; an address that
        // no call precedes was put onto the stack.
        if start == offset, try isAfterCall(pc, in: &code) == false { walk.isInjected = true }
        if row.flags.contains(.signalFrame) {
          walk.isTrampoline = true
          return
        }
        // Code with nothing on its stack has not called anything. Go's rules have no mark for it.
        if !isFrameless(row) {
          walk.isTrampoline = false
          if files.count == 1, start < offset { walk.call = (image, offset - 1, row) }
          return
        }
        break
      }
    }
    walk.isTrampoline = try savedRegisters(at: pc, walk, in: &code) != nil
    if walk.isTrampoline { walk.isInjected = false }
  }

  /// The location of the registers that a signal interrupted, by the code that ends its handler; where that
  /// is not available, by the kernel's data on the stack.
  private func savedRegisters<Code: WalkedCode>(
    at pc: UInt64, _ walk: WalkedFrame, in code: inout Code
  ) throws -> SavedRegisters? {
    if let saved = try savedRegisters(pc, in: &code) { return saved }
    guard let sp = walk.registers[processor.stackPointer], processor.wordSize == 8, isUnix,
      memory.endianness == .little, try instructionBytes(at: pc, count: 1, in: &code) == nil
    else { return nil }
    return savedRegisters(onStack: sp)
  }

  /// The registers of a signal frame of Linux on x86-64 and 64-bit Arm, found from the stack pointer of the
  /// code that ends the handler.
  ///
  ///     x86-64  64-bit Arm  FIELD
  ///          0         128  flags: few bits; then the context that follows: none
  ///        160         560  stack pointer
  ///        168         568  program counter
  ///        184              the code segment of 64-bit programs, 0x33
  ///                    592  the mark of the first record: registers of floating point, 528 bytes
  ///
  /// Source: `struct rt_sigframe`, `struct ucontext`, `struct sigcontext` of Linux, `arch/x86` and `arch/arm64`.
  private func savedRegisters(onStack sp: UInt64) -> SavedRegisters? {
    let isARM = processor.instructions == .arm64
    guard isARM || processor.instructions == .x86 else { return nil }
    func word(_ offset: UInt64) -> UInt64? { memory.word(at: sp &+ offset) }
    guard let flags = word(isARM ? 128 : 0), flags < 16, word(isARM ? 136 : 8) == 0,
      let stack = word(isARM ? 560 : 160), isStack(stack),
      let pc = word(isARM ? 568 : 168), processor.isCanonical(pc)
    else { return nil }
    if isARM {
      return word(592) == 0x210_4650_8001
        ? SavedRegisters(offset: 312, registers: Array(0...32)) : nil
    }
    guard let segments = word(184), segments & 0xffff == 0x33 else { return nil }
    return Self.savedOfX86_64
  }

  /// Whether a stack is at an address, or begins shortly above: it may have overflowed.
  private func isStack(_ address: UInt64) -> Bool {
    [0, 1 << 12, 1 << 14, 1 << 16].contains { memory.region(at: address &+ $0) != nil }
  }

  private static let savedOfX86_64 = SavedRegisters(
    offset: 40, registers: [8, 9, 10, 11, 12, 13, 14, 15, 5, 4, 6, 3, 1, 0, 2, 7, 16])

  /// Whether the function has pushed nothing yet.
  private func isFrameless(_ row: UnwindRow) -> Bool {
    guard case .register(let register, let offset) = row.cfa else { return false }
    return Int(register) == processor.stackPointer
      && Int(offset) == (processor.linkRegister == nil ? processor.wordSize : 0)
  }

  /// The registers that a signal interrupted, where its handler ends without rules.
  func bySignalFrame<Code: WalkedCode>(
    _ walk: WalkedFrame, _ pc: UInt64, in code: inout Code, _ budget: inout WalkBudget
  ) throws -> WalkedFrame? {
    guard let sp = walk.registers[processor.stackPointer],
      let saved = try savedRegisters(at: pc, walk, in: &code)
    else { return nil }
    var address = wrapped(sp &+ saved.offset)
    if saved.isIndirect {
      guard let pointer = memory.word(at: address) else { return nil }
      address = wrapped(pointer &+ saved.pointerOffset)
    }
    address = repeated(walk, from: address, &budget) ?? address
    var next = WalkedFrame(registers: WalkedRegisters(), trust: .callFrameInformation)
    next.isInterrupted = true
    let size = saved.width ?? UInt64(processor.wordSize)
    for (index, register) in saved.registers.enumerated() where register >= 0 {
      next.registers[register] = memory.number(
        at: wrapped(address &+ UInt64(index) &* size), size: Int(size)
      ).map(wrapped)
    }
    if let offset = saved.programCounter {
      next.registers[processor.programCounter] =
        memory.number(at: wrapped(sp &+ offset), size: Int(size)).map(wrapped)
    }
    if let pc = next.registers[processor.programCounter], processor.instructions == .arm {
      next.registers[processor.programCounter] = pc & addressMask
    }
    return checked(next, after: walk)
  }

  /// The location of the registers saved on 64-bit Arm, if a frame pointer led to the end of the handler: it
  /// points at the start of a frame, so it does not give the stack pointer. The kernel repeats the frame
  /// pointer and the link register in a record after all others, to which the frame pointer leads.
  ///
  /// - Parameter lowest: Their lowest possible address.
  private func repeated(
    _ walk: WalkedFrame, from lowest: UInt64, _ budget: inout WalkBudget
  ) -> UInt64? {
    guard processor.instructions == .arm64, walk.trust == .framePointer || walk.trust == .scan,
      let record = walk.registers[processor.framePointer], let fp = memory.word(at: record),
      let lr = memory.word(at: wrapped(record &+ 8))
    else { return nil }
    let end = min(record, wrapped(lowest &+ WalkLimits.signalFrameSize))
    for address in stride(from: lowest, to: end, by: 16) {
      budget.steps -= 1
      guard budget.steps > 0, let word = memory.word(at: address &+ 29 * 8) else { return nil }
      if word == fp, memory.word(at: address &+ 30 * 8) == lr { return address }
    }
    return nil
  }

  private struct SavedRegisters {
    /// The offset from the stack pointer.
    var offset: UInt64
    /// The numbers of the registers, in the order of memory; -1 for those that no walk needs.
    var registers: [Int]
    /// Whether a pointer leads to them.
    var isIndirect = false
    /// The offset from that pointer's target.
    var pointerOffset: UInt64 = 0
    /// The width of each, where it is not the size of a word.
    var width: UInt64?
    /// The offset of the program counter from the stack pointer, where it is not among the others.
    var programCounter: UInt64?
  }

  private func savedRegisters<Code: WalkedCode>(
    _ pc: UInt64, in code: inout Code
  ) throws -> SavedRegisters? {
    if processor.instructions == .mips { return try savedByMIPS(pc, in: &code) }
    if processor.instructions == .power { return try savedByPower(pc, in: &code) }
    guard let bytes = try instructionBytes(at: pc, count: 8, in: &code) else { return nil }
    switch (processor.instructions, processor.wordSize) {
    case (.x86, 8):
      // mov rax, 15; syscall
      guard bytes == 0x0f00_0000_0fc0_c748 || bytes & 0xff_ffff_ffff_ffff == 0x05_0f00_0000_0fb8
      else { return nil }
      return Self.savedOfX86_64
    case (.x86, _):
      let registers = [7, 6, 5, 4, 3, 2, 1, 0, -1, -1, 8]
      // pop eax; mov eax, 119; int 128
      if bytes == 0x80cd_0000_0077_b858 { return SavedRegisters(offset: 20, registers: registers) }
      // mov eax, 173; int 128
      guard bytes & 0xff_ffff_ffff_ffff == 0x80_cd00_0000_adb8 else { return nil }
      return SavedRegisters(
        offset: 8, registers: registers, isIndirect: true, pointerOffset: 36)
    case (.arm64, _):
      // mov x8, 139; svc 0
      guard bytes == 0xd400_0001_d280_1168 else { return nil }
      return SavedRegisters(offset: 312, registers: Array(0...32))
    case (.arm, _):
      // mov r7, 173 or 119; svc 0, of Arm and Thumb
      let isReal = bytes == 0xef00_0000_e3a0_70ad || bytes & 0xffff_ffff == 0xdf00_27ad
      let isOld = bytes == 0xef00_0000_e3a0_7077 || bytes & 0xffff_ffff == 0xdf00_2777
      guard isReal || isOld else { return nil }
      return SavedRegisters(offset: (isReal ? 128 : 0) + 20 + 12, registers: Array(0...15))
    case (.riscv, _):
      // li a7, 139; ecall
      guard bytes == 0x0000_0073_08b0_0893 else { return nil }
      return SavedRegisters(offset: 304, registers: [32] + Array(1...31))
    case (.mips, _), (.power, _): return nil
    }
  }

  /// `li v0, number; syscall`. 32-bit programs have 64-bit registers there, too.
  private func savedByMIPS<Code: WalkedCode>(
    _ pc: UInt64, in code: inout Code
  ) throws -> SavedRegisters? {
    guard let first = try instructionWord(at: pc, in: &code), first >> 16 == 0x2402,
      try instructionWord(at: pc &+ 4, in: &code) == 0x0000_000c
    else { return nil }
    let registers = Array(0...31)
    switch first & 0xffff {
    // sigreturn, rt_sigreturn of 32-bit programs
    case 4119 where processor.wordSize == 4:
      return SavedRegisters(offset: 40, registers: registers, width: 8, programCounter: 32)
    case 4193 where processor.wordSize == 4:
      return SavedRegisters(offset: 192, registers: registers, width: 8, programCounter: 184)
    // rt_sigreturn of 64-bit programs
    case 5211 where processor.wordSize == 8:
      return SavedRegisters(offset: 192, registers: registers, width: 8, programCounter: 768)
    default: return nil
    }
  }

  /// `li r0, 172; sc`, after `addi r1, r1, 128` where the kernel's own code calls the handler.
  private func savedByPower<Code: WalkedCode>(
    _ pc: UInt64, in code: inout Code
  ) throws -> SavedRegisters? {
    guard processor.wordSize == 8, let first = try instructionWord(at: pc, in: &code) else {
      return nil
    }
    let start = first == 0x3821_0080 ? pc &+ 4 : pc
    guard try instructionWord(at: start, in: &code) == 0x3800_00ac,
      try instructionWord(at: start &+ 4, in: &code) == 0x4400_0002
    else { return nil }
    let registers =
      Array(0...31) + [processor.programCounter, -1, -1, -1, processor.linkRegister ?? -1]
    return SavedRegisters(offset: 352, registers: registers, isIndirect: true)
  }
}
