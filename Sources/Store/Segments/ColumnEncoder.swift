internal import Bytes
internal import Compression

/// Encodes the values of a column.
struct ColumnEncoder {
  private(set) var entry: ColumnEntry
  private(set) var section = ByteView.empty

  /// - Parameters:
  ///   - values: A value for each row.
  ///   - borders: Rows at which runs must end, for a column by which rows are sorted; where runs of the
  ///     column end is added.
  init(
    _ declaration: SegmentColumnDeclaration, _ values: [Int], borders: inout RowSet
  ) {
    entry = ColumnEntry(column: declaration.column, kind: declaration.kind)
    let isSorted = SegmentColumn.sorted.contains(declaration.column)
    var starts: [UInt32] = []
    var last = 0
    for (row, value) in values.enumerated() {
      if row == 0 || value != last || isSorted && borders.contains(row) {
        starts.append(UInt32(row))
        if isSorted { borders.insert(row) }
      }
      last = value
    }
    entry.base = values.min() ?? 0
    guard starts.count > 1 else { return }
    if declaration.kind == .number {
      encodeNumbers(values)
    } else {
      encodeCodes(values, starts, isSorted: isSorted)
    }
    entry.checksum = CRC32.checksum(of: section)
  }

  private static func width(for most: UInt64) -> Int {
    most > 0xffff_ffff ? 8 : most > 0xffff ? 4 : most > 0xff ? 2 : 1
  }

  private func offset(_ value: Int) -> UInt64 { UInt64(bitPattern: Int64(value &- entry.base)) }

  private mutating func encodeNumbers(_ values: [Int]) {
    entry.encoding = .plain
    entry.width = Self.width(for: values.reduce(0) { max($0, offset($1)) })
    let parts = entry.parts(rowCount: values.count)
    var bytes = Table<UInt8>(minimumCapacity: parts.size)
    bytes.append(values.count, width: entry.width) { offset(values[$0]) }
    bytes.resize(to: parts.limits.lowerBound, filling: 0)
    for start in stride(from: 0, to: values.count, by: SegmentFormat.blockSize) {
      let block = values[start..<min(start + SegmentFormat.blockSize, values.count)]
      let limits = block.reduce((UInt64.max, UInt64.min)) { limits, value in
        (min(limits.0, offset(value)), max(limits.1, offset(value)))
      }
      bytes.append(2, width: entry.width) { $0 == 0 ? limits.0 : limits.1 }
    }
    bytes.resize(to: parts.size, filling: 0)
    section = ByteView(taking: bytes)
  }

  private mutating func encodeCodes(_ values: [Int], _ starts: [UInt32], isSorted: Bool) {
    let numbering = Numbering(starts.map { values[Int($0)] })
    entry.dictionaryCount = numbering.values.count
    entry.dictionaryWidth = Self.width(for: numbering.values.last.map(offset) ?? 0)
    entry.width = Self.width(for: UInt64(numbering.values.count - 1))
    // A run costs a scan as much as many plain codes.
    let runs = starts.count * (4 + entry.width)
    let isInRuns = isSorted || runs <= values.count * entry.width / 2
    entry.encoding = isInRuns ? .runs : .plain
    entry.runCount = isInRuns ? starts.count : 0
    let parts = entry.parts(rowCount: values.count)
    var bytes = Table<UInt8>(minimumCapacity: parts.size)
    bytes.append(numbering.values.count, width: entry.dictionaryWidth) {
      offset(numbering.values[$0])
    }
    bytes.resize(to: parts.starts.lowerBound, filling: 0)
    if isInRuns {
      bytes.append(starts.count, width: 4) { UInt64(starts[$0]) }
      bytes.resize(to: parts.values.lowerBound, filling: 0)
      bytes.append(starts.count, width: entry.width) {
        UInt64(numbering.index(of: values[Int(starts[$0])]))
      }
    } else {
      bytes.resize(to: parts.values.lowerBound, filling: 0)
      bytes.append(values.count, width: entry.width) { UInt64(numbering.index(of: values[$0])) }
    }
    bytes.resize(to: parts.size, filling: 0)
    section = ByteView(taking: bytes)
  }

  /// The entry, for a section that begins at `offset`.
  func entry(at offset: Int) -> ColumnEntry {
    var entry = entry
    entry.offset = offset
    return entry
  }
}

/// Distinct values and their order.
struct Numbering {
  /// In ascending order.
  private(set) var values: [Int] = []
  /// The index of each value, by what it exceeds the first by; empty where they are far apart.
  private var indices: [UInt32] = []

  init(_ list: [Int]) {
    guard let first = list.min(), let last = list.max() else { return }
    let span = UInt(bitPattern: last &- first)
    // A table may be somewhat larger than the list; another way is to sort.
    guard span < UInt(list.count * 16 + 1 << 16) else {
      for value in list.sorted() where values.last != value { values.append(value) }
      return
    }
    indices = [UInt32](repeating: 0, count: Int(span) + 1)
    for value in list { indices[value - first] = 1 }
    for place in indices.indices where indices[place] > 0 {
      indices[place] = UInt32(values.count)
      values.append(first + place)
    }
  }

  /// The index of a value that is there.
  @inline(__always)
  func index(of value: Int) -> Int {
    indices.isEmpty ? values.lowerBound { $0 < value } : Int(indices[value &- values[0]])
  }
}

extension Table<UInt8> {
  /// Appends numbers of `width` bytes.
  @inline(__always)
  fileprivate mutating func append(_ count: Int, width: Int, _ number: (Int) -> UInt64) {
    for index in 0..<count {
      let number = number(index)
      switch width {
      case 1: append(UInt8(truncatingIfNeeded: number))
      case 2: append(littleEndian: UInt16(truncatingIfNeeded: number))
      case 4: append(littleEndian: UInt32(truncatingIfNeeded: number))
      default: append(littleEndian: number)
      }
    }
  }
}
