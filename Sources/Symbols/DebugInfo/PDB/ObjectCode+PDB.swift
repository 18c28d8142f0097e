internal import Bytes
internal import DWARF
internal import ObjectFormats

extension ObjectCode {
  /// Reads the modules and the public symbols of a PDB.
  ///
  /// Publics have the names that the linker saw (`?area@Shape@@QBEHXZ`), functions those of the
  /// source (`Shape::area`). A public names the function that begins there, and code that belongs to
  /// none; inside a function, where assembler code has them too, it names nothing.
  convenience init(pdb file: PDBFile, of object: ObjectFile, limits: DWARFLimits) {
    var sections = DWARFSections(endianness: .little, addressSize: object.addressSize)
    let tables = CodeTables.reading(file, strings: &sections.strings, limits: limits)
    var notes = tables.notes.lines
    var symbols = SymbolTable.empty
    do throws(ParseError) {
      if object.borrowsSymbols {
        symbols = try object.symbolTable()
      } else {
        let publics = try file.publicSymbols()
        symbols = publics.table
        if let damage = publics.damage { notes.append(damage.description) }
      }
    } catch {
      notes.append(error.description)
    }
    let space = CodeSpace(imageBase: 0, executable: object.executableRanges)
    symbols = symbols.leavingOut(inside: tables)
    self.init(tables, in: sections, symbols: symbols, space: space, notes: notes, limits: limits)
  }
}

extension SymbolTable {
  /// The symbols that do not lie within a function, but for its start.
  fileprivate func leavingOut(inside tables: borrowing CodeTables) -> SymbolTable {
    var functions: [Range<UInt32>] = []
    for index in 0..<tables.codeRanges.count {
      let codeRange = tables.codeRanges[index]
      guard tables.scopes[Int(codeRange.scope)].parent == CodeTables.none else { continue }
      functions.append(codeRange.start..<codeRange.end)
    }
    functions.sort { ($0.lowerBound, $1.upperBound) < ($1.lowerBound, $0.upperBound) }
    var next = 0
    var end: UInt32 = 0
    return keeping { symbol in
      guard let address = UInt32(exactly: symbol.address) else { return true }
      var isStart = false
      while next < functions.count, functions[next].lowerBound <= address {
        end = Swift.max(end, functions[next].upperBound)
        isStart = functions[next].lowerBound == address
        next += 1
      }
      // Several symbols may have the address of one function.
      if next > 0, functions[next - 1].lowerBound == address { isStart = true }
      return isStart || address >= end
    }
  }
}
