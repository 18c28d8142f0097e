public import Bytes
internal import DWARF
internal import ObjectFormats

/// The code of an object side by side and sorted, so that each address has one answer.
public struct CodeLayout: ~Copyable, Sendable {
  /// Functions and inlined calls.
  public let segments: Table<CodeSegment>
  public let symbolRuns: Table<SymbolRun>
  /// What was left out, in words for a person.
  public let notes: [String]

  init(
    _ tables: borrowing CodeTables, symbols: SymbolTable, sections: DWARFSections?,
    space: CodeSpace, limits: DWARFLimits
  ) {
    var copy = Table<CodePiece>(minimumCapacity: tables.pieces.count)
    copy.append(contentsOf: tables.pieces.span)
    let pieces = PieceSort.sort(copy)
    var sweep = SegmentSweep(overlapLimit: limits.overlaps)
    sweep.run(pieces, unitScopes: tables.unitScopes)
    var notes: [String] = []
    if sweep.droppedCount > 0 {
      notes.append(
        "debug info: \(sweep.droppedCount) pieces of code left out where more than"
          + " \(limits.overlaps) overlap")
    }
    var names = SymbolRuns(overlapLimit: limits.overlaps)
    names.run(symbols, space: space, pieces: pieces, tables: tables, sections: sections)
    segments = sweep.segments
    symbolRuns = names.runs
    self.notes = notes
  }
}
