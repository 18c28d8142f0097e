internal import Bytes

/// The locations of a symbol table and its strings in the file.
struct ELFSymbolRange: Sendable {
  let symbols: ByteView
  let names: ByteView
  /// For each symbol four bytes, the index of its section where that does not fit the symbol; mostly empty.
  var sections = ByteView.empty
}

/// Extracts the functions from an ELF symbol table.
struct ELFSymbolReader {
  let file: ELFFile
  let executableRanges: [Range<UInt64>]
  private let descriptors: ELFFunctionDescriptors?
  /// For each section the number of its bytes of code: 0 where it is not code.
  private let codeSizes: [UInt64]

  init(file: ELFFile, executableRanges: [Range<UInt64>]) {
    self.file = file
    self.executableRanges = executableRanges
    descriptors = ELFFunctionDescriptors(file: file)
    // Where no section is marked, the program headers show where code is.
    let isMarked = file.sections.contains(where: \.isExecutable)
    codeSizes = file.sections.map { section in
      let isCode =
        isMarked
        ? section.isExecutable : section.isAllocated && executableRanges.covers(section.address)
      return isCode ? section.size : 0
    }
  }

  /// Calls `body` with each function of `table` until it returns `false`.
  ///
  /// Left out: names that are undefined, empty or unterminated, mapping symbols, and symbols of sections
  /// without code. Functions in assembly have no type.
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
      let symbol = try next(&reader, of: table)
      if symbol.type == ELFSymbol.typeFile {
        let isNamed = try names.count(at: UInt64(symbol.nameOffset)) ?? 0 > 0
        fileName = isNamed ? UInt32(clamping: base + Int(symbol.nameOffset)) : 0
      }
      guard isFunction(symbol) || isLabel(symbol) else { continue }
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

  /// The next symbol of `table`, with its actual section.
  @_lifetime(reader: copy reader)
  func next(
    _ reader: inout ByteReader, of table: ELFSymbolRange
  ) throws(ParseError) -> ELFSymbol {
    let index = reader.position / ELFSymbol.byteCount(addressSize: file.addressSize)
    var symbol = try ELFSymbol(reading: &reader, addressSize: file.addressSize)
    if symbol.isExtended {
      let offset = index * 4
      if offset + 4 <= table.sections.count {
        var entry = ByteReader(
          table.sections.bytes, reading: "ELF symbol sections", endianness: file.endianness)
        try entry.seek(to: offset)
        symbol.sectionIndex = try entry.read()
      }
    }
    return symbol
  }

  /// Whether a symbol has the type of a function, and is in code.
  func isFunction(_ symbol: ELFSymbol) -> Bool {
    guard symbol.isFunction, !symbol.isUndefined else { return false }
    if let descriptors, descriptors.range.contains(symbol.value) { return true }
    return isInCode(symbol)
  }

  /// Whether a symbol without a type is in code.
  func isLabel(_ symbol: ELFSymbol) -> Bool {
    symbol.type == ELFSymbol.typeNone && symbol.hasAddress && isInCode(symbol)
  }

  /// Whether the symbol's section is code and contains it.
  ///
  /// The value alone is not enough: gcc's `-flto` defines a weak symbol without a type for each object
  /// (`main.c.1a2b3c4d`) in `.debug_info`, whose value is relative to that; a symbol for the end of a section
  /// may have the address where the next one begins; and an absolute number is not an address at all. Without
  /// section headers the program headers show where code is.
  ///
  /// Source: System V gABI, chapter 4, "Symbol Values"; gcc, `lto/lto-object.cc` and `dwarf2out.cc`
  /// (`produce_symbol` of early debug information).
  private func isInCode(_ symbol: ELFSymbol) -> Bool {
    guard !symbol.isReserved else { return false }
    let index = Int(symbol.sectionIndex)
    if codeSizes.isEmpty || symbol.isExtended {
      return executableRanges.covers(file.address(of: symbol))
    }
    guard index < codeSizes.count, codeSizes[index] > 0 else { return false }
    let start = file.header.type == ELFType.relocatable ? 0 : file.sections[index].address
    return symbol.value >= start && symbol.value - start < codeSizes[index]
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
