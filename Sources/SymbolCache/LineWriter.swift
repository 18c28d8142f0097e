internal import Bytes
internal import DWARF
internal import DebugInfo

/// Writes where the code comes from: the sections of line rows.
struct LineWriter: ~Copyable, Sendable {
  var starts = Table<UInt8>()
  var blocks = Table<UInt8>()
  var rows = Table<UInt8>()
  private(set) var paths: PathTable
  private let keepsColumns: Bool

  /// What the rows of a block are written against.
  private struct State {
    var file: UInt32 = 0
    var line: UInt32 = 0
    var column: UInt32 = 0
    var place: UInt64 = 0
    var block = RunBlock()
  }

  init(_ code: ObjectCode, keepsColumns: Bool) {
    self.keepsColumns = keepsColumns
    paths = PathTable(fileCount: code.tables.files.count)
    let runs = code.lineRuns()
    var state = State()
    var end: UInt32 = 0
    for index in 0..<runs.count {
      let run = runs[index]
      if run.start > end { writeRow(end, 0, &state) }
      end = run.end
      let sequence = code.tables.sequences[Int(run.scope)]
      let first = Int(sequence.firstRow)
      let last = first + Int(sequence.rowCount)
      for row in first..<last {
        let current = code.tables.rows[row]
        if current.address >= run.end { break }
        if current.address < run.start {
          // Only the last row before the start says what stands there.
          if row + 1 < last, code.tables.rows[row + 1].address <= run.start { continue }
          writeRow(run.start, current.place, &state)
        } else {
          writeRow(current.address, current.place, &state)
        }
      }
    }
    writeRow(end, 0, &state)
  }

  @inline(__always)
  private mutating func writeRow(_ address: UInt32, _ place: UInt64, _ state: inout State) {
    let place = keepsColumns ? place : place & ~0xffff
    if place == state.place { return }
    state.place = place
    if state.block.isFull(for: address) {
      starts.put(address)
      blocks.put(UInt32(truncatingIfNeeded: rows.count))
      state.block.begin(at: address, in: &rows)
      state.file = 0
      state.line = 0
      state.column = 0
    }
    state.block.add(address, to: &rows)
    if place == 0 {
      rows.append(SymbolCacheFormat.RowTag.nothing)
      return
    }
    let file = paths.number(of: UInt32(truncatingIfNeeded: place &>> 42))
    let line = UInt32(truncatingIfNeeded: place &>> 16) & 0x3ff_ffff
    let column = UInt32(truncatingIfNeeded: place & 0xffff)
    let delta = Int(line) &- Int(state.line)
    var tag: UInt8
    let biased = delta &+ SymbolCacheFormat.RowTag.lineBias
    if biased >= 0, biased <= SymbolCacheFormat.RowTag.lineLargest {
      tag = UInt8(truncatingIfNeeded: biased)
    } else {
      tag = SymbolCacheFormat.RowTag.otherLine
    }
    let isOther = tag == SymbolCacheFormat.RowTag.otherLine
    if file != state.file { tag |= SymbolCacheFormat.RowTag.file }
    if column != state.column { tag |= SymbolCacheFormat.RowTag.column }
    rows.append(tag)
    if isOther { rows.put(folded: Int32(truncatingIfNeeded: delta)) }
    if file != state.file { rows.put(varint: file) }
    if column != state.column { rows.put(varint: column) }
    state.file = file
    state.line = line
    state.column = column
  }
}
