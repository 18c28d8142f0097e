internal import Bytes

extension MachOFile {
  /// A copy of the section's bytes with the addresses of the symbols that it refers to, as a linker
  /// would leave them with every section where the object has it.
  ///
  ///     OFFSET  SIZE  FIELD
  ///          0     4  place in the section; with the highest bit set the entry is of another form
  ///          4     4  number of a symbol or section (24 bits), whether relative to the place (1),
  ///                   size as a power of two (2), whether it is a symbol (1), type (4); in a
  ///                   big-endian file from the highest bit on
  ///
  /// Compilers refer to sections as a rule, and write the address itself at the place; only what
  /// refers to a symbol is left to be done. What lies outside the section changes nothing.
  ///
  /// Source: relocation_info in mach-o/reloc.h, and reloc.h of each processor.
  func relocated(
    _ view: ByteView, of section: MachSection
  ) throws(ParseError) -> ByteView {
    guard section.relocationCount > 0, let symbols else { return view }
    let table = try bytes.slice(
      at: UInt64(section.relocationOffset), count: UInt64(section.relocationCount) * 8,
      of: "Mach-O relocations")
    let isBig = header.endianness == .big
    var reader = ByteReader(
      table.bytes, reading: "Mach-O relocations", endianness: header.endianness,
      base: Int(section.relocationOffset))
    var contents: [UInt8]?
    while !reader.isAtEnd {
      let offset: UInt32 = try reader.read()
      let word: UInt32 = try reader.read()
      let fields = MachRelocation(word, isBigEndian: isBig)
      guard offset & 0x8000_0000 == 0, fields.isSymbol, !fields.isRelative,
        let value = value(of: fields.number, in: symbols)
      else { continue }
      let isSubtracted =
        fields.type == 5 && header.cpuType == 0x0100_0007
        || fields.type == 1 && header.cpuType & 0xff == 12 && header.cpuType != 12
      guard fields.type == 0 || isSubtracted else { continue }
      let size = 1 << Int(fields.sizeLog)
      guard size <= view.count, Int(offset) <= view.count - size else { continue }
      if contents == nil { contents = view.array }
      var old: UInt64 = 0
      for index in 0..<size {
        let byte = contents?[Int(offset) + (isBig ? index : size - 1 - index)] ?? 0
        old = old << 8 | UInt64(byte)
      }
      var new = isSubtracted ? old &- value : old &+ value
      for index in 0..<size {
        contents?[Int(offset) + (isBig ? size - 1 - index : index)] = UInt8(
          truncatingIfNeeded: new)
        new >>= 8
      }
    }
    return contents.map { ByteView($0) } ?? view
  }

  /// The address of the symbol with a number; `nil` for one that another file defines.
  private func value(of number: UInt32, in symbols: Symbols) -> UInt64? {
    guard number < symbols.count else { return nil }
    let size = UInt64(MachSymbol.byteCount(addressSize: header.addressSize))
    guard
      let entry = try? bytes.slice(
        at: UInt64(symbols.offset) + UInt64(number) * size, count: size, of: "Mach-O symbol")
    else { return nil }
    var reader = ByteReader(
      entry.bytes, reading: "Mach-O symbol", endianness: header.endianness)
    guard let symbol = try? MachSymbol(reading: &reader, addressSize: header.addressSize),
      symbol.isDefined
    else { return nil }
    return symbol.value
  }
}

/// The second word of a relocation.
private struct MachRelocation {
  let number: UInt32
  let isRelative: Bool
  /// The size of the place as a power of two.
  let sizeLog: UInt32
  let isSymbol: Bool
  let type: UInt32

  init(_ word: UInt32, isBigEndian: Bool) {
    if isBigEndian {
      number = word >> 8
      isRelative = word >> 7 & 1 == 1
      sizeLog = word >> 5 & 3
      isSymbol = word >> 4 & 1 == 1
      type = word & 0xf
    } else {
      number = word & 0xff_ffff
      isRelative = word >> 24 & 1 == 1
      sizeLog = word >> 25 & 3
      isSymbol = word >> 27 & 1 == 1
      type = word >> 28
    }
  }
}
