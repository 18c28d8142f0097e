internal import Bytes

/// A place in a section where the linker would write an address.
///
///     32  64  SIZE    FIELD
///      0   0     4/8  offset in the section
///      4   8     4/8  symbol (the high 24 or 32 bits) and type
///      8  16     4/8  addend, in a section of type 4; one of type 9 has it in the place itself
///
/// Source: System V gABI, chapter 4, "Relocation"; Elf32_Rela and Elf64_Rela in elf.h.
struct ELFRelocation {
  static let typeWithAddend: UInt32 = 4
  static let typeWithout: UInt32 = 9

  let offset: UInt64
  let symbol: UInt64
  let type: UInt32
  let addend: UInt64?

  @_lifetime(reader: copy reader)
  init(reading reader: inout ByteReader, addressSize: Int, hasAddend: Bool) throws(ParseError) {
    offset = try reader.readUnsigned(size: addressSize)
    let information = try reader.readUnsigned(size: addressSize)
    symbol = information >> (addressSize == 8 ? 32 : 8)
    type = UInt32(truncatingIfNeeded: addressSize == 8 ? information : information & 0xff)
    addend = hasAddend ? try reader.readUnsigned(size: addressSize) : nil
  }

  /// How many bytes an absolute address takes; `nil` for the types that debug information does not
  /// use.
  ///
  /// Source: the processor supplements of the System V ABI: R_X86_64_64, _32, _32S; R_386_32;
  /// R_AARCH64_ABS64, _ABS32; R_ARM_ABS32; R_390_64, R_390_32; R_PPC_ADDR32; R_PPC64_ADDR64.
  func byteCount(machine: UInt16) -> Int? {
    switch (machine, type) {
    case (ELFMachine.x86_64, 1), (ELFMachine.arm64, 257), (ELFMachine.s390, 22),
      (ELFMachine.ppc64, 38):
      8
    case (ELFMachine.x86_64, 10), (ELFMachine.x86_64, 11), (ELFMachine.i386, 1),
      (ELFMachine.arm64, 258), (ELFMachine.arm, 2), (ELFMachine.s390, 4), (ELFMachine.ppc, 1),
      (ELFMachine.ppc64, 1):
      4
    default: nil
    }
  }
}

extension ELFFile {
  /// The contents of a section of a relocatable file as the linker would make them, each section of
  /// code at the address that its header gives, which is 0.
  ///
  /// Programs keep such tables too when they are linked so; there the addresses stand already.
  ///
  /// - Parameter contents: Those of the section at `index`, decompressed.
  func relocated(_ contents: ByteView, ofSectionAt index: Int) throws(ParseError) -> ByteView {
    var bytes: [UInt8]?
    for section in sections where Int(section.info) == index {
      guard
        section.type == ELFRelocation.typeWithAddend || section.type == ELFRelocation.typeWithout,
        let symbols = Int(exactly: section.link), symbols < sections.count
      else { continue }
      var result = bytes ?? contents.array
      try apply(section, symbols: try self.bytes(of: sections[symbols]), to: &result)
      bytes = result
    }
    return bytes.map { ByteView($0) } ?? contents
  }

  private func apply(
    _ section: ELFSectionHeader, symbols: ByteView, to bytes: inout [UInt8]
  ) throws(ParseError) {
    let hasAddend = section.type == ELFRelocation.typeWithAddend
    let table = try self.bytes(of: section)
    var reader = ByteReader(table.bytes, reading: "ELF relocations", endianness: endianness)
    while reader.remaining >= addressSize * (hasAddend ? 3 : 2) {
      let relocation = try ELFRelocation(
        reading: &reader, addressSize: addressSize, hasAddend: hasAddend)
      guard let count = relocation.byteCount(machine: header.machine),
        relocation.offset <= UInt64(bytes.count),
        bytes.count - Int(relocation.offset) >= count,
        let value = value(ofSymbol: relocation.symbol, in: symbols)
      else { continue }
      let places = (0..<count).map { index in
        Int(relocation.offset) + (endianness == .little ? index : count - 1 - index)
      }
      let addend =
        relocation.addend
        ?? places.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64(bytes[$1]) }
      var sum = value &+ addend
      for place in places {
        bytes[place] = UInt8(truncatingIfNeeded: sum)
        sum >>= 8
      }
    }
  }

  private func value(ofSymbol index: UInt64, in symbols: ByteView) -> UInt64? {
    let size = UInt64(ELFSymbol.byteCount(addressSize: addressSize))
    let offset = index.multipliedReportingOverflow(by: size)
    guard !offset.overflow,
      let view = try? symbols.slice(at: offset.partialValue, count: size, of: "ELF symbol")
    else { return nil }
    var reader = ByteReader(view.bytes, reading: "ELF symbol", endianness: endianness)
    return (try? ELFSymbol(reading: &reader, addressSize: addressSize))?.value
  }
}
