internal import Bytes

extension MachOFile {
  /// The functions of `LC_SYMTAB`, and without a name those of `LC_FUNCTION_STARTS` that it lacks.
  ///
  /// - Throws: ``ParseError`` for a table that lies outside the file.
  func symbolTable() throws(ParseError) -> SymbolTable {
    var functions: [ObjectSymbol] = []
    let names = try forEachFunction { symbol in
      functions.append(symbol)
      return true
    }
    let named = SymbolTable(names: names, sorting: functions)
    let starts = functionStarts.map { missingStarts($0, in: named.symbols) } ?? []
    guard !starts.isEmpty else { return named }
    return SymbolTable(names: names, sorting: named.symbols + starts)
  }

  var hasFunctions: Bool {
    var found = false
    _ = try? forEachFunction { _ in
      found = true
      return false
    }
    return found
  }

  /// Calls `body` with each entry of `LC_SYMTAB` until it answers `false`, and returns the strings
  /// that hold the names.
  func forEachSymbol(
    _ body: (MachSymbol, inout SymbolNameReader, ByteView) throws(ParseError) -> Bool
  ) throws(ParseError) -> ByteView {
    guard let symbols, symbols.count > 0 else { return .empty }
    let addressSize = header.addressSize
    let table = try bytes.slice(
      at: UInt64(symbols.offset),
      count: UInt64(symbols.count) * UInt64(MachSymbol.byteCount(addressSize: addressSize)),
      of: "Mach-O symbols")
    let strings = try bytes.slice(
      at: UInt64(symbols.names.offset), count: UInt64(symbols.names.size), of: "Mach-O strings")
    var names = SymbolNameReader(strings)
    var reader = ByteReader(
      table.bytes, reading: "Mach-O symbols", endianness: header.endianness,
      base: Int(symbols.offset))
    while !reader.isAtEnd {
      let symbol = try MachSymbol(reading: &reader, addressSize: addressSize)
      guard try body(symbol, &names, strings) else { break }
    }
    return strings
  }

  /// The same with each function.
  private func forEachFunction(
    _ body: (ObjectSymbol) -> Bool
  ) throws(ParseError) -> ByteView {
    let code = codeRanges
    return try forEachSymbol { (symbol, names, strings) throws(ParseError) in
      // The header's own symbol belongs to a section too, but lies before it.
      guard symbol.isDefined, symbol.section > 0, Int(symbol.section) <= code.count,
        let section = code[Int(symbol.section) - 1], section.contains(symbol.value),
        var count = try names.count(at: UInt64(symbol.nameOffset))
      else { return true }
      var nameOffset = Int(symbol.nameOffset)
      if count > 0, strings[nameOffset] == UInt8(ascii: "_") {
        nameOffset += 1
        count -= 1
      }
      guard count > 0 else { return true }
      if count == Self.redacted.count, names.holds(Self.redacted, at: nameOffset) { count = 0 }
      let function = ObjectSymbol(
        address: symbol.value & ~thumbBit, size: 0, nameOffset: nameOffset, nameCount: count,
        isGlobal: symbol.isGlobal, isWeak: symbol.isWeak)
      return body(function)
    }
  }

  /// The addresses of each section, `nil` for those without code.
  private var codeRanges: [Range<UInt64>?] {
    let anyMarked = sections.contains(where: \.hasInstructions)
    let executable = Set(segments.filter(\.isExecutable).map(\.name))
    return sections.map { section in
      let isCode = anyMarked ? section.hasInstructions : executable.contains(section.segment)
      return isCode ? section.range : nil
    }
  }

  /// The name of functions in Apple's libraries whose names were removed: where one begins is
  /// all that is known.
  private static let redacted: [UInt8] = Array("<redacted>".utf8)

  /// The bit that 32-bit ARM sets in the address of a Thumb function.
  var thumbBit: UInt64 { header.cpuType == 12 ? 1 : 0 }

  /// The starts that no symbol of `named` has.
  ///
  /// The data is a list of unsigned LEB128 numbers: the first counts from `__TEXT`, each other from
  /// the one before; a zero ends it.
  ///
  /// Source: LC_FUNCTION_STARTS in mach-o/loader.h; the encoding as ld64 writes it.
  private func missingStarts(_ data: DataRange, in named: [ObjectSymbol]) -> [ObjectSymbol] {
    guard
      let view = try? bytes.slice(
        at: UInt64(data.offset), count: UInt64(data.size), of: "function starts")
    else { return [] }
    var reader = ByteReader(view.bytes, reading: "function starts")
    var address = imageBase
    var index = 0
    var starts: [ObjectSymbol] = []
    while !reader.isAtEnd, starts.count < ObjectLimits.functionStarts {
      guard let delta = try? reader.readULEB128(), delta != 0 else { break }
      let next = address.addingReportingOverflow(delta)
      guard !next.overflow else { break }
      address = next.partialValue
      let start = address & ~thumbBit
      while index < named.count && named[index].address < start { index += 1 }
      if index < named.count && named[index].address == start { continue }
      starts.append(
        ObjectSymbol(
          address: start, size: 0, nameOffset: 0, nameCount: 0, isGlobal: false, isWeak: false))
    }
    return starts
  }
}
