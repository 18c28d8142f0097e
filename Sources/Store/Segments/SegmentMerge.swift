public import Bytes

/// Several segments as one, or as several full ones, without the rows that were deleted.
public struct SegmentMerge {
  /// A segment to merge.
  public struct Source {
    public let segment: Segment
    public let deleted: RowSet?

    /// - Parameter deleted: Rows of the segment to leave out.
    public init(_ segment: Segment, except deleted: RowSet? = nil) {
      precondition(deleted.map { $0.rowCount == segment.rowCount } ?? true)
      self.segment = segment
      self.deleted = deleted
    }
  }

  /// A row of a source.
  private struct Place {
    let source: UInt32
    let row: UInt32
  }

  private let sources: [Source]
  private let columns: [SegmentColumnDeclaration]
  private let mostRows: Int

  /// - Parameters:
  ///   - columns: The columns of the result; those that a source lacks are 0 in its rows. Requirements as for
  ///     ``SegmentWriter/init(columns:)``.
  ///   - mostRows: The most rows of a result, at most ``SegmentWriter/mostRows``.
  public init(
    _ sources: [Source], columns: [SegmentColumnDeclaration],
    mostRows: Int = SegmentWriter.mostRows
  ) {
    precondition((1...SegmentWriter.mostRows).contains(mostRows))
    self.sources = sources
    self.columns = SegmentWriter(columns: columns).columns
    self.mostRows = mostRows
  }

  /// Makes the segments one after the other, in ascending order of rows. In memory are one result and a
  /// column.
  ///
  /// - Parameter receive: Called with each file, in parts that follow each other; not called without rows.
  /// - Throws: ``ParseError`` where a source is damaged, and what `receive` throws.
  /// - Complexity: O(n) in the size of the sources, times the number of sources for their runs.
  public func run(_ receive: ([ByteView]) throws -> Void) throws {
    var rows = try MergedRows(sources)
    var cursors = try columns.map { column in
      try sources.map { ColumnCursor(try $0.segment.column(column.column)) }
    }
    var places: [Place] = []
    func flush() throws {
      guard !places.isEmpty else { return }
      var file = SegmentFile(columns: columns, rowCount: places.count)
      var buffer = [Int](repeating: 0, count: places.count)
      for index in file.order {
        for (place, row) in places.enumerated() {
          buffer[place] = cursors[index][Int(row.source)].value(atRow: Int(row.row))
        }
        file.append(index, buffer)
      }
      places.removeAll(keepingCapacity: true)
      try receive(file.finish())
    }
    while let (source, row) = rows.next() {
      places.append(Place(source: UInt32(source), row: UInt32(row)))
      if places.count == mostRows { try flush() }
    }
    try flush()
  }
}

/// The rows of sorted segments in one order.
private struct MergedRows {
  private var heads: [Head] = []
  /// The sources whose next rows have the least origin, release and stack.
  private var tied: [Int] = []

  init(_ sources: [SegmentMerge.Source]) throws(ParseError) {
    for source in sources { heads.append(try Head(source)) }
  }

  mutating func next() -> (source: Int, row: Int)? {
    if tied.isEmpty { findTied() }
    guard var least = tied.first else { return nil }
    for source in tied.dropFirst() where heads[source].rank < heads[least].rank { least = source }
    let row = heads[least].row
    if !heads[least].advance() { tied.removeAll { $0 == least } }
    return (least, row)
  }

  private mutating func findTied() {
    for source in heads.indices where !heads[source].isAtEnd {
      if let first = tied.first {
        if heads[first].key < heads[source].key { continue }
        if heads[source].key < heads[first].key { tied.removeAll(keepingCapacity: true) }
      }
      tied.append(source)
    }
  }

  /// The next row of a source.
  private struct Head {
    private let live: RowSet
    private var word = 0
    private var left: UInt64 = 0
    private var keys: [ColumnCursor]
    private var times: ColumnCursor
    private var reports: ColumnCursor
    private(set) var row = -1
    private(set) var key = (0, 0, 0)
    /// In a run of the stack.
    private(set) var rank = (0, 0)

    var isAtEnd: Bool { row < 0 }

    init(_ source: SegmentMerge.Source) throws(ParseError) {
      let segment = source.segment
      live = try segment.rows(matching: [], except: source.deleted)
      keys = []
      for column in SegmentColumn.sorted {
        keys.append(ColumnCursor(try segment.column(column)))
      }
      times = ColumnCursor(try segment.column(.time))
      reports = ColumnCursor(try segment.column(.report))
      left = live.words.first ?? 0
      _ = advance()
    }

    /// - Returns: Whether there is another row with the same key.
    mutating func advance() -> Bool {
      while left == 0 {
        word += 1
        guard word < live.words.count else {
          row = -1
          return false
        }
        left = live.words[word]
      }
      row = word << 6 + left.trailingZeroBitCount
      left &= left - 1
      let old = key
      key = (keys[0].value(atRow: row), keys[1].value(atRow: row), keys[2].value(atRow: row))
      rank = (times.value(atRow: row), reports.value(atRow: row))
      return key == old
    }
  }
}
