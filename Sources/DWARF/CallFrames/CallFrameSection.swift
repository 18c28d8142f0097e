internal import Bytes
internal import CrashModel
internal import ObjectFormats

/// One section of call frame information, and what is needed to read it.
struct CallFrameSection: Sendable {
  let bytes: ByteView
  /// `.eh_frame`, else `.debug_frame`.
  let isEHFrame: Bool
  let endianness: Endianness
  let addressSize: Int
  let architecture: Architecture
  let bases: PointerEncoding.Bases
  /// What addresses count from in the file.
  let imageBase: UInt64
  /// Where code may lie; entries elsewhere are of functions that the linker left out.
  let code: [Range<UInt64>]
  /// Whether registers 4 and 5 have changed places, as in 32-bit x86 exception frames of Mach-O.
  ///
  /// Source: LLVM, X86RegisterInfo.td, "X86_32_DarwinEH".
  let swapsFrameRegisters: Bool

  /// - Returns: `nil` where `object` has no such section, or none with contents.
  /// - Throws: ``ParseError`` where its bytes cannot be had.
  init?(_ object: ObjectFile, isEHFrame: Bool) throws(ParseError) {
    guard let section = object.section(named: isEHFrame ? "eh_frame" : "debug_frame"),
      section.hasContents
    else { return nil }
    bytes = try object.contents(of: section)
    self.isEHFrame = isEHFrame
    endianness = object.endianness
    addressSize = object.addressSize
    architecture = object.architecture
    // Source: System V ABI i386, "DWARF": data pointers count from the global offset table.
    let data = object.section(named: "got.plt") ?? object.section(named: "got")
    bases = PointerEncoding.Bases(
      section: section.address, text: object.section(named: "text")?.address,
      data: data?.address)
    imageBase = object.imageBase
    code = object.executableRanges
    swapsFrameRegisters =
      isEHFrame && object.container == .machO && object.architecture == .i386
  }

  /// A section without an object around it, linked to address 0.
  init(bytes: ByteView, isEHFrame: Bool, target: UnwindTarget) {
    self.bytes = bytes
    self.isEHFrame = isEHFrame
    endianness = target.endianness
    addressSize = target.addressSize
    architecture = target.architecture
    bases = PointerEncoding.Bases(section: 0)
    imageBase = 0
    code = []
    swapsFrameRegisters = false
  }

  /// `address`, a linked one, from the image base; `nil` where no code lies or it is too far away.
  func offset(ofCode address: UInt64) -> UInt32? {
    guard code.isEmpty || isCode(address), address >= imageBase else { return nil }
    return UInt32(exactly: address &- imageBase)
  }

  private func isCode(_ address: UInt64) -> Bool {
    let low = code.lowerBound { $0.upperBound <= address }
    return low < code.count && code[low].contains(address)
  }
}
