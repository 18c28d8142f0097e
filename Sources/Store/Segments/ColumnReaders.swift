internal import Bytes

/// The runs of a column, borrowed for loops.
struct RunReader: ~Escapable {
  private let starts: RawSpan
  private let codes: RawSpan
  private let width: Int
  let count: Int
  private let rowCount: Int

  @_lifetime(copy starts, copy codes)
  init(starts: RawSpan, codes: RawSpan, width: Int, count: Int, rowCount: Int) {
    self.starts = starts
    self.codes = codes
    self.width = width
    self.count = count
    self.rowCount = rowCount
  }

  /// The first row of a run, and for ``count`` the end of the last.
  @inline(__always)
  func start(of run: Int) -> Int {
    run < count ? Int(starts.number(run, as: UInt32.self)) : rowCount
  }

  @inline(__always)
  func rows(of run: Int) -> Range<Int> {
    // Starts ascend in a file that was checked.
    unsafe Range(uncheckedBounds: (start(of: run), start(of: run &+ 1)))
  }

  /// The index of a run's dictionary entry.
  @inline(__always)
  func code(of run: Int) -> Int { Int(codes.number(run, width: width)) }

  /// The run of a row, which exists.
  func run(ofRow row: Int) -> Int { (0..<count).lowerBound { start(of: $0) <= row } - 1 }

  /// The first run from `run` on that starts at `row` or after it.
  @inline(__always)
  func firstRun(from run: Int, startingAt row: Int) -> Int {
    // Most are near: steps double until one reaches too far.
    var step = 4
    var low = run
    while low &+ step < count, start(of: low &+ step) < row {
      low &+= step
      step &*= 2
    }
    return (low..<min(low &+ step &+ 1, count)).lowerBound { start(of: $0) < row }
  }
}

/// The values of a column that has one for each row, borrowed for loops.
struct PlainReader: ~Escapable {
  let bytes: RawSpan
  private let width: Int
  private let base: Int

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, width: Int, base: Int) {
    self.bytes = bytes
    self.width = width
    self.base = base
  }

  /// The stored value of a row: a number less the base, or the index of a dictionary entry.
  @inline(__always)
  func stored(_ row: Int) -> UInt64 { bytes.number(row, width: width) }

  /// The number of a row.
  @inline(__always)
  subscript(row: Int) -> Int { base &+ Int(bitPattern: UInt(stored(row))) }
}

extension ColumnData {
  /// For a column that is not plain.
  var runs: RunReader {
    @_lifetime(borrow self)
    get {
      RunReader(
        starts: starts.bytes, codes: values.bytes, width: width, count: runCount,
        rowCount: rowCount)
    }
  }

  /// For a plain column.
  var rows: PlainReader {
    @_lifetime(borrow self)
    get { PlainReader(values.bytes, width: width, base: entry.base) }
  }
}
