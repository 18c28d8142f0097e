public import CrashModel
public import UnwindRules

/// Finds the calls on a stack by the registers of a thread and the memory of its stack.
///
/// Each caller is found by call-frame information, else by the frame pointer, else by looking for a return
/// address in the words above the stack pointer; ``Frame/trust`` says which. Damage ends the stack: there is
/// no error.
public struct StackWalker {
  private let memory: ProcessMemory
  private let processor: WalkedProcessor
  private let keptRegisters: UInt64
  private let addressMask: UInt64

  /// - Parameters:
  ///   - isWindows: Whether functions keep the registers that Windows asks for.
  ///   - top: The highest address of an image, for pointers that are signed above it.
  /// - Returns: `nil` for an architecture whose stacks cannot be walked.
  public init?(
    _ memory: ProcessMemory, architecture: Architecture, isWindows: Bool, top: UInt64 = 0
  ) {
    guard let processor = WalkedProcessor(architecture) else { return nil }
    self.memory = memory
    self.processor = processor
    // rsi and rdi.
    let isWindows64 = isWindows && processor.wordSize == 8 && processor.linkRegister == nil
    keptRegisters = processor.kept | (isWindows64 ? 1 << 4 | 1 << 5 : 0)
    addressMask = Self.mask(memory, processor, top)
  }

  /// Pointers of 64-bit Arm may be signed in the bits that no address has.
  private static func mask(
    _ memory: ProcessMemory, _ processor: WalkedProcessor, _ top: UInt64
  ) -> UInt64 {
    if let mask = memory.addressMask { return mask }
    guard processor.wordSize == 8, processor.linkRegister == 30 else { return .max }
    let highest = max(1 << 47 - 1, top)
    return highest.leadingZeroBitCount == 0 ? .max : 1 << (64 - highest.leadingZeroBitCount) - 1
  }

  /// The frames of a thread, the youngest first, without functions; empty where its registers say
  /// nothing.
  ///
  /// - Throws: What `code` throws.
  public func walk<Code: WalkedCode>(
    _ registers: [Register], in code: inout Code
  ) throws -> [Frame] {
    var walk = Walk(registers: WalkedRegisters(), trust: .context)
    for register in registers {
      if let number = processor.numbers[register.name] { walk.registers[number] = register.value }
    }
    guard let start = walk.registers[processor.programCounter] else { return [] }
    var frames = [frame(start, walk)]
    while frames.count < WalkLimits.frames {
      guard let next = try caller(of: walk, in: &code),
        let pc = next.registers[processor.programCounter]
      else { break }
      walk = next
      frames.append(frame(pc, next))
    }
    return frames
  }

  private func frame(_ pc: UInt64, _ walk: Walk) -> Frame {
    Frame(
      address: Address(pc), position: walk.isExact ? .exact : .returnAddress, trust: walk.trust)
  }

  /// A frame while its caller is looked for.
  private struct Walk {
    var registers: WalkedRegisters
    var trust: FrameTrust
    /// Whether the program counter is an instruction itself: of the youngest frame, and of one that a
    /// signal interrupted.
    var isInterrupted = false
    var isExact: Bool { trust == .context || isInterrupted }
    /// Bytes of arguments that this frame takes off its caller's stack.
    var parameterBytes: UInt64 = 0
  }

  private func caller<Code: WalkedCode>(of walk: Walk, in code: inout Code) throws -> Walk? {
    guard let pc = walk.registers[processor.programCounter] else { return nil }
    let position: CodePosition = walk.isExact ? .exact : .returnAddress
    let place = try code.place(of: position.lookUp(Address(pc)))
    var end = false
    if let place, let rules = try code.rules(of: place.image),
      let next = byRules(walk, rules, at: place.offset, base: pc &- place.offset, ends: &end)
    {
      if let next = checked(next, after: walk) { return next }
    }
    if end { return nil }
    if let next = try byFramePointer(walk, in: &code, ends: &end),
      let next = checked(next, after: walk)
    {
      return next
    }
    return end ? nil : try byScan(walk, in: &code)
  }

  /// Takes a caller only where the walk goes on by it: up the stack, to an address that can be code.
  private func checked(_ next: Walk, after walk: Walk) -> Walk? {
    guard let pc = next.registers[processor.programCounter], pc >= 4096,
      processor.isCanonical(pc), let sp = next.registers[processor.stackPointer]
    else { return nil }
    guard let old = walk.registers[processor.stackPointer] else { return next }
    // A function that keeps nothing on the stack leaves it as it was, once.
    let isLeaf =
      sp == old && processor.linkRegister != nil && walk.isExact
      && pc != walk.registers[processor.programCounter]
    // A signal handler may have a stack of its own.
    return sp > old || isLeaf || next.isInterrupted ? next : nil
  }

  // MARK: Rules

  /// - Parameters:
  ///   - offset: Of the instruction from the image's start.
  ///   - ends: Whether the rules say that there is no caller.
  private func byRules(
    _ walk: Walk, _ rules: UnwindRules, at offset: UInt64, base: UInt64, ends: inout Bool
  ) -> Walk? {
    guard let offset = UInt32(exactly: offset), let row = rules.lookUp(offset) else { return nil }
    let machine = ExpressionMachine(
      memory: memory, registers: walk.registers, slide: base &- rules.imageBase,
      calleeParameterBytes: walk.parameterBytes)
    let cfa: UInt64?
    switch row.cfa {
    case .unknown: return nil
    case .register(let number, let offset):
      cfa = walk.registers[Int(number)].map { $0 &+ UInt64(bitPattern: Int64(offset)) }
    case .expression(let expression):
      cfa = machine.value(of: expression, in: rules, startingWith: nil)
    }
    guard let cfa = cfa.map(wrapped) else { return nil }
    var next = Walk(
      registers: walk.registers.keeping(keptRegisters), trust: .callFrameInformation)
    next.parameterBytes = UInt64(rules.parameterBytes(of: row) ?? 0)
    next.isInterrupted = row.flags.contains(.signalFrame)
    next.registers[processor.stackPointer] = cfa
    for index in 0..<row.ruleCount {
      let (register, rule) = rules.rule(index, of: row)
      next.registers[Int(register)] = value(of: Int(register), by: rule, cfa, walk, machine, rules)
    }
    let number = Int(row.returnAddressRegister)
    let rule = rules.rule(for: row.returnAddressRegister, of: row)
    if rule == .undefined {
      ends = true
      return nil
    }
    let saved = rule == nil ? walk.registers[number] : next.registers[number]
    guard let address = saved.map(stripped) else { return nil }
    if address == 0 { ends = true }
    next.registers[processor.programCounter] = address
    if let link = processor.linkRegister, link != number { next.registers[link] = nil }
    return next
  }

  private func value(
    of register: Int, by rule: UnwindRow.Rule, _ cfa: UInt64, _ walk: Walk,
    _ machine: ExpressionMachine, _ rules: UnwindRules
  ) -> UInt64? {
    switch rule {
    case .undefined: return nil
    case .sameValue: return walk.registers[register]
    case .offset(let offset):
      return memory.word(at: wrapped(cfa &+ UInt64(bitPattern: Int64(offset))))
    case .valueOffset(let offset): return wrapped(cfa &+ UInt64(bitPattern: Int64(offset)))
    case .register(let other): return walk.registers[Int(other)]
    case .expression(let expression):
      return machine.value(of: expression, in: rules, startingWith: cfa).flatMap {
        memory.word(at: $0)
      }
    case .valueExpression(let expression):
      return machine.value(of: expression, in: rules, startingWith: cfa)
    }
  }

  /// Addresses have the size of the program's.
  private func wrapped(_ address: UInt64) -> UInt64 {
    processor.wordSize == 4 ? address & 0xffff_ffff : address
  }

  private func stripped(_ address: UInt64) -> UInt64 { address & addressMask }

  // MARK: Frame pointers

  /// The frame pointer points at the one that was saved, with the return address after it.
  ///
  /// - Parameter ends: Whether the chain has come to its end.
  private func byFramePointer<Code: WalkedCode>(
    _ walk: Walk, in code: inout Code, ends: inout Bool
  ) throws -> Walk? {
    guard processor.hasFrameChain, let fp = walk.registers[processor.framePointer], fp != 0,
      let sp = walk.registers[processor.stackPointer], fp >= sp,
      fp &- sp < WalkLimits.frameSize << 4
    else { return nil }
    let size = UInt64(processor.wordSize)
    guard let saved = memory.word(at: fp), let address = memory.word(at: wrapped(fp &+ size)) else {
      return nil
    }
    let caller = stripped(saved)
    let pc = stripped(address)
    if pc == 0, caller == 0 {
      ends = true
      return nil
    }
    // The chain leads up the stack. A program's first function may have anything in the register, but then
    // its caller is known code.
    let isChain = caller > fp && memory.region(at: caller) != nil
    guard try isChain || code.isCode(CodePosition.returnAddress.lookUp(Address(pc))) else {
      return nil
    }
    var next = Walk(registers: walk.registers.keeping(0), trust: .framePointer)
    next.registers[processor.programCounter] = pc
    next.registers[processor.framePointer] = caller
    next.registers[processor.stackPointer] = wrapped(fp &+ size &* 2)
    return next
  }

  // MARK: Scanning

  /// The first word above the stack pointer that can be a return address.
  private func byScan<Code: WalkedCode>(_ walk: Walk, in code: inout Code) throws -> Walk? {
    guard let sp = walk.registers[processor.stackPointer] else { return nil }
    let isSure = walk.trust == .context || walk.trust == .callFrameInformation
    let words = isSure ? WalkLimits.scannedWordsAfterSureFrame : WalkLimits.scannedWords
    let size = UInt64(processor.wordSize)
    for index in 0..<UInt64(words) {
      let address = wrapped(sp &+ index &* size)
      guard let word = memory.word(at: address) else { return nil }
      let pc = stripped(word)
      guard pc >= 4096, processor.isCanonical(pc),
        try code.isCode(CodePosition.returnAddress.lookUp(Address(pc)))
      else { continue }
      var next = Walk(registers: walk.registers.keeping(0), trust: .scan)
      next.registers[processor.programCounter] = pc
      next.registers[processor.stackPointer] = wrapped(address &+ size)
      if index > 0, processor.linkRegister == nil {
        next.registers[processor.framePointer] = framePointer(below: address, walk)
      }
      return next
    }
    return nil
  }

  /// The frame pointer that a function saved below its return address, or that it left alone.
  private func framePointer(below address: UInt64, _ walk: Walk) -> UInt64? {
    let size = UInt64(processor.wordSize)
    let place = address &- size
    if let saved = memory.word(at: place), saved > place,
      saved &- place <= WalkLimits.frameSize, memory.region(at: saved) != nil
    {
      return saved
    }
    guard let own = walk.registers[processor.framePointer], own >= address &+ size,
      memory.region(at: own) != nil
    else { return nil }
    return own
  }
}

/// The code of a process, as a walk needs it.
public protocol WalkedCode {
  /// The image that holds an address, and how far the address is from its start.
  mutating func place(of address: Address) throws -> (image: Int, offset: UInt64)?
  /// How the callers of the functions of an image are found; `nil` where nobody knows.
  mutating func rules(of image: Int) throws -> UnwindRules?
  /// Whether a function is at an address, as far as is known.
  mutating func isCode(_ address: Address) throws -> Bool
}
