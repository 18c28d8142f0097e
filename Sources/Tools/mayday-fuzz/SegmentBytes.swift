internal import Bytes
internal import Segments

/// Segments of the search index as input.
enum SegmentBytes {
  private static let columns =
    [
      SegmentColumnDeclaration(.report, .number), SegmentColumnDeclaration(.time, .number),
      SegmentColumnDeclaration(.install, .number),
    ]
    + [SegmentColumn.origin, .stack, .release, SegmentColumn(rawValue: 20)]
    .map { SegmentColumnDeclaration($0, .code) }

  /// Returns a segment of values that bytes of a file are taken for.
  static func seed(of bytes: ByteView) -> [UInt8] {
    var writer = SegmentWriter(columns: columns)
    let order = writer.columns
    for start in stride(from: 0, to: bytes.count - 8, by: 8) {
      let row = order.enumerated().map { index, column in
        let value = Int(bytes[start + index])
        return switch column.column {
        case .report: start + 1
        case .time: 1_700_000_000_000_000 + value * 3_600_000_000
        case .origin, .release: value % 5
        default: value
        }
      }
      writer.append(row.span)
    }
    return writer.finish().flatMap(\.array)
  }

  static func read(_ bytes: ByteView) {
    guard let segment = try? Segment(opening: bytes, checksSums: false) else { return }
    try? segment.verify()
    let value = bytes.isEmpty ? 0 : Int(bytes[bytes.count - 1])
    var conditions: [SegmentCondition] = []
    for column in segment.columns.map(\.column) {
      let values = SegmentCheck.values(column, ValueSet([0, 1, value]))
      conditions.append(SegmentCondition([values], isNegated: column.rawValue % 2 == 1))
      conditions.append(SegmentCondition([.range(column, -value...value), values]))
    }
    for condition in conditions {
      guard let rows = try? segment.rows(matching: [condition]) else { continue }
      _ = try? segment.countsByOrigin(of: rows)
      _ = try? segment.countsByDay(of: rows)
      for column in segment.columns.map(\.column) {
        _ = try? segment.counts(by: column, of: rows)
        _ = try? segment.countsByOrigin(and: column, of: rows)
        _ = try? segment.values(of: column, at: rows)
      }
      var installs = SegmentInstalls(of: [0, 1, value])
      try? installs.add(segment, rows: rows)
      try? installs.add(segment, rows: rows, by: .release, .stack) { [$0.first, 0] }
      _ = installs.counts()
      let columns = segment.columns.map { CountedColumn($0.column) }
      _ = try? segment.markedCounts(by: columns, of: rows, seed: 1)
      _ = try? segment.countsByRelease(
        and: CountedColumn(.stack), in: [0: 0, value + 1: 1], count: 2, of: rows)
      var cases = SegmentCases()
      try? cases.add(segment, rows: rows)
      _ = cases.cases()
    }
    let merge = SegmentMerge(
      [SegmentMerge.Source(segment), SegmentMerge.Source(segment)], columns: columns)
    try? merge.run { parts in
      var file: [UInt8] = []
      for part in parts { file += part.array }
      guard let merged = try? Segment(opening: ByteView(file)), (try? merged.verify()) != nil else {
        fatalError("a merged segment is damaged")
      }
    }
  }
}
