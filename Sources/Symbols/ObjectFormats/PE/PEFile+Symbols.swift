internal import Bytes

extension PEFile {
  /// The functions of the COFF symbol table; of a file without one, those that it exports.
  ///
  /// Where an object file's code begins there is a symbol without a name: symbols have no sizes
  /// here, and what follows is not of the last function before it, whose own name may be stripped.
  ///
  /// - Throws: ``ParseError`` for a table that lies outside the file.
  func symbolTable() throws(ParseError) -> SymbolTable {
    var functions: [ObjectSymbol] = []
    let names = try forEachFunction { symbol in
      functions.append(symbol)
      return true
    }
    if functions.allSatisfy({ $0.nameCount == 0 }) { return try exportTable() }
    return SymbolTable(names: names, sorting: functions)
  }

  var hasFunctions: Bool {
    var found = false
    _ = try? forEachFunction { symbol in
      found = symbol.nameCount > 0
      return !found
    }
    return found || (try? exportTable().symbols.isEmpty) == false
  }

  /// Calls `body` with each function of the symbol table, and each start of an object file's code,
  /// until it answers `false`, and returns the bytes that hold the names: the symbol table and the
  /// strings after it.
  private func forEachFunction(
    _ body: (ObjectSymbol) -> Bool
  ) throws(ParseError) -> ByteView {
    guard header.symbolTable > 0, header.symbolCount > 0 else { return .empty }
    let size = UInt64(header.symbolCount) * UInt64(COFFSymbol.byteCount)
    let table = try bytes.slice(at: UInt64(header.symbolTable), count: size, of: "COFF symbols")
    let strings = COFFStrings(in: bytes, header: header)?.bytes ?? .empty
    let all = try bytes.slice(
      at: UInt64(header.symbolTable), count: size + UInt64(strings.count), of: "COFF symbols")
    var names = SymbolNameReader(strings)
    var reader = ByteReader(
      table.bytes, reading: "COFF symbols", base: Int(header.symbolTable))
    while reader.remaining >= COFFSymbol.byteCount {
      let position = reader.position
      let symbol = try COFFSymbol(reading: &reader)
      let auxiliary = Int(symbol.auxiliaryCount) * COFFSymbol.byteCount
      try reader.skip(min(auxiliary, reader.remaining))
      guard symbol.isDefinition || symbol.isPartOfSection, Int(symbol.section) <= sections.count
      else { continue }
      let section = sections[Int(symbol.section) - 1]
      guard section.isExecutable, symbol.value < section.size else { continue }
      let address = header.imageBase &+ UInt64(section.address) &+ UInt64(symbol.value)
      if symbol.isPartOfSection {
        let start = ObjectSymbol(
          address: address, size: 0, nameOffset: 0, nameCount: 0, isGlobal: false, isWeak: false)
        guard body(start) else { break }
        continue
      }
      var nameOffset = position
      var nameCount = symbol.shortNameCount
      if let offset = symbol.longNameOffset {
        guard let count = try names.count(at: UInt64(offset)) else { continue }
        nameOffset = table.count + Int(offset)
        nameCount = count
      }
      guard nameCount > 0 else { continue }
      let function = ObjectSymbol(
        address: address, size: 0, nameOffset: nameOffset, nameCount: nameCount,
        isGlobal: symbol.isGlobal, isWeak: symbol.isWeak)
      guard body(function) else { break }
    }
    return all
  }

  /// The functions that the file offers to others by name.
  ///
  ///     OFFSET  SIZE  FIELD
  ///         20     4  number of addresses
  ///         24     4  number of names
  ///         28     4  where the addresses are, 4 bytes each
  ///         32     4  where the addresses of the names are, 4 bytes each
  ///         36     4  for each name the index of its address, 2 bytes each
  ///
  /// All from the image base. An address inside the table itself names a function of another file.
  ///
  /// A name holds up to the end of the function that it is the name of, by the table for unwinding.
  /// Where that has no such function, as for those that call none and on x86, only the address
  /// itself is sure to be its own.
  ///
  /// Source: Microsoft, "PE Format", "The .edata Section".
  private func exportTable() throws(ParseError) -> SymbolTable {
    guard let directory = header.exports, let table = loaded(at: directory.address) else {
      return .empty
    }
    var reader = ByteReader(table.bytes, reading: "export table")
    try reader.skip(20)
    let addressCount: UInt32 = try reader.read()
    let nameCount: UInt32 = try reader.read()
    let addresses: UInt32 = try reader.read()
    let nameOffsets: UInt32 = try reader.read()
    let ordinals: UInt32 = try reader.read()
    guard let addresses = loaded(at: addresses), let nameOffsets = loaded(at: nameOffsets),
      let ordinals = loaded(at: ordinals)
    else { return .empty }
    let count = min(Int(nameCount), nameOffsets.count / 4, ordinals.count / 2)
    let own = UInt64(directory.address)..<(UInt64(directory.address) + UInt64(directory.size))
    let code = sections.filter(\.isExecutable).map(\.range).merged()
    var names = SymbolNameReader(bytes)
    let bounds = PEFunctionBounds(reading: self)
    var functions: [ObjectSymbol] = []
    for index in 0..<count {
      let ordinal = Int(ordinals.number(at: index * 2, size: 2))
      let nameAddress = UInt32(nameOffsets.number(at: index * 4, size: 4))
      guard ordinal < Int(addressCount), ordinal < addresses.count / 4,
        let nameOffset = fileOffset(of: nameAddress)
      else { continue }
      let address = addresses.number(at: ordinal * 4, size: 4)
      guard !own.contains(address), code.covers(address),
        let length = try names.count(at: UInt64(nameOffset)), length > 0
      else { continue }
      functions.append(
        ObjectSymbol(
          address: header.imageBase &+ address, size: size(at: address, bounds),
          nameOffset: nameOffset, nameCount: length, isGlobal: true, isWeak: false))
    }
    return SymbolTable(names: bytes, sorting: functions)
  }

  private func size(at address: UInt64, _ bounds: PEFunctionBounds) -> UInt64 {
    guard let address = UInt32(exactly: address), let end = bounds.end(of: address) else {
      return 1
    }
    return UInt64(end - address)
  }

  /// Where in the file lies what is loaded at `address`.
  private func fileOffset(of address: UInt32) -> Int? {
    sections.first { address >= $0.address && address - $0.address < $0.fileSize }
      .map { Int($0.fileOffset) + Int(address - $0.address) }
  }
}

extension ByteView {
  /// The little-endian number of `size` bytes at `offset`, which must lie in the view.
  fileprivate func number(at offset: Int, size: Int) -> UInt64 {
    (0..<size).reduce(0) { $0 | UInt64(self[offset + $1]) << UInt64(8 * $1) }
  }
}
