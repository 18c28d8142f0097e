internal import Bytes

/// Where a symbol table and its strings lie in the file.
struct ELFSymbolRange: Sendable {
  let symbols: ByteView
  let names: ByteView
}

/// Picks the functions out of an ELF symbol table.
struct ELFSymbolReader {
  let file: ELFFile
  let executableRanges: [Range<UInt64>]
  private let descriptors: ELFFunctionDescriptors?

  init(file: ELFFile, executableRanges: [Range<UInt64>]) {
    self.file = file
    self.executableRanges = executableRanges
    descriptors = ELFFunctionDescriptors(file: file)
  }

  /// Calls `body` with each function of `table` until it answers `false`.
  ///
  /// Left out: names that are undefined, empty or not ended, mapping symbols, and symbols without a
  /// type outside code. Assembly leaves its functions without a type.
  ///
  /// - Throws: ``ParseError`` for more names than any program has.
  func forEachFunction(
    of table: ELFSymbolRange, namesAt base: Int, _ body: (ObjectSymbol) -> Bool
  ) throws(ParseError) {
    let addressSize = file.addressSize
    let stride = ELFSymbol.byteCount(addressSize: addressSize)
    var reader = ByteReader(
      table.symbols.bytes, reading: "ELF symbols", endianness: file.endianness)
    var names = SymbolNameReader(table.names)
    var fileName: UInt32 = 0
    while reader.remaining >= stride {
      let symbol = try ELFSymbol(reading: &reader, addressSize: addressSize)
      if symbol.type == ELFSymbol.typeFile {
        let isNamed = try names.count(at: UInt64(symbol.nameOffset)) ?? 0 > 0
        fileName = isNamed ? UInt32(clamping: base + Int(symbol.nameOffset)) : 0
      }
      guard symbol.isFunction && !symbol.isUndefined || isLabel(symbol) else { continue }
      guard let count = try names.count(at: UInt64(symbol.nameOffset)), count > 0 else { continue }
      let nameOffset = Int(symbol.nameOffset)
      if !symbol.isFunction, isMappingSymbol(table.names, at: nameOffset, count: count) {
        continue
      }
      guard let address = address(of: symbol) else { continue }
      let function = ObjectSymbol(
        address: address, size: symbol.size, nameOffset: base + nameOffset, nameCount: count,
        isGlobal: symbol.isGlobal, isWeak: symbol.isWeak,
        fileNameOffset: symbol.isGlobal || symbol.isWeak ? 0 : fileName)
      guard body(function) else { return }
    }
  }

  func isLabel(_ symbol: ELFSymbol) -> Bool {
    symbol.type == ELFSymbol.typeNone && symbol.hasAddress && !file.isData(symbol)
      && executableRanges.covers(file.address(of: symbol))
  }

  func isMappingSymbol(_ names: ByteView, at offset: Int, count: Int) -> Bool {
    guard ELFMachine.hasMappingSymbols(file.header.machine), count >= 2 else { return false }
    guard names[offset] == UInt8(ascii: "$") else { return false }
    return switch names[offset + 1] {
    case UInt8(ascii: "a"), UInt8(ascii: "d"), UInt8(ascii: "t"), UInt8(ascii: "x"): true
    default: false
    }
  }

  func address(of symbol: ELFSymbol) -> UInt64? {
    if let descriptors, symbol.isFunction, descriptors.range.contains(symbol.value) {
      return descriptors.code(at: symbol.value)
    }
    let marked = symbol.isFunction && ELFMachine.marksInstructionSet(file.header.machine)
    let address = file.address(of: symbol)
    return marked ? address & ~1 : address
  }
}
