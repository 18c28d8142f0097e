internal import Identifiers

extension Architecture {
  /// The instruction set of a PE file, or of the program that a PDB is of.
  ///
  /// Source: Microsoft, "PE Format", "Machine Types".
  init(peMachine machine: UInt16) {
    switch machine {
    case 0x14c: self = .i386
    case 0x8664: self = .x86_64
    case 0x1c0, 0x1c2, 0x1c4: self = .arm
    // Code that calls x86-64, and files of both kinds, are AArch64 to look at.
    case 0xaa64, 0xa641, 0xa64e: self = .arm64
    case 0x5032: self = .riscv32
    case 0x5064: self = .riscv64
    default: self.init("pe-\(machine)")
    }
  }
}
