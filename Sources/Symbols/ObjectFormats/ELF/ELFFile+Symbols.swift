internal import Bytes
internal import Compression

extension ELFFile {
  /// The symbol table of the section type `type`, if the file has its bytes.
  ///
  /// - Throws: ``ParseError`` when the headers name bytes outside the file.
  func symbolRange(ofType type: UInt32) throws(ParseError) -> ELFSymbolRange? {
    for (index, section) in sections.enumerated() where section.type == type && section.size > 0 {
      guard let names = Int(exactly: section.link), names > 0, names < sections.count,
        sections[names].hasContents
      else { continue }
      return ELFSymbolRange(
        symbols: try bytes(of: section), names: try bytes(of: sections[names]),
        sections: try bytes(ofSectionsFor: index))
    }
    return nil
  }

  /// The table of section numbers beside the symbol table with the index `table`.
  private func bytes(ofSectionsFor table: Int) throws(ParseError) -> ByteView {
    let beside = sections.first {
      $0.type == ELFSectionHeader.typeSymbolSections && $0.link == UInt32(clamping: table)
    }
    return try beside.map { section throws(ParseError) in try bytes(of: section) } ?? .empty
  }

  /// The functions of `.symtab`; where it names none, those of `.dynsym` and of the small object in
  /// `.gnu_debugdata` together, which holds what `.dynsym` leaves out.
  ///
  /// - Parameter addresses: For which alone it has to answer, if not for all.
  /// - Throws: ``ParseError`` for a table that lies outside the file.
  func symbolTable(
    executableRanges: [Range<UInt64>], near addresses: [UInt64]? = nil
  ) throws(ParseError) -> SymbolTable {
    if let table = try symbolRange(ofType: ELFSectionHeader.typeSymbols) {
      if let addresses {
        let reader = ELFSymbolReader(file: self, executableRanges: executableRanges)
        let symbols = try reader.functions(of: table, namesAt: 0, near: addresses)
        if let symbols, !symbols.isEmpty {
          return SymbolTable(names: table.names, sorting: symbols)
        }
      }
      let symbols = try functions(of: table, namesAt: 0, executableRanges)
      if !symbols.isEmpty { return SymbolTable(names: table.names, sorting: symbols) }
    }
    let dynamic = try dynamicSymbolRange()
    let small = try miniDebugInfo()
    let inner = try small?.symbolRange(ofType: ELFSectionHeader.typeSymbols)
    guard let small, let inner else {
      guard let dynamic else { return .empty }
      return SymbolTable(
        names: dynamic.names, sorting: try functions(of: dynamic, namesAt: 0, executableRanges))
    }
    guard let dynamic else {
      return SymbolTable(
        names: inner.names,
        sorting: try small.functions(of: inner, namesAt: 0, executableRanges))
    }
    // Two string tables become one.
    let names = ByteView(dynamic.names.array + inner.names.array)
    let symbols =
      try functions(of: dynamic, namesAt: 0, executableRanges)
      + small.functions(of: inner, namesAt: dynamic.names.count, executableRanges)
    return SymbolTable(names: names, sorting: symbols)
  }

  /// Whether ``symbolTable(executableRanges:)`` would name a function, without sorting.
  func hasFunctions(executableRanges: [Range<UInt64>]) -> Bool {
    if index(named: Self.miniDebugInfoName) != nil { return true }
    let tables = [
      try? symbolRange(ofType: ELFSectionHeader.typeSymbols), try? dynamicSymbolRange(),
    ]
    let reader = ELFSymbolReader(file: self, executableRanges: executableRanges)
    for case let table? in tables {
      var found = false
      try? reader.forEachFunction(of: table, namesAt: 0) { _ in
        found = true
        return false
      }
      if found { return true }
    }
    return false
  }

  /// The linked address of the symbol `name`, of whatever kind; `nil` where no table has it.
  ///
  /// - Throws: ``ParseError`` for a table that lies outside the file.
  func address(ofSymbol name: String) throws(ParseError) -> UInt64? {
    let wanted = Array(name.utf8) + [0]
    for table in [try dynamicSymbolRange(), try symbolRange(ofType: ELFSectionHeader.typeSymbols)] {
      guard let table else { continue }
      var reader = ByteReader(table.symbols.bytes, reading: "ELF symbols", endianness: endianness)
      while reader.remaining >= ELFSymbol.byteCount(addressSize: addressSize) {
        let symbol = try ELFSymbol(reading: &reader, addressSize: addressSize)
        let start = Int(symbol.nameOffset)
        guard symbol.hasAddress, start < table.names.count,
          table.names[start] == wanted[0],
          table.names.clamped(start..<start + wanted.count).array == wanted
        else { continue }
        return address(of: symbol)
      }
    }
    return nil
  }

  private func functions(
    of table: ELFSymbolRange, namesAt base: Int, _ executableRanges: [Range<UInt64>]
  ) throws(ParseError) -> [ObjectSymbol] {
    let reader = ELFSymbolReader(file: self, executableRanges: executableRanges)
    var symbols: [ObjectSymbol] = []
    symbols.reserveCapacity(table.symbols.count / ELFSymbol.byteCount(addressSize: addressSize))
    try reader.forEachFunction(of: table, namesAt: base) {
      symbols.append($0)
      return true
    }
    return symbols
  }

  private func dynamicSymbolRange() throws(ParseError) -> ELFSymbolRange? {
    if let table = try symbolRange(ofType: ELFSectionHeader.typeDynamicSymbols) { return table }
    return sections.isEmpty ? ELFDynamic(file: self)?.symbolRange(of: self) : nil
  }

  private static let miniDebugInfoName = ".gnu_debugdata"

  /// The small object in `.gnu_debugdata`: an .xz stream of an ELF file with a `.symtab`. What such
  /// an object holds in a section of that name is not looked at.
  ///
  /// Source: GDB manual, "Debugging information in a special section".
  private func miniDebugInfo() throws(ParseError) -> ELFFile? {
    guard let index = index(named: Self.miniDebugInfoName) else { return nil }
    let section = sections[index]
    let compressed = try bytes(of: section)
    guard !compressed.isEmpty else { return nil }
    do {
      return try ELFFile(
        parsing: XZ.decompress(compressed, limit: ObjectLimits.miniDebugInfoBytes))
    } catch let error as CompressionError {
      throw ParseError(
        .invalid(error.description), in: Self.miniDebugInfoName, at: Int(clamping: section.offset))
    } catch let error as ParseError {
      throw error
    } catch {
      return nil
    }
  }
}
