internal import Bytes
internal import CrashModel
internal import Identifiers

/// The processor of a core, and the position of its registers in a thread's notes.
///
/// Source: System V gABI, `e_machine`, and the registry that continues it.
struct CoreMachine: Hashable, Sendable {
  let rawValue: UInt16

  static let sparc = Self(rawValue: 2)
  static let i386 = Self(rawValue: 3)
  static let m68k = Self(rawValue: 4)
  static let mips = Self(rawValue: 8)
  static let ppc = Self(rawValue: 20)
  static let ppc64 = Self(rawValue: 21)
  static let s390 = Self(rawValue: 22)
  static let arm = Self(rawValue: 40)
  static let sparc64 = Self(rawValue: 43)
  static let amd64 = Self(rawValue: 62)
  static let arm64 = Self(rawValue: 183)
  static let riscv = Self(rawValue: 243)
  static let loongArch = Self(rawValue: 258)

  func architecture(_ numbers: CoreNumbers) -> Architecture {
    let is64 = numbers.wordSize == 8
    switch self {
    case .i386: return .i386
    case .amd64: return .x86_64
    case .arm: return .arm
    case .arm64: return .arm64
    case .riscv: return is64 ? .riscv64 : .riscv32
    case .mips: return is64 ? .mips64 : .mips
    case .ppc: return .ppc
    case .ppc64: return numbers.endianness == .little ? .ppc64le : .ppc64
    case .s390: return is64 ? .s390x : Architecture("s390")
    case .sparc, .sparc64: return .sparc
    case .m68k: return Architecture("m68k")
    case .loongArch: return Architecture(is64 ? "loongarch64" : "loongarch32")
    default: return Architecture("elf-\(rawValue)")
    }
  }

  /// Whether `siginfo` has the code before the error number.
  ///
  /// Source: `arch/mips/include/uapi/asm/siginfo.h` of Linux.
  var hasCodeBeforeError: Bool { self == .mips }
}

/// The order of the registers in a thread's note.
struct CoreRegisters: Sendable {
  /// The names; `nil` for a register that is not shown.
  let names: [String?]
  /// The size of a register in bytes.
  let size: Int

  private init(_ names: String, size: Int) {
    self.names = names.split(separator: " ").map { $0 == "-" ? nil : String($0) }
    self.size = size
  }

  /// The registers from `offset` on; empty if some are missing.
  func registers(in bytes: ByteView, at offset: Int, _ numbers: CoreNumbers) -> [Register] {
    var registers: [Register] = []
    for (index, name) in names.enumerated() {
      guard let value = numbers.number(bytes, at: offset + index * size, size: size) else {
        return []
      }
      if let name { registers.append(Register(name, value)) }
    }
    return registers
  }

  // MARK: Linux

  /// The registers in `pr_reg` of Linux; `nil` for a processor whose order is unknown.
  ///
  /// Source: `user_regs_struct` and `elf_gregset_t` of each architecture of Linux, in
  /// `arch/*/include/uapi/asm/ptrace.h`.
  static func linux(_ machine: CoreMachine, wordSize: Int) -> CoreRegisters? {
    switch machine {
    case .amd64: amd64
    case .i386: i386
    case .arm64: arm64
    case .arm: arm
    case .riscv where wordSize == 8: riscv64
    case .ppc64: ppc64
    case .ppc: ppc
    case .s390 where wordSize == 8: s390x
    case .mips: wordSize == 8 ? mips64 : mips32
    default: nil
    }
  }

  private static let amd64 = CoreRegisters(
    "r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi - rip cs eflags rsp ss", size: 8)
  private static let i386 = CoreRegisters(
    "ebx ecx edx esi edi ebp eax ds es fs gs - eip cs eflags esp ss", size: 4)
  private static let arm = CoreRegisters(numbered("r", 0...12) + " sp lr pc cpsr", size: 4)
  private static let arm64 = CoreRegisters(
    numbered("x", 0...28) + " fp lr sp pc cpsr", size: 8)
  private static let riscv64 = CoreRegisters(
    "pc ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5"
      + " t6", size: 8)
  private static let powerNames =
    numbered("r", 0...31) + " pc msr - ctr lr xer cr - - dar dsisr"
  private static let ppc64 = CoreRegisters(powerNames, size: 8)
  private static let ppc = CoreRegisters(powerNames, size: 4)
  private static let s390x = CoreRegisters("pswm pc " + numbered("r", 0...15), size: 8)
  private static let mips32 = CoreRegisters(
    "- - - - - - " + numbered("r", 0...31) + " lo hi pc badvaddr status cause -", size: 4)
  private static let mips64 = CoreRegisters(
    numbered("r", 0...31) + " lo hi pc badvaddr status cause", size: 8)

  private static func numbered(_ letter: String, _ range: ClosedRange<Int>) -> String {
    range.map { "\(letter)\($0)" }.joined(separator: " ")
  }

  // MARK: BSDs

  /// Source: `struct reg` in FreeBSD's `machine/reg.h`. On 64-bit Intel two numbers of half the size are in
  /// between; they are not shown.
  static func freeBSD(_ machine: CoreMachine) -> CoreRegisters? {
    switch machine {
    case .amd64:
      CoreRegisters(
        "r15 r14 r13 r12 r11 r10 r9 r8 rdi rsi rbp rbx rdx rcx rax - - rip cs eflags rsp ss",
        size: 8)
    case .i386:
      CoreRegisters(
        "fs es ds edi esi ebp - ebx edx ecx eax - - eip cs eflags esp ss gs", size: 4)
    case .arm64: CoreRegisters(numbered("x", 0...28) + " fp lr sp pc", size: 8)
    default: nil
    }
  }

  /// Source: `struct reg` in NetBSD's `machine/reg.h`, on 64-bit Intel `machine/frame_regs.h`.
  static func netBSD(_ machine: CoreMachine) -> CoreRegisters? {
    switch machine {
    case .amd64:
      CoreRegisters(
        "rdi rsi rdx rcx r8 r9 r10 r11 r12 r13 r14 r15 rbp rbx rax gs fs es ds - - rip cs eflags"
          + " rsp ss", size: 8)
    case .arm64: CoreRegisters(numbered("x", 0...28) + " fp lr sp pc cpsr", size: 8)
    case .i386:
      CoreRegisters("eax ecx edx ebx esp ebp esi edi eip eflags cs ss ds es fs gs", size: 4)
    default: nil
    }
  }

  /// Source: `struct reg` in OpenBSD's `machine/reg.h`.
  static func openBSD(_ machine: CoreMachine) -> CoreRegisters? {
    switch machine {
    case .amd64:
      CoreRegisters(
        "rdi rsi rdx rcx r8 r9 r10 r11 r12 r13 r14 r15 rbp rbx rax rsp rip eflags cs ss ds es fs gs",
        size: 8)
    case .arm64: CoreRegisters(numbered("x", 0...28) + " fp lr sp pc cpsr", size: 8)
    case .i386:
      CoreRegisters("eax ecx edx ebx esp ebp esi edi eip eflags cs ss ds es fs gs", size: 4)
    default: nil
    }
  }
}
