internal import CrashModel

/// What a walker knows of an architecture: its registers by their DWARF numbers, and what a call leaves
/// alone.
///
/// Sources: the supplements of the System V ABI; "Procedure Call Standard for the Arm 64-bit Architecture",
/// section 6.1; "x64 calling convention" of Microsoft for the registers that Windows keeps besides.
struct WalkedProcessor: Sendable {
  /// The names under which formats give the registers, by number.
  let numbers: [String: Int]
  let programCounter: Int
  let stackPointer: Int
  let framePointer: Int
  /// Where a call leaves the return address; `nil` where that is on the stack.
  let linkRegister: Int?
  /// A bit for each register that a function keeps for its caller.
  let kept: UInt64
  /// In bytes.
  let wordSize: Int
  /// Where the frame pointer points at the saved one, with the return address after it.
  let hasFrameChain: Bool

  init?(_ architecture: Architecture) {
    switch architecture {
    case .x86_64, .x86_64h:
      var names = Self.numbered("rax rdx rcx rbx rsi rdi rbp rsp", from: 0)
      for number in 8...15 { names["r\(number)"] = number }
      names["rip"] = 16
      self.init(
        names, programCounter: 16, stackPointer: 7, framePointer: 6, link: nil,
        kept: [3, 6, 12, 13, 14, 15], wordSize: 8)
    case .i386:
      self.init(
        Self.numbered("eax ecx edx ebx esp ebp esi edi eip", from: 0), programCounter: 8,
        stackPointer: 4, framePointer: 5, link: nil, kept: [3, 5, 6, 7], wordSize: 4)
    case .arm64, .arm64e:
      var names: [String: Int] = ["fp": 29, "lr": 30, "sp": 31, "pc": 32]
      for number in 0...30 { names["x\(number)"] = number }
      self.init(
        names, programCounter: 32, stackPointer: 31, framePointer: 29, link: 30,
        kept: Array(19...29), wordSize: 8)
    case .arm, .armv6, .armv7, .armv7s, .armv7k:
      var names: [String: Int] = ["fp": 11, "ip": 12, "sp": 13, "lr": 14, "pc": 15]
      for number in 0...15 { names["r\(number)"] = number }
      self.init(
        names, programCounter: 15, stackPointer: 13, framePointer: 11, link: 14,
        kept: Array(4...11), wordSize: 4, hasFrameChain: false)
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
        kept: [3, 4, 8, 9] + Array(18...27), wordSize: 8, hasFrameChain: false)
    default: return nil
    }
  }

  private init(
    _ numbers: [String: Int], programCounter: Int, stackPointer: Int, framePointer: Int,
    link: Int?, kept: [Int], wordSize: Int, hasFrameChain: Bool = true
  ) {
    self.numbers = numbers
    self.programCounter = programCounter
    self.stackPointer = stackPointer
    self.framePointer = framePointer
    linkRegister = link
    self.kept = kept.reduce(0) { $0 | 1 << UInt64($1) }
    self.wordSize = wordSize
    self.hasFrameChain = hasFrameChain
  }

  private static func numbered(_ names: String, from first: Int) -> [String: Int] {
    Dictionary(
      names.split(separator: " ").enumerated().map { (String($0.element), first + $0.offset) },
      uniquingKeysWith: { one, _ in one })
  }

  /// Whether a program may have code or memory there: 48 bits and their sign on Intel's processors.
  func isCanonical(_ address: UInt64) -> Bool {
    guard wordSize == 8 else { return address <= 0xffff_ffff }
    return address <= 0x7fff_ffff_ffff || address >= 0xffff_8000_0000_0000
  }
}

/// The registers of a frame, by their DWARF numbers below 64; any of them may be unknown.
struct WalkedRegisters {
  private var values: InlineArray<64, UInt64> = .init(repeating: 0)
  private var known: UInt64 = 0

  subscript(number: Int) -> UInt64? {
    get {
      guard number >= 0, number < 64, known & 1 << UInt64(number) != 0 else { return nil }
      return values[number]
    }
    set {
      guard number >= 0, number < 64 else { return }
      if let newValue {
        values[number] = newValue
        known |= 1 << UInt64(number)
      } else {
        known &= ~(1 << UInt64(number))
      }
    }
  }

  /// Only the registers whose bits are in `mask`.
  func keeping(_ mask: UInt64) -> WalkedRegisters {
    var registers = self
    registers.known &= mask
    return registers
  }
}
