internal import Bytes
internal import DWARF
internal import Identifiers
internal import ObjectFormats

extension CallFrameSection {
  /// - Returns: `nil` where `object` has no such section, or none with contents.
  /// - Throws: ``ParseError`` where its bytes cannot be had.
  init?(_ object: ObjectFile, isEHFrame: Bool) throws(ParseError) {
    guard let section = object.section(named: isEHFrame ? "eh_frame" : "debug_frame"),
      section.hasContents
    else { return nil }
    // Source: System V ABI i386, "DWARF": data pointers count from the global offset table.
    let data = object.section(named: "got.plt") ?? object.section(named: "got")
    let bases = PointerEncoding.Bases(
      section: section.address, text: object.section(named: "text")?.address,
      data: data?.address)
    self.init(
      bytes: try object.contents(of: section), isEHFrame: isEHFrame,
      endianness: object.endianness, addressSize: object.addressSize, bases: bases,
      imageBase: object.imageBase, code: object.executableRanges)
    isARM64 = UnwindRegisters.family(of: object.architecture) == .arm64
    swapsFrameRegisters =
      isEHFrame && object.container == .machO && object.architecture == .i386
  }

  /// A section without an object around it.
  ///
  /// - Parameter address: Where it is linked or loaded.
  init(bytes: ByteView, isEHFrame: Bool, at address: UInt64 = 0, target: UnwindTarget) {
    self.init(
      bytes: bytes, isEHFrame: isEHFrame, endianness: target.endianness,
      addressSize: target.addressSize, bases: PointerEncoding.Bases(section: address),
      imageBase: target.imageBase, code: [])
    isARM64 = UnwindRegisters.family(of: target.architecture) == .arm64
  }
}
