internal import Query
internal import Bytes
internal import Database
internal import Segments

/// Scans the columns of all reports for those that meet all conditions.
struct SearchScan {
  private let conditions: [CompiledCondition]

  init(_ conditions: [CompiledCondition]) {
    // Texts are read last, for as few reports as possible.
    self.conditions =
      conditions.filter { !$0.readsTexts } + conditions.filter(\.readsTexts)
  }

  /// Calls `body` for reports that match, chunk by chunk, with their positions.
  ///
  /// - Parameters:
  ///   - fields: The columns that `body` reads.
  ///   - newestFirst: Whether to begin with the newest chunk.
  ///   - withPast: Whether to include deleted reports; their positions are not database rows.
  /// - Throws: `DatabaseError`.
  func run(
    _ fields: [SearchField], newestFirst: Bool = false, withPast: Bool = false,
    in database: borrowing Connection,
    _ body: (SearchChunk, _ positions: ChunkPositions) throws -> Void
  ) throws {
    try run(
      fields, newestFirst: newestFirst, withPast: withPast, in: database,
      segment: { part, rows in
        try SegmentRows(rows, of: part, fields).forEachChunk(body)
      }, body)
  }

  /// Calls `segment` for each segment with the rows that match, and `body` for the other chunks.
  ///
  /// - Parameter segment: It may throw a `ParseError` before it has changed anything; the chunks of the
  ///   segment are then read instead.
  func run(
    _ fields: [SearchField], newestFirst: Bool = false, withPast: Bool = false,
    in database: borrowing Connection,
    segment: (SearchSegments.Part, RowSet) throws -> Void,
    _ body: (SearchChunk, _ positions: ChunkPositions) throws -> Void
  ) throws {
    let stale = try SearchChunk.stale(in: database)
    let parts = try SearchSegments(stale: stale, in: database).parts
    var chunk = SearchChunk()
    func scan(_ numbers: some Sequence<Int>, _ database: borrowing Connection) throws {
      for number in numbers {
        chunk.open(number, isStale: stale.contains(number))
        let positions = try positions(in: &chunk, database)
        guard !positions.isEmpty else { continue }
        try chunk.load(fields, in: database)
        try body(chunk, positions)
      }
    }
    func scan(_ part: SearchSegments.Part, _ database: borrowing Connection) throws {
      do {
        let rows = try rows(in: part, database)
        if !rows.isEmpty { try segment(part, rows) }
      } catch is ParseError {
        SegmentFiles.shared.remove(part.path)
        let changed = Set(part.changed)
        try scan(part.chunks.filter { !changed.contains($0) }, database)
      }
    }
    let numbers = Self.numbers(try SearchChunk.numbers(in: database), outside: parts)
    if newestFirst {
      try scan(numbers.reversed(), database)
      for part in parts.reversed() { try scan(part, database) }
    } else {
      for part in parts { try scan(part, database) }
      try scan(numbers, database)
    }
    if withPast { try scan(try SearchChunk.pastNumbers(in: database), database) }
  }

  /// The chunks that no segment holds as they are now.
  private static func numbers(
    _ numbers: Range<Int>, outside parts: [SearchSegments.Part]
  ) -> [Int] {
    var left: [Int] = []
    var next = numbers.lowerBound
    for part in parts where part.chunks.upperBound >= next {
      left += next..<max(next, min(part.chunks.lowerBound, numbers.upperBound))
      left += part.changed.filter(numbers.contains)
      next = part.chunks.upperBound + 1
    }
    if next < numbers.upperBound { left += next..<numbers.upperBound }
    return left
  }

  /// The rows of a segment that match.
  private func rows(
    in part: SearchSegments.Part, _ database: borrowing Connection
  ) throws -> RowSet {
    var native: [SegmentCondition] = []
    var others: [CompiledCondition] = []
    for condition in conditions {
      if let condition = condition.ofSegments {
        native.append(condition)
      } else {
        others.append(condition)
      }
    }
    let found = try part.segment.rows(matching: native, except: part.outdated())
    guard !others.isEmpty else { return found }
    let fields = Set(others.flatMap { $0.checks.compactMap(\.field) })
    var kept = RowSet(rowCount: found.rowCount)
    let rows = found.rows
    var start = 0
    try SegmentRows(found, of: part, Array(fields)).forEachChunk { chunk, positions in
      var chunk = chunk
      let matching = try self.kept(positions, others, of: &chunk, database)
      for position in matching { kept.insert(rows[start + position]) }
      start += positions.count
    }
    return kept
  }

  /// Calls `segment` for each segment again with the rows that were found, and `body` for the other chunks,
  /// without checking the conditions.
  ///
  /// - Parameter groups: The groups whose reports are wanted; `nil` for all.
  /// - Throws: `DatabaseError`; ``StoreError/damaged(_:)`` for a segment that was damaged meanwhile.
  static func visit(
    _ found: FoundPositions, _ fields: [SearchField], of groups: CodeSet? = nil,
    in database: borrowing Connection,
    segment: (SearchSegments.Part, RowSet) throws -> Void,
    _ body: (SearchChunk, _ positions: ChunkPositions) throws -> Void
  ) throws {
    let wanted = groups.map {
      SegmentCondition([.values(SegmentColumn(.group), $0.values)])
    }
    for (part, rows) in found.segments {
      do {
        try segment(part, part.rows(of: rows, matching: wanted.map { [$0] } ?? []))
      } catch let error as ParseError {
        throw part.damaged(error)
      }
    }
    let stale = try SearchChunk.stale(in: database)
    var chunk = SearchChunk()
    for (number, positions) in found.chunks {
      chunk.open(number, isStale: stale.contains(number))
      try chunk.load([.group] + fields, in: database)
      let groups = groups?.filter(positions, by: chunk[.group], isNegated: false)
      try body(chunk, groups ?? positions)
    }
  }

  /// The positions of the matching reports. Columns are loaded on demand: once nothing is left, the
  /// others are not loaded.
  private func positions(
    in chunk: inout SearchChunk, _ database: borrowing Connection
  ) throws -> ChunkPositions {
    try chunk.load([.group], in: database)
    let positions = chunk[.group].withUnsafeBufferPointer { groups in
      ChunkPositions.all.kept { groups[$0] != 0 }
    }
    return try kept(positions, conditions, of: &chunk, database)
  }

  private func kept(
    _ positions: ChunkPositions, _ conditions: [CompiledCondition], of chunk: inout SearchChunk,
    _ database: borrowing Connection
  ) throws -> ChunkPositions {
    var positions = positions
    for condition in conditions where !positions.isEmpty {
      try chunk.load(condition.checks.compactMap(\.field), in: database)
      if condition.readsTexts {
        var kept = ChunkPositions()
        for position in positions
        where try holds(condition, at: position, of: chunk, in: database) != condition.isNegated {
          kept.append(position)
        }
        positions = kept
      } else {
        positions = Self.filter(positions, by: condition, chunk)
      }
    }
    return positions
  }

  /// The positions that meet conditions without texts, whose columns are loaded.
  static func kept(
    _ positions: ChunkPositions, _ conditions: [CompiledCondition], of chunk: SearchChunk
  ) -> ChunkPositions {
    conditions.reduce(positions) { filter($0, by: $1, chunk) }
  }

  private static func filter(
    _ positions: ChunkPositions, by condition: CompiledCondition, _ chunk: SearchChunk
  ) -> ChunkPositions {
    if condition.checks.count == 1 {
      return filter(positions, by: condition.checks[0], condition.isNegated, chunk)
    }
    var rest = positions
    var found = [Bool](repeating: false, count: SearchChunk.size)
    for check in condition.checks {
      for position in filter(rest, by: check, false, chunk) { found[position] = true }
      rest = rest.kept { !found[$0] }
    }
    return positions.kept { found[$0] != condition.isNegated }
  }

  private static func filter(
    _ positions: ChunkPositions, by check: SearchCheck, _ isNegated: Bool, _ chunk: SearchChunk
  ) -> ChunkPositions {
    switch check {
    case .codes(let field, let codes):
      return codes.filter(positions, by: chunk[field], isNegated: isNegated)
    case .range(let field, let range):
      return chunk[field].withUnsafeBufferPointer { column in
        positions.kept { range.contains(column[$0]) != isNegated }
      }
    case .uptime(let bounds):
      let column = chunk[.uptime]
      return positions.kept { position in
        let number = column[position]
        return (number > 0 && bounds.contains(Double(number - 1) / 1000)) != isNegated
      }
    case .rows(let rows):
      // For deleted reports, neither ids nor attachments are known.
      let isPast = chunk.isPast
      return positions.kept { position in
        (isPast ? rows.containsMissing : rows.contains(chunk.row(position))) != isNegated
      }
    case .text: return ChunkPositions()
    }
  }

  private func holds(
    _ condition: CompiledCondition, at position: Int, of chunk: SearchChunk,
    in database: borrowing Connection
  ) throws -> Bool {
    for check in condition.checks {
      guard case .text(let field, let shapes, let test) = check else {
        if !Self.filter(ChunkPositions(CollectionOfOne(position)), by: check, false, chunk).isEmpty
        {
          return true
        }
        continue
      }
      guard shapes.contains(chunk[field][position]) else { continue }
      let text = try text(field, report: chunk.row(position), in: database)
      if !text.isEmpty, test.matches(text) { return true }
    }
    return false
  }

  /// The text whose shape is stored. Deleted reports have neither.
  private func text(
    _ field: SearchField, report: Int, in database: borrowing Connection
  ) throws -> String {
    if field == .source {
      let source = try database.text(
        """
        SELECT submissions.source FROM reports
        JOIN submissions ON submissions.id = reports.submission WHERE reports.id = ?1
        """, report)
      return ReportValues.bounded(source)
    }
    if let text = try database.text("SELECT text FROM search_messages WHERE report = ?1", report) {
      return text
    }
    // A message without numbers is its shape.
    return try database.text(
      """
      SELECT search_terms.text FROM search_facts JOIN search_terms
        ON search_terms.id = search_facts.message + ?2
      WHERE search_facts.report = ?1
      """, report, SearchTerm.ids(of: .message).lowerBound) ?? ""
  }
}
