internal import Bytes

extension ELFFile {
  /// The contents of a section of a relocatable file as the linker would make them, with the code at
  /// the addresses that ``laidOut(_:names:)`` gives it.
  ///
  /// Programs keep such tables too when they are linked so; there the addresses stand already.
  ///
  /// - Parameter contents: Those of the section at `index`, decompressed.
  func relocated(_ contents: ByteView, ofSectionAt index: Int) throws(ParseError) -> ByteView {
    let tables = sections.indices.filter {
      Int(sections[$0].info) == index && isRelocationTable(sections[$0])
    }
    return try relocated(contents, by: tables)
  }

  /// The tables of relocations of each section that has any, by its index.
  var relocationTables: [Int: [Int]] {
    var tables: [Int: [Int]] = [:]
    for index in sections.indices where isRelocationTable(sections[index]) {
      tables[Int(sections[index].info), default: []].append(index)
    }
    return tables
  }

  private func isRelocationTable(_ section: ELFSectionHeader) -> Bool {
    section.type == ELFRelocation.typeWithAddend || section.type == ELFRelocation.typeWithout
  }

  /// - Parameter tables: The sections that hold the relocations of `contents`. More bytes of them than
  ///   the file has are not read.
  func relocated(_ contents: ByteView, by tables: [Int]) throws(ParseError) -> ByteView {
    var bytes: [UInt8]?
    var budget = UInt64(self.bytes.count)
    for index in tables {
      let section = sections[index]
      guard let symbols = Int(exactly: section.link), symbols < sections.count,
        section.size <= budget
      else { continue }
      budget -= section.size
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
    let isLittleMIPS64 =
      header.machine == ELFMachine.mips && addressSize == 8 && endianness == .little
    let table = try self.bytes(of: section)
    var reader = ByteReader(table.bytes, reading: "ELF relocations", endianness: endianness)
    while reader.remaining >= addressSize * (hasAddend ? 3 : 2) {
      let relocation = try ELFRelocation(
        reading: &reader, addressSize: addressSize, hasAddend: hasAddend,
        isLittleMIPS64: isLittleMIPS64)
      guard let action = relocation.action(machine: header.machine),
        let offset = Int(exactly: relocation.offset), offset < bytes.count,
        let value = value(ofSymbol: relocation.symbol, in: symbols)
      else { continue }
      apply(action, value &+ (relocation.addend ?? 0), hasAddend: hasAddend, at: offset, to: &bytes)
    }
  }

  private func apply(
    _ action: ELFRelocation.Action, _ value: UInt64, hasAddend: Bool, at offset: Int,
    to bytes: inout [UInt8]
  ) {
    switch action {
    case .set(let size):
      change(size, at: offset, in: &bytes) { hasAddend ? value : value &+ $0 }
    case .add(let size): change(size, at: offset, in: &bytes) { $0 &+ value }
    case .subtract(let size): change(size, at: offset, in: &bytes) { $0 &- value }
    case .setLowBits: bytes[offset] = bytes[offset] & 0xc0 | UInt8(truncatingIfNeeded: value) & 0x3f
    case .subtractLowBits:
      let rest = bytes[offset] & 0x3f &- UInt8(truncatingIfNeeded: value)
      bytes[offset] = bytes[offset] & 0xc0 | rest & 0x3f
    case .setVariable: changeVariable(at: offset, in: &bytes) { _ in value }
    case .subtractVariable: changeVariable(at: offset, in: &bytes) { $0 &- value }
    }
  }

  private func change(
    _ count: Int, at offset: Int, in bytes: inout [UInt8], _ change: (UInt64) -> UInt64
  ) {
    guard count <= bytes.count - offset else { return }
    let offsets = (0..<count).map { offset + (endianness == .little ? $0 : count - 1 - $0) }
    var value = change(offsets.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64(bytes[$1]) })
    for offset in offsets {
      bytes[offset] = UInt8(truncatingIfNeeded: value)
      value >>= 8
    }
  }

  private func changeVariable(
    at offset: Int, in bytes: inout [UInt8], _ change: (UInt64) -> UInt64
  ) {
    var end = offset
    while end < bytes.count, end - offset < 10, bytes[end] & 0x80 != 0 { end += 1 }
    guard end < bytes.count, end - offset < 10 else { return }
    var value = change((offset...end).reversed().reduce(0) { $0 << 7 | UInt64(bytes[$1] & 0x7f) })
    for index in offset...end {
      bytes[index] = UInt8(truncatingIfNeeded: value & 0x7f) | (index < end ? 0x80 : 0)
      value >>= 7
    }
  }

  private func value(ofSymbol index: UInt64, in symbols: ByteView) -> UInt64? {
    let size = UInt64(ELFSymbol.byteCount(addressSize: addressSize))
    let offset = index.multipliedReportingOverflow(by: size)
    guard !offset.overflow,
      let view = try? symbols.slice(at: offset.partialValue, count: size, of: "ELF symbol")
    else { return nil }
    var reader = ByteReader(view.bytes, reading: "ELF symbol", endianness: endianness)
    let symbol = try? ELFSymbol(reading: &reader, addressSize: addressSize)
    return symbol.map { address(of: $0) }
  }
}
