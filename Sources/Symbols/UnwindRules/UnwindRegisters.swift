public import Identifiers

/// The registers of an architecture by their DWARF numbers.
public struct UnwindRegisters: Sendable {
  private let names: [UInt16: String]

  public init(_ architecture: Architecture) {
    var names: [UInt16: String] = [:]
    func add(_ list: String, from first: UInt16) {
      for (index, name) in list.split(separator: " ").enumerated() {
        names[first + UInt16(index)] = String(name)
      }
    }
    func add(_ prefix: String, _ numbers: ClosedRange<Int>, from first: UInt16) {
      for number in numbers {
        names[first + UInt16(number - numbers.lowerBound)] = "\(prefix)\(number)"
      }
    }
    switch Self.family(of: architecture) {
    case .x86_64:  // System V ABI, AMD64 supplement, figure 3.36
      add("rax rdx rcx rbx rsi rdi rbp rsp", from: 0)
      add("r", 8...15, from: 8)
      add("rip", from: 16)
      add("xmm", 0...15, from: 17)
      add("st", 0...7, from: 33)
      add("mm", 0...7, from: 41)
      add("rflags es cs ss ds fs gs", from: 49)
    case .i386:  // System V ABI, Intel386 supplement, table 2.14
      add("eax ecx edx ebx esp ebp esi edi eip eflags", from: 0)
      add("st", 0...7, from: 11)
      add("xmm", 0...7, from: 21)
      add("mm", 0...7, from: 29)
    case .arm64:  // DWARF for the Arm 64-bit Architecture, section 4.1
      add("x", 0...30, from: 0)
      add("sp pc elr_mode ra_sign_state", from: 31)
      add("v", 0...31, from: 64)
    case .arm:  // DWARF for the Arm Architecture, section 4.1
      add("r", 0...12, from: 0)
      add("sp lr pc", from: 13)
      add("s", 0...31, from: 64)
      add("d", 0...31, from: 256)
    case .ppc:  // 64-Bit ELF V2 ABI for Power, section 2.4
      add("r", 0...31, from: 0)
      add("f", 0...31, from: 32)
      add("cr lr ctr", from: 64)
      add("cr", 0...7, from: 68)
      add("xer", from: 76)
      add("v", 0...31, from: 77)
    case .s390:  // ELF ABI s390x supplement, "DWARF register numbers"
      add("r", 0...15, from: 0)
      add("f0 f2 f4 f6 f1 f3 f5 f7 f8 f10 f12 f14 f9 f11 f13 f15", from: 16)
      add("pswm pswa", from: 64)
    case .riscv:  // RISC-V psABI, "DWARF Register Numbers"
      add("zero ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7", from: 0)
      add("s", 2...11, from: 18)
      add("t", 3...6, from: 28)
      add("f", 0...31, from: 32)
    case .mips:  // MIPS ABI supplement; gcc's numbers
      add("zero at v0 v1 a0 a1 a2 a3 t0 t1 t2 t3 t4 t5 t6 t7", from: 0)
      add("s0 s1 s2 s3 s4 s5 s6 s7 t8 t9 k0 k1 gp sp fp ra", from: 16)
      add("f", 0...31, from: 32)
      add("hi lo", from: 64)
    case .other: break
    }
    self.names = names
  }

  /// `rbp`; `r6` by the number alone where no name is known.
  public func name(of register: UInt16) -> String { names[register] ?? "r\(register)" }

  /// The number of the register with this name.
  func number(of name: String) -> UInt16? { names.first { $0.value == name }?.key }

  /// Architectures whose registers have the same numbers.
  enum Family {
    case x86_64, i386, arm64, arm, ppc, s390, riscv, mips, other
  }

  static func family(of architecture: Architecture) -> Family {
    switch architecture {
    case .x86_64, .x86_64h: .x86_64
    case .i386: .i386
    case .arm64, .arm64e, .arm64_32: .arm64
    case .arm, .armv6, .armv7, .armv7s, .armv7k: .arm
    case .ppc, .ppc64, .ppc64le: .ppc
    case .s390x, Architecture("s390"): .s390
    case .riscv32, .riscv64: .riscv
    case .mips, .mips64: .mips
    default: .other
    }
  }
}
