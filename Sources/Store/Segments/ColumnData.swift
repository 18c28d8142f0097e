internal import Bytes

/// The parts of a column, for reading. A constant one is one run.
struct ColumnData {
  let entry: ColumnEntry
  let rowCount: Int
  let isPlain: Bool
  /// The width of ``values``.
  let width: Int
  let runCount: Int
  let dictionary: ByteView
  /// The first row of each run, four bytes each.
  let starts: ByteView
  let values: ByteView
  let limits: ByteView

  private static let zeros = ByteView([0, 0, 0, 0])

  /// - Parameter section: The entry's section.
  init(_ entry: ColumnEntry, rowCount: Int, section: ByteView) {
    self.entry = entry
    self.rowCount = rowCount
    isPlain = entry.encoding == .plain
    let parts = entry.parts(rowCount: rowCount)
    dictionary = section.clamped(parts.dictionary)
    limits = section.clamped(parts.limits)
    guard entry.encoding != .constant else {
      width = 1
      runCount = min(rowCount, 1)
      (starts, values) = (Self.zeros, Self.zeros)
      return
    }
    width = entry.width
    runCount = entry.runCount
    starts = section.clamped(parts.starts)
    values = section.clamped(parts.values)
  }

  /// Whether there is a value for each row, which is not the index of a dictionary entry.
  var isNumber: Bool { isPlain && entry.kind == .number }

  /// The number of different values; those of a plain number are not known.
  var codeCount: Int { entry.encoding == .constant ? 1 : entry.dictionaryCount }

  /// The values of the codes, in ascending order.
  ///
  /// - Complexity: O(``codeCount``).
  var codes: [Int] {
    var codes: [Int] = []
    codes.reserveCapacity(codeCount)
    forEachCode { codes.append($1) }
    return codes
  }

  /// Calls `body` with the index of each dictionary entry and its value, in ascending order.
  @inline(__always)
  func forEachCode(_ body: (_ code: Int, _ value: Int) -> Void) {
    guard entry.encoding != .constant else { return body(0, entry.base) }
    let values = PlainReader(dictionary.bytes, width: entry.dictionaryWidth, base: entry.base)
    for code in 0..<codeCount { body(code, values[code]) }
  }

  /// The index of the dictionary entry of a row, which exists.
  func code(ofRow row: Int) -> Int {
    isPlain ? Int(rows.stored(row)) : runs.code(of: runs.run(ofRow: row))
  }

  /// The value of a row, which exists.
  func value(ofRow row: Int) -> Int {
    if isNumber { return rows[row] }
    return value(ofCode: code(ofRow: row))
  }

  /// The value of a dictionary entry.
  @inline(__always)
  func value(ofCode code: Int) -> Int {
    guard entry.encoding != .constant else { return entry.base }
    return entry.base
      &+ Int(bitPattern: UInt(dictionary.bytes.number(code, width: entry.dictionaryWidth)))
  }

  /// The first dictionary entry for which `isBefore` does not hold; ``codeCount`` where it holds for all.
  @inline(__always)
  func firstCode(where isBefore: (Int) -> Bool) -> Int {
    (0..<codeCount).lowerBound { isBefore(value(ofCode: $0)) }
  }

  /// Finds values that would be read outside of the section.
  ///
  /// - Throws: ``ParseError``.
  /// - Complexity: O(n).
  func verify() throws(ParseError) {
    guard entry.encoding != .constant else { return }
    var isValid = true
    if entry.encoding == .runs {
      let bytes = starts.bytes
      isValid = bytes.number(0, as: UInt32.self) == 0
      var last: UInt32 = 0
      for run in 1..<max(runCount, 1) {
        let start = bytes.number(run, as: UInt32.self)
        isValid = isValid && start > last
        last = start
      }
      isValid = isValid && last < rowCount
    }
    if entry.kind == .code {
      let count = isPlain ? rowCount : runCount
      let most: UInt64 =
        switch width {
        case 1: UInt64(greatest(of: count, as: UInt8.self))
        case 2: UInt64(greatest(of: count, as: UInt16.self))
        default: UInt64(greatest(of: count, as: UInt32.self))
        }
      isValid = isValid && most < codeCount
      var last: Int?
      forEachCode { _, value in
        isValid = isValid && last.map { $0 < value } ?? true
        last = value
      }
    }
    guard isValid else {
      throw ParseError(.invalid("values out of range"), in: entry.structure, at: entry.offset)
    }
  }

  private func greatest<Number: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    of count: Int, as _: Number.Type
  ) -> Number {
    let bytes = values.bytes
    var most: Number = 0
    for index in 0..<count { most = max(most, bytes.number(index, as: Number.self)) }
    return most
  }
}

extension RawSpan {
  /// The number at an index that was checked before.
  @inline(__always)
  func number<Number: FixedWidthInteger & BitwiseCopyable>(
    _ index: Int, as _: Number.Type
  ) -> Number {
    let offset = index &* MemoryLayout<Number>.size
    return Number(littleEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  /// The number of `width` bytes at an index that was checked before.
  @inline(__always)
  func number(_ index: Int, width: Int) -> UInt64 {
    switch width {
    case 1: UInt64(number(index, as: UInt8.self))
    case 2: UInt64(number(index, as: UInt16.self))
    case 4: UInt64(number(index, as: UInt32.self))
    default: number(index, as: UInt64.self)
    }
  }
}
