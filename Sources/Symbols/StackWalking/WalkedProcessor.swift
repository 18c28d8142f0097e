internal import Identifiers

/// The properties of an architecture that a walker needs: its registers by their DWARF numbers, and those
/// that a call preserves.
///
/// Sources: the supplements of the System V ABI; "Procedure Call Standard for the Arm 64-bit Architecture",
/// section 6.1; "iOS ABI Function Call Guide" for Apple's frame pointer; "x64 calling convention" of
/// Microsoft for the registers that Windows preserves in addition; "64-Bit ELF V2 ABI Specification" for
/// Power, section 2.2.
struct WalkedProcessor: Sendable {
  /// The names that formats use for the registers, by number.
  let numbers: [String: Int]
  let programCounter: Int
  let stackPointer: Int
  let framePointer: Int
  /// The register with the return address after a call; `nil` where that is on the stack.
  let linkRegister: Int?
  /// A bit for each register that a function preserves for its caller.
  let kept: UInt64
  /// In bytes.
  let wordSize: Int
  let frameChain: FrameChain
  let instructions: InstructionSet
  /// The numbers of the link register in unwind rules, where these are too high for ``linkRegister``.
  var linkNumbers: [UInt16] = []

  /// Where a function with a frame pointer saves the caller's, and the return address.
  enum FrameChain {
    /// At the frame pointer, the return address after it.
    case above
    /// Below the frame pointer, the return address between them.
    case below
    /// Nowhere: the stack pointer points at the caller's, and the return address is in the caller's frame.
    case backChain
    /// Compilers differ.
    case none
  }

  enum InstructionSet {
    case x86, arm64, arm, riscv, mips, power

    /// The bits that are zeros in the address of an instruction.
    var alignment: UInt64 {
      switch self {
      case .x86: 0
      case .arm, .riscv, .mips: 1
      case .arm64, .power: 3
      }
    }
  }

  init?(_ architecture: Architecture, isApple: Bool = false) {
    switch architecture {
    case .x86_64, .x86_64h:
      var names = Self.numbered("rax rdx rcx rbx rsi rdi rbp rsp", from: 0)
      for number in 8...15 { names["r\(number)"] = number }
      names["rip"] = 16
      self.init(
        names, programCounter: 16, stackPointer: 7, framePointer: 6, link: nil,
        kept: [3, 6, 12, 13, 14, 15], wordSize: 8, .above, .x86)
    case .i386:
      self.init(
        Self.numbered("eax ecx edx ebx esp ebp esi edi eip", from: 0), programCounter: 8,
        stackPointer: 4, framePointer: 5, link: nil, kept: [3, 5, 6, 7], wordSize: 4, .above, .x86)
    case .arm64, .arm64e:
      var names: [String: Int] = ["fp": 29, "lr": 30, "sp": 31, "pc": 32]
      for number in 0...30 { names["x\(number)"] = number }
      self.init(
        names, programCounter: 32, stackPointer: 31, framePointer: 29, link: 30,
        kept: Array(19...29), wordSize: 8, .above, .arm64)
    case .arm, .armv6, .armv7, .armv7s, .armv7k:
      var names: [String: Int] = ["fp": 11, "ip": 12, "sp": 13, "lr": 14, "pc": 15]
      for number in 0...15 { names["r\(number)"] = number }
      // Apple's frame pointer is r7; elsewhere that depends on the compiler and on Thumb.
      self.init(
        names, programCounter: 15, stackPointer: 13, framePointer: isApple ? 7 : 11, link: 14,
        kept: Array(4...11), wordSize: 4, isApple ? .above : .none, .arm)
    case .riscv64:
      var names = Self.numbered(
        "zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7", from: 0)
      for number in 2...11 { names["s\(number)"] = number + 16 }
      for number in 3...6 { names["t\(number)"] = number + 25 }
      for number in 0...31 { names["x\(number)"] = number }
      names["fp"] = 8
      names["pc"] = 32
      self.init(
        names, programCounter: 32, stackPointer: 2, framePointer: 8, link: 1,
        kept: [3, 4, 8, 9] + Array(18...27), wordSize: 8, .below, .riscv)
    case .mips, .mips64:
      var names = Self.numbered(
        "zero at v0 v1 a0 a1 a2 a3 t0 t1 t2 t3 t4 t5 t6 t7 s0 s1 s2 s3 s4 s5 s6 s7 t8 t9 k0 k1 gp sp fp ra",
        from: 0)
      for number in 0...31 { names["r\(number)"] = number }
      // It has no number; that of a register that no function preserves is free.
      names["pc"] = Self.freeNumber
      self.init(
        names, programCounter: Self.freeNumber, stackPointer: 29, framePointer: 30, link: 31,
        kept: Array(16...23) + [28, 30], wordSize: architecture == .mips ? 4 : 8, .none, .mips)
    case .ppc, .ppc64, .ppc64le:
      var names: [String: Int] = [
        "pc": Self.freeNumber, "srr0": Self.freeNumber, "lr": Self.freeNumber + 1,
      ]
      for number in 0...31 { names["r\(number)"] = number }
      self.init(
        names, programCounter: Self.freeNumber, stackPointer: 1, framePointer: 31,
        link: Self.freeNumber + 1, kept: [2, 13] + Array(14...31),
        wordSize: architecture == .ppc ? 4 : 8, .backChain, .power)
      // The number in .eh_frame, and the one of older compilers in .debug_frame.
      linkNumbers = [65, 108]
    default: return nil
    }
  }

  /// One of the last two numbers of ``WalkedRegisters``: on MIPS and Power floating-point registers that no
  /// function preserves.
  private static let freeNumber = 32

  /// The register of a number in unwind rules.
  @inline(__always)
  func register(_ number: UInt16) -> Int {
    if number > 40, let linkRegister, linkNumbers.contains(number) { return linkRegister }
    return Int(number)
  }

  private init(
    _ numbers: [String: Int], programCounter: Int, stackPointer: Int, framePointer: Int,
    link: Int?, kept: [Int], wordSize: Int, _ frameChain: FrameChain,
    _ instructions: InstructionSet
  ) {
    self.numbers = numbers
    self.programCounter = programCounter
    self.stackPointer = stackPointer
    self.framePointer = framePointer
    linkRegister = link
    self.kept = kept.reduce(0) { $0 | 1 << UInt64($1) }
    self.wordSize = wordSize
    self.frameChain = frameChain
    self.instructions = instructions
  }

  private static func numbered(_ names: String, from first: Int) -> [String: Int] {
    Dictionary(
      names.split(separator: " ").enumerated().map { (String($0.element), first + $0.offset) },
      uniquingKeysWith: { one, _ in one })
  }

  /// Whether an address can be code or memory of a program: 48 bits with sign extension on Intel's
  /// processors, 52 bits on Arm's.
  func isCanonical(_ address: UInt64) -> Bool {
    guard wordSize == 8 else { return address <= 0xffff_ffff }
    if linkRegister == 30, address < 1 << 52 { return true }
    return address <= 0x7fff_ffff_ffff || address >= 0xffff_8000_0000_0000
  }
}
