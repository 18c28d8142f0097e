public import Bytes
public import DWARF
public import ObjectFormats

/// What an object file says about its code, whatever it is written in: laid side by side and sorted,
/// so that each address has one answer.
///
/// All addresses are offsets from ``ObjectFile/imageBase``.
public struct ObjectCode: ~Copyable {
  /// Where the names of ``tables`` lie; `nil` for an object without debug information.
  public let sections: DWARFSections?
  public let tables: CodeTables
  /// Where the names of ``symbolRuns`` lie.
  public let symbols: SymbolTable
  public let segments: Table<CodeSegment>
  /// Which line sequence counts where; the `scope` of a piece is the sequence's index.
  public let lineRuns: Table<CodePiece>
  public let symbolRuns: Table<SymbolRun>
  /// Damage that was met, in words for a person.
  public let notes: [String]

  /// Reads the object's symbol tables and, if it has them, the sections of its debug information.
  ///
  /// - Parameter companions: The files in which its debug information goes on.
  /// Damage to a part leaves a note.
  public init(
    _ object: ObjectFile, companions: Companions = .none, limits: DWARFLimits = DWARFLimits()
  ) throws(ParseError) {
    if object.container == .breakpad {
      self.init(breakpad: object, limits: limits)
      return
    }
    if let file = object.pdbFile {
      self.init(pdb: file, of: object, limits: limits)
      return
    }
    var notes: [String] = []
    let space = CodeSpace(
      imageBase: object.imageBase, executable: object.executableRanges,
      startsBeforeZero: object.container == .wasm)
    var symbols = SymbolTable.empty
    do throws(ParseError) {
      symbols = try object.symbolTable()
    } catch {
      notes.append(error.description)
    }
    var sections = DWARFSections(
      endianness: object.endianness, addressSize: object.addressSize)
    if object.hasDebugInfo {
      sections.load(from: object, notes: &notes)
      notes += sections.add(companions.sections(for: object, notes: &notes), limits: limits)
    } else if let map = try? object.debugMap() {
      let tables = Self.tables(
        of: map, in: space, companions, limits: limits, strings: &sections.strings, notes: &notes)
      self.init(
        tables, in: sections, symbols: symbols, space: space, notes: notes, limits: limits)
      return
    }
    let tables = CodeTables.reading(sections, space: space, limits: limits)
    notes += tables.notes.lines
    if tables.skeletonCount > 0 {
      notes += Companions.notes(missing: sections.missingUnits(limits: limits))
    }

    if let link = object.alternateLink, companions.alternate == nil {
      notes.append(
        "debug info: names are missing that dwz moved to \(link.path), build id \(link.codeID)")
    }

    if object.container == .wasm { symbols = symbols.withoutFunctions(of: tables, in: space) }
    self.init(
      tables, in: object.hasDebugInfo ? sections : nil, symbols: symbols, space: space,
      notes: notes, limits: limits)
  }

  /// Lays tables side by side that were read already, from DWARF or with ``CodeTablesBuilder``.
  ///
  /// - Parameters:
  ///   - sections: Where the names of `tables` lie; of a built one only the strings matter.
  ///   - symbols: Names for code of which `tables` tell nothing, and for functions of theirs that begin
  ///     at a symbol.
  ///   - notes: Damage that was met; the words of `tables` are among them.
  init(
    _ tables: consuming CodeTables, in sections: DWARFSections?, symbols: SymbolTable,
    space: CodeSpace, notes: [String], limits: DWARFLimits
  ) {
    var notes = notes
    let pieces = PieceSort.sort(Self.copy(tables.pieces))
    var sweep = SegmentSweep(overlapLimit: limits.overlaps)
    sweep.run(pieces, unitScopes: tables.unitScopes)
    if sweep.droppedCount > 0 {
      notes.append(
        "debug info: \(sweep.droppedCount) pieces of code left out where more than"
          + " \(limits.overlaps) overlap")
    }
    var names = SymbolRuns(overlapLimit: limits.overlaps)
    names.run(symbols, space: space, pieces: pieces, tables: tables, sections: sections)
    self.sections = sections
    lineRuns = Self.lineRuns(tables.sequences)
    segments = sweep.segments
    symbolRuns = names.runs
    self.symbols = symbols
    self.tables = tables
    self.notes = notes
  }

  private static func copy(_ pieces: borrowing Table<CodePiece>) -> Table<CodePiece> {
    var copy = Table<CodePiece>(minimumCapacity: pieces.count)
    copy.append(contentsOf: pieces.span)
    return copy
  }

  /// Where sequences overlap, the one that begins first counts to its end; of two that begin
  /// together the first in the section.
  private static func lineRuns(
    _ sequences: borrowing Table<LineSequence>
  ) -> Table<CodePiece> {
    var pieces = Table<CodePiece>(minimumCapacity: sequences.count)
    for index in 0..<sequences.count {
      pieces.append(
        CodePiece(
          start: sequences[index].start, end: sequences[index].end,
          scope: UInt32(truncatingIfNeeded: index)))
    }
    let sorted = PieceSort.sort(pieces)
    var runs = Table<CodePiece>(minimumCapacity: sorted.count)
    var end: UInt32 = 0
    for index in 0..<sorted.count {
      var piece = sorted[index]
      piece.start = max(piece.start, end)
      guard piece.end > piece.start else { continue }
      end = piece.end
      runs.append(piece)
    }
    return runs
  }
}
