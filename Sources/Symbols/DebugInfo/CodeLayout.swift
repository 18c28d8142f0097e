public import Bytes
public import DWARF

/// The functions and inlined calls of an object side by side and sorted, so that each address has
/// one answer.
public struct CodeLayout: ~Copyable, Sendable {
  public let segments: Table<CodeSegment>
  /// The parts that were left out, as text for people.
  public let notes: [String]

  init(_ codeRanges: SortedCodeRanges, of tables: borrowing CodeTables, limits: DWARFLimits) {
    var sweep = SegmentSweep(overlapLimit: limits.overlaps)
    sweep.run(codeRanges.table, unitScopes: tables.unitScopes)
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

/// The ranges of an object's code, sorted by where they begin.
public final class SortedCodeRanges: Sendable {
  public let table: Table<CodeRange>

  init(_ codeRanges: consuming Table<CodeRange>) { table = CodeRangeSort.sort(codeRanges) }
}
