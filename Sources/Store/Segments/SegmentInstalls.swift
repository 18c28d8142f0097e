public import Bytes
internal import Workers

/// Counts the distinct installations of origins, or of other sets of rows, in several segments.
public struct SegmentInstalls: Sendable {
  private var sources: [Source] = []
  private var pieces: [Int: [Piece]]
  private let countsNameless: Bool

  private struct Source: Sendable {
    let installs: ColumnData
    let rows: RowSet
  }

  /// Rows of an origin or set that follow each other.
  private struct Piece: Sendable {
    let source: Int
    let range: Range<Int>
  }

  /// - Parameters:
  ///   - origins: The origins to count, or the numbers of sets.
  ///   - countsNameless: Whether a row without an installation counts as one of its own.
  public init(of origins: Set<Int>, countsNameless: Bool = false) {
    pieces = Dictionary(uniqueKeysWithValues: origins.map { ($0, []) })
    self.countsNameless = countsNameless
  }

  /// Adds the rows of a segment; those of other origins do not count. Both are kept until the counter is.
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

  /// Adds stretches of rows of a segment to sets.
  ///
  /// - Parameters:
  ///   - first: A column by which stretches are divided.
  ///   - second: Another one.
  ///   - sets: The numbers of the sets that a stretch belongs to; unknown ones do not count.
  /// - Throws: ``ParseError`` where a column is damaged.
  /// - Complexity: As for ``Segment/forEachStretch(by:_:of:_:)``.
  public mutating func add(
    _ segment: Segment, rows: RowSet, by first: SegmentColumn, _ second: SegmentColumn,
    to sets: (RowStretch) -> [Int]
  ) throws(ParseError) {
    let installs = try segment.column(.install)
    let source = sources.count
    var found: [(set: Int, piece: Piece)] = []
    try segment.forEachStretch(by: first, second, of: rows) { stretch in
      for set in sets(stretch) {
        found.append((set, Piece(source: source, range: stretch.rows)))
      }
    }
    for (set, piece) in found { pieces[set]?.append(piece) }
    sources.append(Source(installs: installs, rows: rows))
  }

  /// Returns the number of installations of each origin or set; 0 for one without any.
  ///
  /// - Parameter others: More installations, which are in no segment; 0 where a row has none.
  /// - Complexity: O(n) in the rows of the origins; many are counted on several threads.
  public func counts(with others: [Int: [Int]] = [:]) -> [Int: Int] {
    let origins = pieces.keys.sorted()
    let size = pieces.values.joined().reduce(0) { $0 + $1.range.count }
    let width = size < Self.rowsOfThreads ? 1 : Workers.processorCount
    let counts = Workers.map(count: origins.count, width: width) { index in
      count(origins[index], with: others[origins[index]] ?? [])
    }
    return Dictionary(zip(origins, counts)) { first, _ in first }
  }

  /// Fewer rows are counted before a thread has started.
  private static let rowsOfThreads = 1 << 18

  private func count(_ origin: Int, with others: [Int]) -> Int {
    var distinct = DistinctCounter()
    var nameless = 0
    for piece in pieces[origin] ?? [] { nameless += add(piece, to: &distinct) }
    for install in others {
      if install == 0 {
        nameless += 1
      } else {
        distinct.append(UInt64(bitPattern: Int64(install)))
      }
    }
    return distinct.count() + (countsNameless ? nameless : 0)
  }

  /// - Returns: How many rows have no installation.
  private func add(_ piece: Piece, to distinct: inout DistinctCounter) -> Int {
    let source = sources[piece.source]
    let words = source.rows.words.span
    var nameless = 0
    let installs = source.installs
    guard installs.isNumber else {
      words.forEachRow(in: piece.range) { row in
        let install = installs.value(ofRow: row)
        if install != 0 {
          distinct.append(UInt64(bitPattern: Int64(install)))
        } else {
          nameless &+= 1
        }
      }
      return nameless
    }
    let rows = installs.rows
    words.forEachRow(in: piece.range) { row in
      let install = rows[row]
      if install != 0 {
        distinct.append(UInt64(bitPattern: Int64(install)))
      } else {
        nameless &+= 1
      }
    }
    return nameless
  }
}
