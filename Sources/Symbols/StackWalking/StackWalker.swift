internal import Bytes
public import CrashModel
public import Identifiers
internal import UnwindRules

/// Finds the calls on a stack from the registers of a thread and the memory of its stack.
///
/// Each caller is found by call-frame information, or otherwise by the interrupted instruction, the frame
/// pointer, or a search for a return address in the words above the stack pointer, in this order;
/// ``Frame/trust`` gives the method. Damage ends the stack: there is no error.
public struct StackWalker {
  let memory: ProcessMemory
  let processor: WalkedProcessor
  let keptRegisters: UInt64
  let addressMask: UInt64
  let isWindows64: Bool
  let isApple: Bool
  /// Whether the system is neither Apple's nor Windows.
  let isUnix: Bool

  /// The frames of a thread.
  public struct Stack: Sendable {
    /// The frames, youngest first, without functions; empty where the thread's registers are not sufficient.
    public var frames: [Frame] = []
    /// How many frames are omitted from the middle of a stack that is too long.
    public var omitted = 0
    /// Whether the walk ended because the budget was exhausted.
    public var isCut = false
  }

  /// - Parameters:
  ///   - os: Determines which registers functions preserve, and which one is the frame pointer.
  ///   - top: The highest address of an image, for pointers with signatures above it.
  /// - Returns: `nil` for an architecture whose stacks cannot be walked.
  public init?(
    _ memory: ProcessMemory, architecture: Architecture, os: String?, top: UInt64 = 0
  ) {
    let isApple = ["iOS", "iPadOS", "tvOS", "watchOS", "macOS", "visionOS"].contains(os ?? "")
    guard let processor = WalkedProcessor(architecture, isApple: isApple) else { return nil }
    self.memory = memory
    self.processor = processor
    self.isApple = isApple
    isUnix = !isApple && os != "Windows"
    isWindows64 = os == "Windows" && processor.wordSize == 8 && processor.linkRegister == nil
    // rsi and rdi.
    keptRegisters = processor.kept | (isWindows64 ? 1 << 4 | 1 << 5 : 0)
    addressMask = Self.mask(memory, processor, top)
  }

  /// Pointers of 64-bit Arm may be signed in the bits that no address uses. The lowest bit of a return
  /// address marks Thumb code on 32-bit Arm, and short instructions on MIPS.
  private static func mask(
    _ memory: ProcessMemory, _ processor: WalkedProcessor, _ top: UInt64
  ) -> UInt64 {
    if processor.instructions == .arm { return 0xffff_fffe }
    if processor.instructions == .mips { return .max - 1 }
    if let mask = memory.addressMask { return mask }
    guard processor.instructions == .arm64 else { return .max }
    let highest = max(1 << 47 - 1, top)
    return highest.leadingZeroBitCount == 0 ? .max : 1 << (64 - highest.leadingZeroBitCount) - 1
  }

  /// The frames of a thread.
  ///
  /// - Parameter hasRegisters: Whether frames get their known registers, except for the first, which has all.
  /// - Throws: The errors of `code`.
  public func walk<Code: WalkedCode>(
    _ registers: [Register], in code: inout Code, _ budget: inout WalkBudget,
    hasRegisters: Bool = false
  ) throws -> Stack {
    var stack = Stack()
    var walk = WalkedFrame(registers: WalkedRegisters(), trust: .context)
    var names: [(number: Int, name: String)] = []
    for register in registers {
      guard let number = processor.numbers[register.name] else { continue }
      walk.registers[number] = register.value
      if hasRegisters { names.append((number, register.name)) }
    }
    guard let start = walk.registers[processor.programCounter] else { return stack }
    var kept = KeptFrames(limit: max(1, budget.frames))
    kept.append(frame(start, walk))
    var next = walk
    let threadPointer = registers.first { $0.name == "fs_base" }?.value
    var hasGoroutine = false
    while true {
      guard kept.count < WalkLimits.frames, !budget.isSpent else {
        stack.isCut = true
        break
      }
      budget.steps -= 1
      var resumed: [UInt64] = []
      let goroutine =
        try hasGoroutine ? nil : goroutine(below: walk, threadPointer, in: &code, &budget)
      if let goroutine {
        hasGoroutine = true
        next = goroutine
      }
      guard try goroutine != nil || findCaller(of: walk, &next, in: &code, &budget, &resumed),
        let pc = next.registers[processor.programCounter]
      else {
        for pc in resumed {
          kept.append(Frame(address: Address(pc), position: .exact, trust: .asyncContext))
        }
        break
      }
      walk = next
      try mark(&walk, in: &code)
      var frame = frame(pc, walk)
      if kept.count < WalkLimits.framesWithRegisters {
        for (number, name) in names {
          if let value = walk.registers[number] { frame.registers.append(Register(name, value)) }
        }
      }
      kept.append(frame)
    }
    (stack.frames, stack.omitted) = kept.finished()
    budget.frames -= stack.frames.count
    return stack
  }

  private func frame(_ pc: UInt64, _ walk: WalkedFrame) -> Frame {
    Frame(address: Address(pc), position: walk.position, trust: walk.trust)
  }

  // MARK: One step

  /// - Parameters:
  ///   - next: The caller, if there is one.
  ///   - resumed: Where the functions that wait for this one continue: then it has no caller.
  private func findCaller<Code: WalkedCode>(
    of walk: WalkedFrame, _ next: inout WalkedFrame, in code: inout Code,
    _ budget: inout WalkBudget, _ resumed: inout [UInt64]
  ) throws -> Bool {
    guard let pc = walk.registers[processor.programCounter] else { return false }
    let found: (image: Int, offset: UInt64)? =
      if let call = walk.call { (call.image, UInt64(call.offset)) } else {
        try image(of: walk, pc, in: &code)
      }
    if let image = found?.image,
      let callers = try continuations(of: walk, pc, image, in: &code, &budget)
    {
      resumed = callers
      return false
    }
    switch try byRules(walk, pc, found, &next, in: &code, &budget) {
    case .found: return true
    case .end: return false
    case .unknown: break
    }
    if walk.isTrampoline, let caller = try bySignalFrame(walk, pc, in: &code, &budget) {
      next = caller
      return true
    }
    if walk.isAnywhere, let caller = try byInstruction(walk, pc, found != nil, in: &code) {
      next = caller
      return true
    }
    if let caller = try byPrologue(walk, pc, in: &code, &budget) {
      next = caller
      return true
    }
    if let caller = try byConfirmedScan(walk, found?.image, in: &code, &budget) {
      next = caller
      return true
    }
    switch try byFramePointer(walk, in: &code) {
    case .found(let caller):
      next = caller
      return true
    case .end: return false
    case .unknown: break
    }
    guard let caller = try byScan(walk, in: &code, &budget) else { return false }
    next = caller
    return true
  }

  private func image<Code: WalkedCode>(
    of walk: WalkedFrame, _ pc: UInt64, in code: inout Code
  ) throws -> (image: Int, offset: UInt64)? {
    try code.image(at: walk.position.lookUp(Address(pc)))
  }

  /// A caller, if the walk can continue with it.
  func checked(_ next: WalkedFrame, after walk: WalkedFrame) -> WalkedFrame? {
    isCaller(next, of: walk) ? next : nil
  }

  /// Whether the walk can continue with a caller: up the stack, to an address that can be code.
  func isCaller(_ next: WalkedFrame, of walk: WalkedFrame) -> Bool {
    guard let pc = next.registers[processor.programCounter], pc >= 4096,
      processor.isCanonical(pc), next.isInterrupted || mayExecute(pc),
      let sp = next.registers[processor.stackPointer]
    else { return false }
    guard let old = walk.registers[processor.stackPointer] else { return true }
    // A function that saves nothing on the stack leaves it unchanged, once.
    let isLeaf =
      sp == old && processor.linkRegister != nil && walk.isAnywhere
      && pc != walk.registers[processor.programCounter]
    // A signal handler may have a stack of its own.
    return sp > old || isLeaf || next.isInterrupted
  }

  /// Whether a call can return to an address, judged by the mappings of the process's memory: interrupted
  /// code may be anywhere, but nothing returns to memory that cannot be executed.
  func mayExecute(_ pc: UInt64) -> Bool {
    guard !memory.mappings.isEmpty else { return true }
    return memory.mapping(at: pc &- 1)?.protection.contains(.execute) ?? true
  }

  /// Truncates an address to the size of the program's addresses.
  @inline(__always)
  func wrapped(_ address: UInt64) -> UInt64 {
    processor.wordSize == 4 ? address & 0xffff_ffff : address
  }

  @inline(__always)
  func stripped(_ address: UInt64) -> UInt64 { address & addressMask }

  /// Whether an address can be one that a call returns to: in a function, after a call where the code is
  /// available.
  func isReturnAddress<Code: WalkedCode>(_ pc: UInt64, in code: inout Code) throws -> Bool {
    guard pc >= 4096, processor.isCanonical(pc), pc & processor.instructions.alignment == 0,
      mayExecute(pc), try code.isCode(CodePosition.returnAddress.lookUp(Address(pc)))
    else { return false }
    return try isAfterCall(pc, in: &code) ?? true
  }

  /// The bytes of code at an address, as a little-endian number.
  func instructionBytes<Code: WalkedCode>(
    at address: UInt64, count: Int, in code: inout Code
  ) throws -> UInt64? {
    guard memory.endianness == .little else { return nil }
    if let bytes = memory.number(at: address, size: count) { return bytes }
    return try code.code(at: Address(address), count: count)
  }

  /// An instruction of four bytes in the byte order of the memory.
  func instructionWord<Code: WalkedCode>(
    at address: UInt64, in code: inout Code
  ) throws -> UInt32? {
    if let word = memory.number(at: address, size: 4) { return UInt32(truncatingIfNeeded: word) }
    let word = try code.code(at: Address(address), count: 4).map(UInt32.init(truncatingIfNeeded:))
    return memory.endianness == .little ? word : word?.byteSwapped
  }
}

/// The retained frames of a stack: the youngest, and the oldest of those after them.
private struct KeptFrames {
  private var youngest: [Frame] = []
  /// A ring.
  private var oldest: [Frame] = []
  private let limit: Int
  private(set) var count = 0

  init(limit: Int) { self.limit = limit }

  mutating func append(_ frame: Frame) {
    let room = min(limit, WalkLimits.youngestFrames)
    if youngest.count < room {
      youngest.append(frame)
    } else if oldest.count < min(limit - room, WalkLimits.oldestFrames) {
      oldest.append(frame)
    } else if !oldest.isEmpty {
      oldest[(count - youngest.count) % oldest.count] = frame
    }
    count += 1
  }

  func finished() -> (frames: [Frame], omitted: Int) {
    guard !oldest.isEmpty else { return (youngest, count - youngest.count) }
    let start = (count - youngest.count) % oldest.count
    return (
      youngest + oldest[start...] + oldest[..<start], count - youngest.count - oldest.count
    )
  }
}
