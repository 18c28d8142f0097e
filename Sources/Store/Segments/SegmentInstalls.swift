public import Bytes

/// Counts the distinct installations of origins, in several segments.
public struct SegmentInstalls: Sendable {
  private var sources: [Source] = []
  private var pieces: [Int: [Piece]]

  private struct Source: Sendable {
    let installs: ColumnData
    let rows: RowSet
  }

  /// Rows of an origin that follow each other.
  private struct Piece: Sendable {
    let source: Int
    let range: Range<Int>
  }

  /// - Parameter origins: The origins to count.
  public init(of origins: Set<Int>) {
    pieces = Dictionary(uniqueKeysWithValues: origins.map { ($0, []) })
  }

  /// Adds the rows of a segment; those of other origins, and without an installation, do not count. Both
  /// are kept until the counter is.
  ///
  /// - Parameter rows: Rows of the segment.
  /// - Throws: ``ParseError`` where a column is damaged.
  /// - Complexity: O(n) in the origins of the segment.
  public mutating func add(_ segment: Segment, rows: RowSet) throws(ParseError) {
    precondition(rows.rowCount == segment.rowCount)
    let installs = try segment.column(.install)
    let origins = try segment.column(.origin)
    guard segment.rowCount > 0 else { return }
    let names = origins.codes
    let runs = origins.runs
    for run in 0..<runs.count {
      pieces[names[runs.code(of: run)]]?
        .append(Piece(source: sources.count, range: runs.rows(of: run)))
    }
    sources.append(Source(installs: installs, rows: rows))
  }

  /// Returns the number of installations of each origin; 0 for one without any.
  ///
  /// - Parameter others: More installations of origins, which are in no segment; 0 does not count.
  /// - Complexity: O(n) in the rows of the origins.
  public func counts(with others: [Int: [Int]] = [:]) -> [Int: Int] {
    var distinct = DistinctCounter()
    var counts: [Int: Int] = [:]
    for (origin, pieces) in pieces {
      distinct.removeAll()
      for piece in pieces { add(piece, to: &distinct) }
      for install in others[origin] ?? [] where install != 0 {
        distinct.append(UInt64(bitPattern: Int64(install)))
      }
      counts[origin] = distinct.count()
    }
    return counts
  }

  private func add(_ piece: Piece, to distinct: inout DistinctCounter) {
    let source = sources[piece.source]
    let installs = source.installs
    let words = source.rows.words.span
    guard installs.isNumber else {
      words.forEachRow(in: piece.range) { row in
        let install = installs.value(ofRow: row)
        if install != 0 { distinct.append(UInt64(bitPattern: Int64(install))) }
      }
      return
    }
    let rows = installs.rows
    words.forEachRow(in: piece.range) { row in
      let install = rows[row]
      if install != 0 { distinct.append(UInt64(bitPattern: Int64(install))) }
    }
  }
}
