public import Bytes
internal import Workers

/// Finds the cases among the rows of several segments, and of rows elsewhere.
///
/// A case is the last row of one origin and release from one installation on one day, in UTC; of equal times,
/// the one with the greatest report. A row without an installation is a case by itself.
///
/// Rows are looked at one origin and release after the other, as segments are sorted by them: what was seen
/// of one fits into the processor's cache.
public struct SegmentCases: Sendable {
  /// A row that is not part of a segment.
  public struct Row: Sendable {
    public var origin: Int
    public var release: Int
    /// 0 for none.
    public var install: Int
    /// In microseconds since 1970.
    public var time: Int
    public var report: Int

    public init(origin: Int, release: Int, install: Int, time: Int, report: Int) {
      self.origin = origin
      self.release = release
      self.install = install
      self.time = time
      self.report = report
    }
  }

  private var segments: [Source] = []
  private var rows: [Row] = []

  public init() {}

  /// Adds rows of a segment.
  ///
  /// - Parameter rows: Rows of the segment.
  /// - Throws: ``ParseError`` where a column is damaged; then nothing was added.
  /// - Complexity: O(n) in the runs of the release.
  public mutating func add(_ segment: Segment, rows: RowSet) throws(ParseError) {
    precondition(rows.rowCount == segment.rowCount)
    segments.append(try Source(segment, rows: rows))
  }

  /// Adds a row that is not part of a segment.
  public mutating func add(_ row: Row) { rows.append(row) }

  /// Returns the cases.
  ///
  /// - Parameter width: The most threads; `nil` for as many as there are processors.
  /// - Returns: For each segment in the order in which they were added, its rows that are cases, and those of
  ///   the other rows by their order.
  /// - Complexity: O(n) in the rows.
  public func cases(
    width: Int? = nil
  ) -> (segments: [RowSet], others: RowSet) {
    let width = width ?? Workers.processorCount
    let order = rows.indices.map { (key: Piece.Key(rows[$0]), index: $0) }
      .sorted { $0.key < $1.key }.map(\.index)
    let sources = segments + (rows.isEmpty ? [] : [Source(order.map { rows[$0] })])
    let tasks = Tasks(sources)
    let parts = tasks.parts(atMost: width)
    var words = [UInt64](repeating: 0, count: tasks.wordCount)
    for found in Workers.map(
      count: parts.count, width: width, body: { tasks.run(parts[$0], sources) })
    {
      for index in words.indices { words[index] |= found[index] }
    }
    var found = zip(sources, tasks.firstWords).map { source, first in
      RowSet(
        rowCount: source.rows.rowCount, words: words[first..<first + source.rows.words.count])
    }
    guard !rows.isEmpty, let sorted = found.popLast() else {
      return (found, RowSet(rowCount: 0))
    }
    var others = RowSet(rowCount: rows.count)
    for row in sorted.rows { others.insert(order[row]) }
    return (found, others)
  }

  /// Rows that are looked at together.
  fileprivate struct Source: Sendable {
    let rows: RowSet
    let installs: FlatColumn
    let times: FlatColumn
    let reports: FlatColumn
    /// In ascending order.
    let pieces: [Piece]

    init(_ segment: Segment, rows: RowSet) throws(ParseError) {
      self.rows = rows
      installs = FlatColumn(try segment.column(.install))
      times = FlatColumn(try segment.column(.time))
      reports = FlatColumn(try segment.column(.report))
      pieces = Piece.pieces(
        of: try segment.column(.origin), try segment.column(.release), rows)
    }

    /// - Parameter sorted: In the order of their origins and releases.
    init(_ sorted: [Row]) {
      rows = RowSet(allOf: sorted.count)
      installs = FlatColumn(sorted.lazy.map(\.install))
      times = FlatColumn(sorted.lazy.map(\.time))
      reports = FlatColumn(sorted.lazy.map(\.report))
      var pieces: [Piece] = []
      for (index, row) in sorted.enumerated() {
        let key = Piece.Key(row)
        if let last = pieces.last, last.key == key {
          pieces[pieces.count - 1].end += 1
        } else {
          pieces.append(Piece(key: key, start: index, end: index + 1))
        }
      }
      self.pieces = pieces
    }
  }

  /// The rows of a source with one origin and release, which follow each other.
  fileprivate struct Piece: Sendable {
    struct Key: Comparable, Sendable {
      let origin: Int
      let release: Int

      static func < (one: Key, other: Key) -> Bool {
        one.origin != other.origin ? one.origin < other.origin : one.release < other.release
      }
    }

    let key: Key
    let start: Int
    var end: Int

    /// The pieces that have any of the rows.
    static func pieces(
      of origins: ColumnData, _ releases: ColumnData, _ rows: RowSet
    ) -> [Piece] {
      guard rows.rowCount > 0 else { return [] }
      let (names, releaseNames) = (origins.codes, releases.codes)
      let (originRuns, runs) = (origins.runs, releases.runs)
      let words = rows.words.span
      var pieces: [Piece] = []
      var run = 0
      for origin in 0..<originRuns.count {
        let range = originRuns.rows(of: origin)
        guard words.countRows(in: range) > 0 else {
          // The run of a constant release goes on in the next origin.
          if releases.entry.encoding != .constant {
            run = runs.firstRun(from: run, startingAt: range.upperBound)
          }
          continue
        }
        while run < runs.count {
          let part = runs.rows(of: run).clamped(to: range)
          guard !part.isEmpty else { break }
          if words.countRows(in: part) > 0 {
            let key = Key(
              origin: names[originRuns.code(of: origin)],
              release: releaseNames[runs.code(of: run)])
            pieces.append(Piece(key: key, start: part.lowerBound, end: part.upperBound))
          }
          guard runs.rows(of: run).upperBound <= range.upperBound else { break }
          run += 1
        }
      }
      return pieces
    }
  }

  /// The pieces of each origin and release.
  fileprivate struct Tasks: Sendable {
    private struct Part: Sendable {
      let source: Int
      let piece: Piece
    }

    private var pieces: [Part] = []
    /// The ends of the tasks in the pieces.
    private var ends: [Int] = []
    private var rowCount = 0
    /// Where the rows of each source begin in the words of all.
    private(set) var firstWords: [Int] = []
    private(set) var wordCount = 0

    init(_ sources: [Source]) {
      for source in sources {
        firstWords.append(wordCount)
        wordCount += source.rows.words.count
      }
      var heads = [Int](repeating: 0, count: sources.count)
      while true {
        var least: Piece.Key?
        for (source, head) in heads.enumerated() where head < sources[source].pieces.count {
          let key = sources[source].pieces[head].key
          if least.map({ key < $0 }) ?? true { least = key }
        }
        guard let least else { return }
        for source in sources.indices {
          while heads[source] < sources[source].pieces.count {
            let piece = sources[source].pieces[heads[source]]
            guard piece.key == least else { break }
            pieces.append(Part(source: source, piece: piece))
            rowCount += piece.end - piece.start
            heads[source] += 1
          }
        }
        ends.append(pieces.count)
      }
    }

    /// Fewer rows are not worth a thread.
    private static let leastRows = 1 << 17

    /// Divides the tasks into ranges with about as many rows.
    func parts(atMost width: Int) -> [Range<Int>] {
      // Some more, as threads are not equally fast.
      let wanted = width > 1 ? min(width * 3, rowCount / Self.leastRows) : 1
      let size = rowCount / max(wanted, 1)
      var parts: [Range<Int>] = []
      var (start, first, rows) = (0, 0, 0)
      for (task, end) in ends.enumerated() {
        for part in pieces[first..<end] { rows += part.piece.end - part.piece.start }
        first = end
        if rows >= size || task == ends.count - 1 {
          parts.append(start..<task + 1)
          (start, rows) = (task + 1, 0)
        }
      }
      return parts
    }

    /// Returns the cases of some tasks, as words of all sources.
    func run(_ tasks: Range<Int>, _ sources: [Source]) -> [UInt64] {
      var cases = [UInt64](repeating: 0, count: wordCount)
      var table = CaseTable()
      var first = tasks.lowerBound == 0 ? 0 : ends[tasks.lowerBound - 1]
      for task in tasks {
        let parts = pieces[first..<ends[task]]
        table.begin(rowCount: parts.reduce(0) { $0 + $1.piece.end - $1.piece.start })
        for part in parts {
          sources[part.source].add(
            part.piece, of: UInt32(part.source), to: &table, &cases, firstWords[part.source]
          ) { row, other in
            sources[Int(row.source)].report(Int(row.row))
              > sources[Int(other.source)].report(Int(other.row))
          }
        }
        table.takeAll { row in
          let word = firstWords[Int(row.source)] &+ Int(row.row &>> 6)
          cases[word] |= 1 &<< UInt64(row.row & 63)
        }
        first = ends[task]
      }
      return cases
    }
  }
}

extension SegmentCases.Source {
  fileprivate func report(_ row: Int) -> Int { reports.reader[row] }

  /// Adds the rows of a piece to a table, and those without an installation to the cases, whose words of this
  /// source begin at `firstWord`.
  @inline(__always)
  fileprivate func add(
    _ piece: SegmentCases.Piece, of source: UInt32, to table: inout CaseTable,
    _ cases: inout [UInt64], _ firstWord: Int,
    isLater: (CaseTable.Row, CaseTable.Row) -> Bool
  ) {
    let installs = self.installs.reader
    let times = self.times.reader
    let words = rows.words.span
    let (first, last, head, tail) = Span<UInt64>.place(piece.start..<piece.end)
    for index in first...last {
      var word = words[index]
      if index == first { word &= head }
      if index == last { word &= tail }
      while word != 0 {
        let row = index &<< 6 &+ word.trailingZeroBitCount
        let install = installs[row]
        if install == 0 {
          cases[firstWord &+ index] |= word & (0 &- word)
        } else {
          let time = times[row]
          table.add(
            CaseTable.Row(
              install: install, day: Self.day(time), time: time, source: source,
              row: UInt32(truncatingIfNeeded: row)))
        }
        word &= word &- 1
      }
      table.settle(isLater: isLater)
    }
  }

  /// The day since 1970.
  @inline(__always)
  private static func day(_ time: Int) -> Int {
    let (day, rest) = time.quotientAndRemainder(dividingBy: 86_400_000_000)
    return rest < 0 ? day &- 1 : day
  }
}

extension SegmentCases.Piece.Key {
  fileprivate init(_ row: SegmentCases.Row) {
    self.init(origin: row.origin, release: row.release)
  }
}
