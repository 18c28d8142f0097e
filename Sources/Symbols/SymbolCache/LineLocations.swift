internal import Bytes
internal import DWARF
internal import DebugInfo

/// The line rows without overlaps, and the files that they name.
final class LineLocations: Sendable {
  /// Sorted, without overlaps; the scope of each is its sequence.
  let runs: Table<CodeRange>
  let paths: PathTable
  /// Whether a location needs more than two bytes for its file or three for its line.
  let isWide: Bool
  let keepsColumns: Bool

  init(_ code: ObjectCode, keepsColumns: Bool) {
    self.keepsColumns = keepsColumns
    runs = code.lineRuns()
    var paths = PathTable(fileCount: code.tables.files.count)
    var all: UInt64 = 0
    for index in 0..<runs.count {
      let sequence = code.tables.sequences[Int(runs[index].scope)]
      let first = Int(sequence.firstRow)
      for row in first..<(first + Int(sequence.rowCount)) {
        let location = code.tables.rows[row].location
        all |= location
        _ = paths.number(of: UInt32(truncatingIfNeeded: location &>> 42))
      }
    }
    isWide = paths.files.count > 0xffff || all &>> 16 & 0x3ff_ffff > 0xff_ffff
    self.paths = paths
  }
}
