package import Bytes

extension PDBFile {
  private static let recordPublic: UInt16 = 0x110e

  /// The public symbols in code, under their linkage names.
  ///
  /// The stream of publics lists them in the order of their addresses:
  ///
  ///     OFFSET  SIZE  FIELD
  ///          0     4  size of the hash table
  ///          4     4  size of the address map
  ///         28    4n  after the hash table: offsets of records in the stream of symbol records
  ///
  /// A record:
  ///
  ///     OFFSET  SIZE  FIELD
  ///          0     2  size of what follows
  ///          2     2  0x110e
  ///          4     4  flags
  ///          8     4  offset in the section
  ///         12     2  section, from 1
  ///         14     n  name, with a NUL
  ///
  /// Source: LLVM docs, "The PDB Public Symbol Stream"; PUBSYM32 in Microsoft's cvinfo.h.
  ///
  /// - Throws: ``ParseError`` when the streams cannot be read.
  func symbolTable() throws(ParseError) -> SymbolTable { try publicSymbols().table }

  /// The symbol table like ``symbolTable()``, with the error for the first reference that leads to
  /// no record.
  package func publicSymbols() throws(ParseError) -> (table: SymbolTable, damage: ParseError?) {
    guard let dbi, let publics = dbi.publics, let records = dbi.symbolRecords else {
      return (.empty, nil)
    }
    var damage: ParseError?
    let index = try container.stream(publics)
    var head = ByteReader(index.bytes, reading: "PDB publics")
    let hashSize: UInt32 = try head.read()
    let mapSize: UInt32 = try head.read()
    let map = try index.slice(
      at: 28 + UInt64(hashSize), count: UInt64(mapSize), of: "PDB address map")
    let names = try container.stream(records)
    var ends = SymbolNameReader(names)
    let code = executableRanges
    var symbols: [ObjectSymbol] = []
    var offsets = ByteReader(map.bytes, reading: "PDB address map")
    var record = ByteReader(names.bytes, reading: "PDB public symbol")
    while offsets.remaining >= 4 {
      let start = Int(try offsets.read(UInt32.self))
      let section: UInt16
      let offset: UInt32
      do throws(ParseError) {
        try record.seek(to: start + 2)
        let kind: UInt16 = try record.read()
        guard kind == Self.recordPublic else {
          throw record.error(.invalid("a record \(kind.hexadecimal)"))
        }
        try record.skip(4)
        offset = try record.read()
        section = try record.read()
      } catch {
        damage = damage ?? error
        continue
      }
      guard let linked = addresses.linked(section: section, offset: offset),
        let address = addresses.moved(linked), code.covers(UInt64(address)),
        let count = try ends.count(at: UInt64(record.position)), count > 0
      else { continue }
      symbols.append(
        ObjectSymbol(
          address: UInt64(address), size: 0, nameOffset: record.position, nameCount: count,
          isGlobal: true, isWeak: false))
    }
    return (SymbolTable(names: names, sorting: symbols), damage)
  }

  var hasFunctions: Bool {
    guard let dbi, let publics = dbi.publics, dbi.symbolRecords != nil else { return false }
    return container.size(of: publics) > 28
  }
}
