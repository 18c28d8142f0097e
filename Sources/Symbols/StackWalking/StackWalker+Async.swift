internal import CrashModel
internal import Identifiers

/// The functions of Swift that wait for the one at hand. They are not on the stack: each has a context in
/// memory, which says where it goes on.
///
///     OFFSET  SIZE  FIELD
///          0     8  context of the caller
///          8     8  where the caller goes on
///
/// A function that can wait keeps its context below the frame pointer that it saves, else in a register. On
/// Apple's systems it marks that frame pointer.
///
/// Sources: Swift, `docs/ABI/CallingConvention.rst`, `include/swift/ABI/Task.h` (`AsyncContext`) and
/// `stdlib/public/RuntimeModule/FramePointerUnwinder.swift`; LLVM, `X86FrameLowering.cpp` and
/// `AArch64FrameLowering.cpp`, "Swift async context".
extension StackWalker {
  /// Where the callers of an asynchronous function go on, the nearest first; `nil` for other functions, and
  /// where the contexts are damaged.
  func continuations<Code: WalkedCode>(
    of walk: WalkedFrame, _ pc: UInt64, _ image: Int, in code: inout Code,
    _ budget: inout WalkBudget
  ) throws -> [UInt64]? {
    // On other systems the names of functions are needed.
    guard try isApple || code.isSwift(image) else { return nil }
    let start: UInt64?
    var context: UInt64
    if let marked = markedContext(of: walk) {
      context = marked
      start = nil
    } else {
      start = try code.functionStart(at: walk.position.lookUp(Address(pc)))?.value
      guard let start, let found = try self.context(of: walk, pc, start, in: &code) else {
        return nil
      }
      context = found
    }
    // Until a function has taken its own context it has that of the function that returned to it.
    if let start, resumption(of: context) == start {
      guard let own = memory.word(at: context) else { return nil }
      context = stripped(own)
    }
    var resumed: [UInt64] = []
    var seen: Set<UInt64> = []
    while context != 0, resumed.count < WalkLimits.continuations, seen.insert(context).inserted {
      budget.steps -= 1
      guard budget.steps > 0, let next = memory.word(at: context), let pc = resumption(of: context),
        pc != 0
      else { break }
      guard try isFunctionStart(pc, in: &code) else { break }
      resumed.append(pc)
      context = stripped(next)
    }
    return resumed.isEmpty ? nil : resumed
  }

  private func resumption(of context: UInt64) -> UInt64? {
    memory.word(at: context &+ UInt64(processor.wordSize)).map(stripped)
  }

  /// Whether a function begins at an address, as far as functions are known.
  private func isFunctionStart<Code: WalkedCode>(
    _ pc: UInt64, in code: inout Code
  ) throws -> Bool {
    guard processor.isCanonical(pc), try code.isCode(Address(pc)),
      memory.mapping(at: pc)?.protection.contains(.execute) ?? true
    else { return false }
    return try code.functionStart(at: Address(pc)).map { $0.value == pc } ?? true
  }

  /// The context of a function that has marked the frame pointer that it saved.
  private func markedContext(of walk: WalkedFrame) -> UInt64? {
    guard processor.wordSize == 8, let fp = walk.registers[processor.framePointer],
      let saved = memory.word(at: fp), saved & Self.frameMark != 0,
      memory.region(at: stripped(saved & ~Self.frameMark)) != nil
    else { return nil }
    return memory.word(at: fp &- 8).map(stripped)
  }

  private func context<Code: WalkedCode>(
    of walk: WalkedFrame, _ pc: UInt64, _ start: UInt64, in code: inout Code
  ) throws -> UInt64? {
    guard processor.wordSize == 8 else { return nil }
    let inRegister: Int
    switch processor.instructions {
    case .x86: inRegister = 14
    case .arm64: inRegister = 22
    default: return nil
    }
    if let size = try contextPrologue(at: start, in: &code) {
      if pc &- start < size { return walk.registers[inRegister].map(stripped) }
      let fp = walk.registers[processor.framePointer]
      return fp.flatMap { memory.word(at: $0 &- 8) }.map(stripped)
    }
    // A function without such a frame has its context where the caller left it.
    guard try code.isResumption(at: Address(start)) else { return nil }
    return walk.registers[inRegister].map(stripped)
  }

  /// The bit of a saved frame pointer that marks the frames of asynchronous functions.
  static let frameMark: UInt64 = 1 << 60

  /// The bytes of a prologue that saves a context; `nil` for any other.
  private func contextPrologue<Code: WalkedCode>(
    at start: UInt64, in code: inout Code
  ) throws -> UInt64? {
    if processor.instructions == .x86 {
      // bts rbp, 60, where frames are marked
      let marks = try instructionBytes(at: start, count: 5, in: &code) == 0x3c_edba_0f48
      let size: UInt64 = marks ? 5 : 0
      // push rbp; push r14; lea rbp, [rsp + 8]
      let bytes = try instructionBytes(at: start &+ size, count: 8, in: &code)
      return bytes == 0x0824_6c8d_4856_4155 ? size + 8 : nil
    }
    var saved: UInt64?
    for address in stride(from: start, to: start &+ 64, by: 4) {
      guard let word = try instructionBytes(at: address, count: 4, in: &code) else { return nil }
      // stp x29, x30, [sp, n]
      if word & 0xffc0_7fff == 0xa900_7bfd { saved = word >> 15 & 0x7f }
      // str x22, [sp, n - 8]
      if word & 0xffc0_03ff == 0xf900_03f6, let saved, saved == (word >> 10 & 0xfff) + 1 {
        return address &+ 8 &- start
      }
    }
    return nil
  }
}
