internal import Bytes
internal import Database
internal import Segments

/// The segments of the search index: files beside the database that hold settled chunks of reports, sorted by
/// group; see ``SearchChunk`` and `Segment`.
///
/// `search_segments` lists them. Chunks that were settled again later are in `search_changed`: their rows in a
/// segment are left out, and they are read like chunks without a segment. A file is made from the rows of the
/// database and never changes; one that is missing or damaged costs time, not answers.
struct SearchSegments {
  /// A segment as one state of the database sees it.
  struct Part {
    let segment: Segment
    let path: String
    let chunks: ClosedRange<Int>
    /// Chunks whose rows in the segment are out of date.
    let changed: [Int]
  }

  /// The segments that can be opened, by their chunks.
  let parts: [Part]

  /// - Parameter stale: Chunks that are not settled.
  /// - Throws: `DatabaseError`.
  init(stale: Set<Int>, in database: borrowing Connection) throws {
    var parts: [Part] = []
    for row in try Self.rows(in: database) {
      guard let segment = SegmentFiles.shared.segment(at: row.path) else { continue }
      var changed = Set(stale.lazy.filter { row.chunks.contains($0) })
      changed.formUnion(try Self.changed(in: row.chunks, database))
      parts.append(
        Part(
          segment: segment, path: row.path, chunks: row.chunks, changed: changed.sorted()))
    }
    self.parts = parts
  }

  struct Row {
    let chunks: ClosedRange<Int>
    let path: String
  }

  /// The listed segments, by their chunks.
  static func rows(in database: borrowing Connection) throws -> [Row] {
    let folder = folder(of: database)
    let rows = try database.prepare("SELECT first, last, file FROM search_segments ORDER BY last")
    var segments: [Row] = []
    while try rows.step() {
      let (first, last) = try (rows.int("first"), rows.int("last"))
      // A row that was changed may name any.
      guard first >= 0, first <= last, last < SearchChunk.firstPast else { continue }
      try segments.append(Row(chunks: first...last, path: folder + "/" + rows.text("file")))
    }
    return segments
  }

  static func changed(
    in chunks: ClosedRange<Int>, _ database: borrowing Connection
  ) throws -> [Int] {
    let rows = try database.prepare(
      "SELECT chunk FROM search_changed WHERE chunk BETWEEN ?1 AND ?2",
      [chunks.lowerBound, chunks.upperBound])
    var changed: [Int] = []
    while try rows.step() { try changed.append(rows.int("chunk")) }
    return changed
  }

  /// The folder of the files.
  static func folder(of database: borrowing Connection) -> String {
    HomeFolder.segments(besides: database.path)
  }
}

extension SearchSegments.Part {
  /// The error of a segment that was damaged after a scan had read it; the next one does without the file.
  func damaged(_ error: ParseError) -> StoreError {
    SegmentFiles.shared.remove(path)
    return .damaged("\(path): \(error)")
  }

  /// The rows that are out of date.
  ///
  /// - Throws: `ParseError` where the file is damaged.
  func outdated() throws(ParseError) -> RowSet? {
    guard !changed.isEmpty else { return nil }
    let ranges = changed.map { chunk in
      SegmentCheck.range(
        .report, chunk << SearchChunk.bits...(chunk << SearchChunk.bits | SearchChunk.mask))
    }
    return try segment.rows(matching: [SegmentCondition(ranges)])
  }

  /// The rows of a set that meet all conditions, of those that ``CompiledCondition/ofSegments`` has.
  ///
  /// - Throws: `ParseError` where the file is damaged.
  func rows(
    of rows: RowSet, matching conditions: [SegmentCondition]
  ) throws(ParseError) -> RowSet {
    guard !conditions.isEmpty else { return rows }
    var others = RowSet(allOf: segment.rowCount)
    others.subtract(rows)
    return try segment.rows(matching: conditions, except: others)
  }
}

extension SearchSegments.Part {
  /// The rows of a set on some days since 1970, in UTC.
  ///
  /// - Throws: `ParseError` where the file is damaged.
  func rows(of rows: RowSet, on days: Range<Int>) throws(ParseError) -> RowSet {
    guard !days.isEmpty else { return RowSet(rowCount: rows.rowCount) }
    let range = days.lowerBound * Self.day...(days.upperBound * Self.day - 1)
    return try self.rows(
      of: rows, matching: [SegmentCondition([.range(SegmentColumn(.time), range)])])
  }

  /// Microseconds of a day.
  private static let day = 86_400_000_000

  /// Counts the rows of a set on some days by group, which is the origin in the result.
  ///
  /// - Throws: `ParseError` where the file is damaged.
  func countsByOrigin(of rows: RowSet, on days: Range<Int>) throws(ParseError) -> [OriginCount] {
    try segment.countsByOrigin(of: self.rows(of: rows, on: days))
  }
}

extension CompiledCondition {
  /// The condition for a segment; `nil` where it has to be checked row by row.
  var ofSegments: SegmentCondition? {
    var segmentChecks: [SegmentCheck] = []
    for check in checks {
      switch check {
      case .codes(let field, let codes):
        segmentChecks.append(.values(SegmentColumn(field), codes.values))
      case .range(let field, let range): segmentChecks.append(.range(SegmentColumn(field), range))
      case .rows(let rows): segmentChecks.append(.values(.report, rows.values))
      case .uptime, .text: return nil
      }
    }
    return SegmentCondition(segmentChecks, isNegated: isNegated)
  }
}

extension SegmentColumn {
  /// Groups are what rows of a segment are sorted and counted by first.
  init(_ field: SearchField) { self.init(rawValue: UInt8(field.rawValue)) }
}
