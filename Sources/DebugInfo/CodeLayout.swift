public import Bytes
internal import DWARF

/// The functions and inlined calls of an object side by side and sorted, so that each address has one
/// answer.
public struct CodeLayout: ~Copyable, Sendable {
  public let segments: Table<CodeSegment>
  /// What was left out, in words for a person.
  public let notes: [String]

  init(_ pieces: SortedPieces, of tables: borrowing CodeTables, limits: DWARFLimits) {
    var sweep = SegmentSweep(overlapLimit: limits.overlaps)
    sweep.run(pieces.table, unitScopes: tables.unitScopes)
    var notes: [String] = []
    if sweep.droppedCount > 0 {
      notes.append(
        "debug info: \(sweep.droppedCount) pieces of code left out where more than"
          + " \(limits.overlaps) overlap")
    }
    segments = sweep.segments
    self.notes = notes
  }
}

/// The pieces of an object's code, sorted by where they begin.
public final class SortedPieces: Sendable {
  let table: Table<CodePiece>

  init(_ pieces: borrowing Table<CodePiece>) { table = PieceSort.sort(pieces) }
}
