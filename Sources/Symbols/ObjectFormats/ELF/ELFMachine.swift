internal import Identifiers

extension Architecture {
  /// The instruction set of an ELF file.
  ///
  /// Source: System V gABI, chapter 4, `e_machine`, and the registry that continues it.
  init(elfMachine machine: UInt16, addressSize: Int, isLittleEndian: Bool) {
    switch machine {
    case ELFMachine.i386: self = .i386
    case ELFMachine.x86_64: self = .x86_64
    case ELFMachine.arm: self = .arm
    case ELFMachine.arm64: self = .arm64
    case ELFMachine.riscv: self = addressSize == 8 ? .riscv64 : .riscv32
    case ELFMachine.mips: self = addressSize == 8 ? .mips64 : .mips
    case ELFMachine.ppc: self = .ppc
    case ELFMachine.ppc64: self = isLittleEndian ? .ppc64le : .ppc64
    case ELFMachine.s390: self = addressSize == 8 ? .s390x : Architecture("s390")
    case ELFMachine.sparc, ELFMachine.sparc32Plus, ELFMachine.sparc64: self = .sparc
    case ELFMachine.m68k: self.init("m68k")
    case ELFMachine.loongArch: self.init(addressSize == 8 ? "loongarch64" : "loongarch32")
    default: self.init("elf-\(machine)")
    }
  }
}

/// The values of `e_machine` that are distinguished.
enum ELFMachine {
  static let sparc: UInt16 = 2
  static let i386: UInt16 = 3
  static let m68k: UInt16 = 4
  static let mips: UInt16 = 8
  static let sparc32Plus: UInt16 = 18
  static let ppc: UInt16 = 20
  static let ppc64: UInt16 = 21
  static let s390: UInt16 = 22
  static let arm: UInt16 = 40
  static let sparc64: UInt16 = 43
  static let x86_64: UInt16 = 62
  static let arm64: UInt16 = 183
  static let riscv: UInt16 = 243
  static let loongArch: UInt16 = 258

  /// Whether the lowest bit of a function's address gives the instruction set (Thumb, microMIPS).
  static func marksInstructionSet(_ machine: UInt16) -> Bool { machine == arm || machine == mips }

  /// Whether `$x`, `$a`, `$t` and `$d` mark code and data on this machine.
  ///
  /// Source: ELF for the Arm Architecture and for the 64-bit one, "Mapping symbols"; RISC-V psABI,
  /// "Mapping Symbol".
  static func hasMappingSymbols(_ machine: UInt16) -> Bool {
    machine == arm || machine == arm64 || machine == riscv
  }
}
