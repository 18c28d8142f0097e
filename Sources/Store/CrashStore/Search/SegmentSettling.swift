internal import Bytes
internal import Database
internal import Files
internal import Segments

/// Makes segments of settled chunks, inside a transaction.
///
/// Sixteen chunks become a segment, eight of these a larger one, so that a report is written three times at
/// most until something of it changes.
struct SegmentSettling {
  /// The number of chunks of a new segment.
  static let chunks = 16
  /// The number of new segments that become a larger one: 2^20 reports.
  static let merged = 8

  private static let columns: [SegmentColumnDeclaration] =
    [SegmentColumnDeclaration(.report, .number)]
    + SearchField.columns.map { field in
      switch field {
      case .time, .received, .install, .uptime:
        SegmentColumnDeclaration(SegmentColumn(field), .number)
      default: SegmentColumnDeclaration(SegmentColumn(field), .code)
      }
    }

  /// Makes segments of chunks that were settled, and anew those of which more than an eighth has changed.
  ///
  /// A file that cannot be written, such as on a full disk, is no reason to store nothing: without it, reading
  /// takes longer.
  ///
  /// - Returns: Whether there may be more to do.
  @discardableResult
  static func run(in database: borrowing Connection) throws -> Bool {
    do {
      // Before anything is listed otherwise: what this transaction replaces stays until it is committed.
      try removeOthers(in: database)
      try renew(in: database)
      return try settle(in: database)
    } catch is FileError {
      return false
    }
  }

  /// Whether a segment can be made.
  static func isWaiting(in database: borrowing Connection) throws -> Bool {
    try next(in: database) != nil
  }

  private static func settle(in database: borrowing Connection) throws -> Bool {
    guard let next = try next(in: database) else { return false }
    try make(next.chunks, from: next.older, database)
    return true
  }

  /// The chunks of the next segment, and the segments that it replaces.
  private static func next(
    in database: borrowing Connection
  ) throws -> (chunks: ClosedRange<Int>, older: [SearchSegments.Row])? {
    // The newest chunk is still filling.
    let last = try database.integer("SELECT max(report) FROM search_facts") ?? 0
    let end = last >> SearchChunk.bits
    guard end >= chunks, end <= SearchChunk.firstPast else { return nil }
    let known = try SearchSegments.rows(in: database)
    if let older = small(of: known), let first = older.first, let newest = older.last {
      return (first.chunks.lowerBound...newest.chunks.upperBound, older)
    }
    // A segment that was lost leaves a gap.
    let least = try database.integer("SELECT min(report) FROM search_facts") ?? 0
    var start = max(least, 0) >> SearchChunk.bits
    for row in known {
      if let found = try settled(start..<max(start, row.chunks.lowerBound), in: database) {
        return (found, [])
      }
      start = max(start, row.chunks.upperBound + 1)
    }
    return try settled(start..<max(start, end), in: database).map { ($0, []) }
  }

  /// Returns adjacent segments that become a larger one.
  private static func small(of known: [SearchSegments.Row]) -> [SearchSegments.Row]? {
    var found: [SearchSegments.Row] = []
    for row in known {
      if let last = found.last, row.chunks.lowerBound != last.chunks.upperBound + 1 { found = [] }
      if row.chunks.count == chunks { found.append(row) } else { found = [] }
      if found.count == merged { return found }
    }
    return nil
  }

  /// Returns chunks of a gap that become a segment.
  private static func settled(
    _ gap: Range<Int>, in database: borrowing Connection
  ) throws -> ClosedRange<Int>? {
    var rest = gap
    while rest.count >= chunks {
      let range = rest.lowerBound...(rest.lowerBound + chunks - 1)
      if try !isStale(range, in: database) { return range }
      rest = (range.upperBound + 1)..<rest.upperBound
    }
    return nil
  }

  /// Makes segments anew that have changed.
  ///
  /// - Parameter isForced: Whether one changed chunk is enough, not only more than an eighth of them: what was
  ///   deleted is then gone from the new files.
  static func renew(isForced: Bool = false, in database: borrowing Connection) throws {
    let isChanged = try database.integer("SELECT 1 FROM search_changed LIMIT 1") != nil
    guard isForced || isChanged else { return }
    for row in try SearchSegments.rows(in: database) {
      let changed = try SearchSegments.changed(in: row.chunks, database).count
      let isStale = try isStale(row.chunks, in: database)
      let isNeeded = isForced ? changed > 0 || isStale : !isStale && changed > row.chunks.count / 8
      if isNeeded { try make(row.chunks, from: [row], database) }
    }
  }

  /// Notes that a chunk was settled.
  static func changed(_ chunk: Int, in database: borrowing Connection) throws {
    try database.run(
      """
      INSERT INTO search_changed (chunk) SELECT CAST(?1 AS BIGINT) WHERE EXISTS (
        SELECT 1 FROM search_segments WHERE last >= ?1 AND first <= ?1)
      ON CONFLICT DO NOTHING
      """, chunk)
  }

  /// Forgets segments whose files are missing or damaged; their chunks are to be settled again.
  static func forgetMissing(in database: borrowing Connection) throws {
    for row in try SearchSegments.rows(in: database)
    where SegmentFiles.shared.segment(at: row.path) == nil {
      try forget(row.chunks, in: database)
      for chunk in row.chunks {
        try database.run(
          "INSERT INTO search_stale (chunk) VALUES (?1) ON CONFLICT DO NOTHING", chunk)
      }
    }
  }

  /// Deletes the files that are not listed. No other process makes one meanwhile, as it would be in a
  /// transaction, too.
  static func removeOthers(in database: borrowing Connection) throws {
    let kept = Set(try SearchSegments.rows(in: database).map(\.path))
    let folder = SearchSegments.folder(of: database)
    for name in FolderNames.of(folder) where !name.hasPrefix(".") {
      let path = folder + "/" + name
      if !kept.contains(path) { SegmentFiles.shared.remove(path) }
    }
  }

  private static func isStale(
    _ chunks: ClosedRange<Int>, in database: borrowing Connection
  ) throws -> Bool {
    try database.integer(
      "SELECT 1 FROM search_stale WHERE chunk BETWEEN ?1 AND ?2 LIMIT 1", chunks.lowerBound,
      chunks.upperBound) != nil
  }

  private static func forget(
    _ chunks: ClosedRange<Int>, in database: borrowing Connection
  ) throws {
    for sql in [
      "DELETE FROM search_segments WHERE last BETWEEN ?1 AND ?2",
      "DELETE FROM search_changed WHERE chunk BETWEEN ?1 AND ?2",
    ] {
      try database.run(sql, chunks.lowerBound, chunks.upperBound)
    }
  }

  /// Makes the segment of chunks: from older segments as far as their rows are up to date, otherwise from the
  /// chunks themselves.
  private static func make(
    _ chunks: ClosedRange<Int>, from older: [SearchSegments.Row], _ database: borrowing Connection
  ) throws {
    var sources: [SegmentMerge.Source] = []
    var others = Set(chunks)
    let stale = try SearchChunk.stale(in: database)
    for part in try SearchSegments(stale: stale, in: database).parts
    where older.contains(where: { $0.path == part.path }) {
      do throws(ParseError) {
        try part.segment.verify()
        sources.append(SegmentMerge.Source(part.segment, except: try part.outdated()))
      } catch {
        continue
      }
      others.subtract(part.chunks)
      others.formUnion(part.changed)
    }
    var writer = SegmentWriter(columns: columns)
    for chunk in others.sorted() where !stale.contains(chunk) {
      try add(chunk, to: &writer, in: database)
    }
    let path = SearchSegments.folder(of: database)
    try Folder.make(path)
    let name = "\(chunks.lowerBound)-\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).seg"
    let new = try NewFile(at: path + "/" + name, .renewable)
    if sources.isEmpty {
      for bytes in writer.finish() { try new.write(bytes) }
    } else {
      sources.append(SegmentMerge.Source(try Segment(opening: joined(writer.finish()))))
      var isEmpty = true
      try SegmentMerge(sources, columns: columns).run { file in
        isEmpty = false
        for bytes in file { try new.write(bytes) }
      }
      if isEmpty {
        for bytes in SegmentWriter(columns: columns).finish() { try new.write(bytes) }
      }
    }
    try new.finish()
    try forget(chunks, in: database)
    try database.run(
      "INSERT INTO search_segments (last, first, file) VALUES (?1, ?2, ?3)", chunks.upperBound,
      chunks.lowerBound, name)
    for chunk in stale.sorted() where chunks.contains(chunk) {
      try changed(chunk, in: database)
    }
    for field in SearchField.columns {
      try database.run(
        "DELETE FROM search_columns WHERE id BETWEEN ?1 AND ?2",
        SearchChunk.id(field, chunks.lowerBound), SearchChunk.id(field, chunks.upperBound))
    }
  }

  private static func joined(_ parts: [ByteView]) -> ByteView {
    var bytes = Table<UInt8>()
    for part in parts { bytes.append(contentsOf: part.bytes) }
    return ByteView(taking: bytes)
  }

  private static func add(
    _ number: Int, to writer: inout SegmentWriter, in database: borrowing Connection
  ) throws {
    var chunk = SearchChunk()
    chunk.open(number, isStale: false)
    try chunk.load(SearchField.columns, in: database)
    let groups = chunk[.group]
    let columns = SearchField.columns.map { chunk[$0] }
    var row = [Int](repeating: 0, count: columns.count + 1)
    for position in groups.indices where groups[position] != 0 {
      row[0] = chunk.row(position)
      for (index, column) in columns.enumerated() { row[index + 1] = column[position] }
      writer.append(row.span)
    }
  }
}
