internal import CrashModel
internal import Identifiers

/// The goroutine that a thread of a Go program ran before Go's runtime went over to a stack of its own.
///
/// The runtime does much on the stack of the thread (`g0`): it throws there, lets stacks grow, and calls C. What is
/// below on that stack is how the thread began. The calls that led there are on the goroutine's stack, and the
/// goroutine's record has kept where.
extension StackWalker {
  /// Functions of Go's runtime that go over from a goroutine's stack to the thread's.
  private static let switches: Set<String> = [
    "runtime.systemstack", "runtime.mcall", "runtime.morestack", "runtime.asmcgocall",
  ]
  /// The function that ends a program all of whose goroutines wait, on whatever thread ran last.
  private static let deadlock = "runtime.checkdead"

  /// Where the goroutine goes on, or called the runtime, of which a frame on the thread's stack is the last; `nil`
  /// at any other frame. Of a deadlock that is the program's first goroutine, as Go's own traces have it.
  ///
  /// - Parameter threadPointer: The base of the thread's variables on x86-64.
  func goroutine<Code: WalkedCode>(
    below walk: WalkedFrame, _ threadPointer: UInt64?, in code: inout Code,
    _ budget: inout WalkBudget
  ) throws -> WalkedFrame? {
    guard isUnix || isApple, let register = Goroutine.register(processor),
      let pc = walk.registers[processor.programCounter]
    else { return nil }
    let address = walk.position.lookUp(Address(pc))
    guard let function = try code.functionOfGo(at: address) else { return nil }
    let goroutine: Goroutine?
    if function == Self.deadlock {
      goroutine = try code.variable("runtime.allgs", ofImageAt: address)
        .flatMap { memory.word(at: $0.value) }.flatMap { memory.word(at: $0) }
        .flatMap { Goroutine(at: $0, memory) }
    } else if Self.switches.contains(function) {
      let own = [walk.registers[register], threadPointer.flatMap { memory.word(at: $0 &- 8) }]
      budget.steps -= GoroutineLayout.machineWords
      goroutine =
        own.lazy.compactMap { $0 }.compactMap { Goroutine(runningBeside: $0, memory) }
        .first
    } else {
      goroutine = nil
    }
    guard let goroutine, processor.isCanonical(goroutine.programCounter),
      mayExecute(goroutine.programCounter),
      walk.registers[processor.stackPointer].map(goroutine.stack.contains) != true
    else { return nil }
    var next = WalkedFrame(registers: WalkedRegisters(), trust: .callFrameInformation)
    next.registers[processor.programCounter] = goroutine.programCounter
    next.registers[processor.stackPointer] = goroutine.stackPointer
    next.registers[processor.framePointer] = goroutine.framePointer
    next.registers[register] = goroutine.address
    return next
  }
}

/// How far the records of Go's runtime are looked through, in words.
private enum GoroutineLayout {
  /// Up to the goroutine's own address.
  static let words: UInt64 = 16
  /// Up to the goroutine that a thread runs.
  static let machineWords = 64
  /// Bytes of the largest stack; Go's limit is 1 GB.
  static let stackSize: UInt64 = 1 << 31
}

/// A goroutine that does not run: the record `g` of Go's runtime.
///
///     FIELD
///     stack.lo, stack.hi   the bounds of the stack, the first two words
///     m                    the record of the thread, after some words
///     sched.sp, sched.pc   where it goes on
///     sched.g              the record's own address
///     sched.ctxt, ret, lr, bp   the frame pointer; `ret` is missing in newer releases
///
/// Releases differ in what is between these, so the record is recognised by its own address, which follows a
/// stack pointer inside the bounds. The record `m` begins with the thread's `g0`; `curg`, some words later, is the
/// goroutine that it runs, whose `m` it is. The runtime clears the stack pointer of a goroutine that runs again.
///
/// Source: Go, `src/runtime/runtime2.go` (`g`, `gobuf`, `m`) and `asm_amd64.s` (`gosave_systemstack_switch`, `gogo`).
private struct Goroutine {
  let address: UInt64
  let stack: Range<UInt64>
  let stackPointer: UInt64
  let programCounter: UInt64
  let framePointer: UInt64?

  /// The register in which Go's code has the running goroutine.
  static func register(_ processor: WalkedProcessor) -> Int? {
    guard processor.wordSize == 8 else { return nil }
    switch processor.instructions {
    case .x86: return 14
    case .arm64: return 28
    default: return nil
    }
  }

  init?(at address: UInt64, _ memory: ProcessMemory) {
    guard let stack = Self.stack(at: address, memory) else { return nil }
    for index in 4..<GoroutineLayout.words {
      guard memory.word(at: address &+ index &* 8) == address,
        let sp = memory.word(at: address &+ (index - 2) &* 8), stack.contains(sp),
        let pc = memory.word(at: address &+ (index - 1) &* 8), pc >= 4096
      else { continue }
      self.address = address
      self.stack = stack
      stackPointer = sp
      programCounter = pc
      framePointer = [4, 3].lazy.compactMap { memory.word(at: address &+ (index + $0) &* 8) }
        .first { (sp..<stack.upperBound).contains($0) }
      return
    }
    return nil
  }

  /// The goroutine that a thread runs one of whose own records, `g0` or `gsignal`, is at an address.
  init?(runningBeside own: UInt64, _ memory: ProcessMemory) {
    guard Self.stack(at: own, memory) != nil else { return nil }
    for index in 4..<GoroutineLayout.words {
      guard let machine = memory.word(at: own &+ index &* 8), machine != own,
        let first = memory.word(at: machine), Goroutine(at: first, memory) != nil,
        Self.belongs(first, to: machine, memory)
      else { continue }
      for index in 1..<UInt64(GoroutineLayout.machineWords) {
        guard let address = memory.word(at: machine &+ index &* 8), address != first,
          let goroutine = Goroutine(at: address, memory),
          Self.belongs(address, to: machine, memory)
        else { continue }
        self = goroutine
        return
      }
      return nil
    }
    return nil
  }

  private static func stack(at address: UInt64, _ memory: ProcessMemory) -> Range<UInt64>? {
    guard address & 7 == 0, let low = memory.word(at: address),
      let high = memory.word(at: address &+ 8),
      low > 0, low < high, high - low <= GoroutineLayout.stackSize
    else { return nil }
    return low..<high
  }

  private static func belongs(
    _ address: UInt64, to machine: UInt64, _ memory: ProcessMemory
  ) -> Bool {
    (4..<GoroutineLayout.words).contains { memory.word(at: address &+ $0 &* 8) == machine }
  }
}
