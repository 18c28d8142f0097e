package import Bytes

/// One section of call frame information, and what is needed to read it.
package struct CallFrameSection: Sendable {
  package let bytes: ByteView
  /// `.eh_frame`, else `.debug_frame`.
  package let isEHFrame: Bool
  let endianness: Endianness
  let addressSize: Int
  let bases: PointerEncoding.Bases
  /// The base of addresses in the file.
  let imageBase: UInt64
  /// Where code may lie, sorted and apart; entries elsewhere are of functions that the linker left
  /// out. Empty: everywhere.
  let code: [Range<UInt64>]
  /// Whether the instructions of 64-bit Arm are known.
  package var isARM64 = false
  /// Whether registers 4 and 5 have changed places, as in 32-bit x86 exception frames of Mach-O.
  ///
  /// Source: LLVM, X86RegisterInfo.td, "X86_32_DarwinEH".
  package var swapsFrameRegisters = false

  package init(
    bytes: ByteView, isEHFrame: Bool, endianness: Endianness, addressSize: Int,
    bases: PointerEncoding.Bases, imageBase: UInt64, code: [Range<UInt64>]
  ) {
    self.bytes = bytes
    self.isEHFrame = isEHFrame
    self.endianness = endianness
    self.addressSize = addressSize
    self.bases = bases
    self.imageBase = imageBase
    self.code = code
  }

  /// `address`, a linked one, from the image base; `nil` where no code lies or it is too far away.
  func offset(ofCode address: UInt64) -> UInt32? {
    guard code.isEmpty || isCode(address), address >= imageBase else { return nil }
    return UInt32(exactly: address &- imageBase)
  }

  /// The number of a register by the program's own numbering.
  func number(of register: UInt64) -> UInt64 {
    swapsFrameRegisters && (register == 4 || register == 5) ? 9 - register : register
  }

  private func isCode(_ address: UInt64) -> Bool {
    let index = code.lowerBound { $0.upperBound <= address }
    return index < code.count && code[index].contains(address)
  }
}
