internal import Bytes

/// A place in a section where the linker would write an address.
///
///     32  64  SIZE    FIELD
///      0   0     4/8  offset in the section
///      4   8     4/8  symbol (the high 24 or 32 bits) and type
///      8  16     4/8  addend, in a section of type 4; one of type 9 has it in the place itself
///
/// Little-endian 64-bit MIPS has the symbol in the low 32 bits, and the type in the highest eight.
///
/// Source: System V gABI, chapter 4, "Relocation"; Elf32_Rela and Elf64_Rela in elf.h.
struct ELFRelocation {
  static let typeWithAddend: UInt32 = 4
  static let typeWithout: UInt32 = 9

  /// How a place is changed by the value: the address of the symbol and the addend.
  enum Action {
    case set(size: Int)
    case add(size: Int)
    case subtract(size: Int)
    /// Only the low six bits of a byte.
    case setLowBits
    case subtractLowBits
    /// Unsigned LEB128 of as many bytes as are there.
    case setVariable
    case subtractVariable
  }

  let offset: UInt64
  let symbol: UInt64
  let type: UInt32
  let addend: UInt64?

  @_lifetime(reader: copy reader)
  init(
    reading reader: inout ByteReader, addressSize: Int, hasAddend: Bool, isLittleMIPS64: Bool
  ) throws(ParseError) {
    offset = try reader.readUnsigned(size: addressSize)
    let information = try reader.readUnsigned(size: addressSize)
    if isLittleMIPS64 {
      symbol = information & 0xffff_ffff
      type = UInt32(truncatingIfNeeded: information >> 56)
    } else if addressSize == 8 {
      symbol = information >> 32
      type = UInt32(truncatingIfNeeded: information)
    } else {
      symbol = information >> 8
      type = UInt32(truncatingIfNeeded: information & 0xff)
    }
    addend = hasAddend ? try reader.readUnsigned(size: addressSize) : nil
  }

  /// The effect of the types that debug information uses; `nil` for the others.
  ///
  /// Source: the processor supplements of the System V ABI: R_X86_64_64, _32, _32S; R_386_32;
  /// R_AARCH64_ABS64, _ABS32; R_ARM_ABS32; R_390_64, R_390_32; R_PPC_ADDR32; R_PPC64_ADDR64,
  /// _ADDR32; R_MIPS_32, _64; R_SPARC_32, _UA32, _64, _UA64; R_68K_32; R_RISCV_32 to _SUB_ULEB128
  /// and R_LARCH_32 to _SUB_ULEB128, where the linker may still move code, so that distances are
  /// written as one relocation that adds and one that subtracts.
  func action(machine: UInt16) -> Action? {
    switch (machine, type) {
    case (ELFMachine.x86_64, 1), (ELFMachine.arm64, 257), (ELFMachine.s390, 22),
      (ELFMachine.ppc64, 38), (ELFMachine.mips, 18), (ELFMachine.sparc64, 32),
      (ELFMachine.sparc64, 54), (ELFMachine.riscv, 2), (ELFMachine.loongArch, 2):
      .set(size: 8)
    case (ELFMachine.x86_64, 10), (ELFMachine.x86_64, 11), (ELFMachine.i386, 1),
      (ELFMachine.arm64, 258), (ELFMachine.arm, 2), (ELFMachine.s390, 4), (ELFMachine.ppc, 1),
      (ELFMachine.ppc64, 1), (ELFMachine.mips, 2), (ELFMachine.sparc, 3), (ELFMachine.sparc, 23),
      (ELFMachine.sparc32Plus, 3), (ELFMachine.sparc32Plus, 23), (ELFMachine.sparc64, 3),
      (ELFMachine.sparc64, 23), (ELFMachine.m68k, 1), (ELFMachine.riscv, 1),
      (ELFMachine.loongArch, 1):
      .set(size: 4)
    case (ELFMachine.riscv, 33...36): .add(size: 1 << Int(type - 33))
    case (ELFMachine.riscv, 37...40): .subtract(size: 1 << Int(type - 37))
    case (ELFMachine.riscv, 52), (ELFMachine.loongArch, 106): .subtractLowBits
    case (ELFMachine.riscv, 53): .setLowBits
    case (ELFMachine.riscv, 54...56): .set(size: 1 << Int(type - 54))
    case (ELFMachine.riscv, 60): .setVariable
    case (ELFMachine.riscv, 61), (ELFMachine.loongArch, 108): .subtractVariable
    case (ELFMachine.loongArch, 47...48): .add(size: 1 << Int(type - 47))
    case (ELFMachine.loongArch, 50...51): .add(size: 4 << Int(type - 50))
    case (ELFMachine.loongArch, 52...53): .subtract(size: 1 << Int(type - 52))
    case (ELFMachine.loongArch, 55...56): .subtract(size: 4 << Int(type - 55))
    case (ELFMachine.loongArch, 105): .setLowBits
    case (ELFMachine.loongArch, 107): .setVariable
    default: nil
    }
  }
}
