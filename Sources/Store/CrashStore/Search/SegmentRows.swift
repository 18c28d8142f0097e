internal import Bytes
internal import Segments

/// Columns of some rows of a segment.
struct SegmentRows {
  private let reports: [Int]
  private let columns: [(field: SearchField, numbers: [Int])]

  /// - Parameters:
  ///   - rows: Rows of the segment.
  ///   - fields: The columns, besides the group.
  /// - Throws: `ParseError` where the file is damaged.
  init(
    _ rows: RowSet, of part: SearchSegments.Part, _ fields: [SearchField]
  ) throws(ParseError) {
    reports = try part.segment.values(of: .report, at: rows)
    var columns: [(field: SearchField, numbers: [Int])] = []
    for field in Set(fields + [.group]) {
      columns.append((field, try part.segment.values(of: SegmentColumn(field), at: rows)))
    }
    self.columns = columns
  }

  /// Calls `body` with the rows in order, as many as a chunk has at a time.
  func forEachChunk(
    _ body: (SearchChunk, _ positions: ChunkPositions) throws -> Void
  ) rethrows {
    var chunk = SearchChunk()
    var start = 0
    while start < reports.count {
      let end = min(start + SearchChunk.size, reports.count)
      chunk.open(
        Array(reports[start..<end]), columns: columns.map { ($0, Array($1[start..<end])) })
      try body(chunk, ChunkPositions(0..<end - start))
      start = end
    }
  }
}
