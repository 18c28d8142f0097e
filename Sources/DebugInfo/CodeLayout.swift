public import Bytes
internal import DWARF
internal import ObjectFormats
internal import Workers

/// The code of an object side by side and sorted, so that each address has one answer.
public struct CodeLayout: ~Copyable, Sendable {
  /// Functions and inlined calls.
  public let segments: Table<CodeSegment>
  public let symbolRuns: Table<SymbolRun>
  /// What was left out, in words for a person.
  public let notes: [String]

  /// The pieces of an object's code, sorted by start.
  private final class Pieces: Sendable {
    let sorted: Table<CodePiece>

    init(_ tables: borrowing CodeTables) { sorted = PieceSort.sort(tables.pieces) }
  }

  init(_ code: ObjectCode, space: CodeSpace, limits: DWARFLimits, width: Int) {
    let pieces = Pieces(code.tables)
    let names = Background(isOn: width > 1) {
      var runs = SymbolRuns(overlapLimit: limits.overlaps)
      runs.run(
        code.symbols, space: space, pieces: pieces.sorted, tables: code.tables,
        sections: code.sections)
      return runs.finish()
    }
    var sweep = SegmentSweep(overlapLimit: limits.overlaps)
    sweep.run(pieces.sorted, unitScopes: code.tables.unitScopes)
    var notes: [String] = []
    if sweep.droppedCount > 0 {
      notes.append(
        "debug info: \(sweep.droppedCount) pieces of code left out where more than"
          + " \(limits.overlaps) overlap")
    }
    segments = sweep.segments
    symbolRuns = names.value()
    self.notes = notes
  }
}
