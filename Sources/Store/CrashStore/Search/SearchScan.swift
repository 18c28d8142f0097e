internal import Query
internal import Database

/// Scans the columns of all reports for those that meet all conditions.
struct SearchScan {
  private let conditions: [CompiledCondition]

  init(_ conditions: [CompiledCondition]) {
    // Texts are read last, for as few reports as possible.
    self.conditions =
      conditions.filter { !$0.readsTexts } + conditions.filter(\.readsTexts)
  }

  /// Calls `body` for each chunk that has reports, with the positions of those that match.
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
    let stale = try SearchChunk.stale(in: database)
    var numbers = Array(try SearchChunk.numbers(in: database))
    if newestFirst { numbers.reverse() }
    if withPast { numbers += try SearchChunk.pastNumbers(in: database) }
    var chunk = SearchChunk()
    for number in numbers {
      chunk.open(number, isStale: stale.contains(number))
      let positions = try positions(in: &chunk, database)
      guard !positions.isEmpty else { continue }
      try chunk.load(fields, in: database)
      try body(chunk, positions)
    }
  }

  /// Calls `body` again for reports that were found, without checking the conditions.
  ///
  /// - Throws: `DatabaseError`.
  static func visit(
    _ found: FoundPositions, _ fields: [SearchField], in database: borrowing Connection,
    _ body: (SearchChunk, _ positions: ChunkPositions) throws -> Void
  ) throws {
    let stale = try SearchChunk.stale(in: database)
    var chunk = SearchChunk()
    for (number, positions) in found.chunks {
      chunk.open(number, isStale: stale.contains(number))
      try chunk.load([.group] + fields, in: database)
      try body(chunk, positions)
    }
  }

  /// The positions of the matching reports. Columns are loaded on demand: once nothing is left, the
  /// others are not loaded.
  private func positions(
    in chunk: inout SearchChunk, _ database: borrowing Connection
  ) throws -> ChunkPositions {
    try chunk.load([.group], in: database)
    var positions = chunk[.group].withUnsafeBufferPointer { groups in
      ChunkPositions.all.kept { groups[$0] != 0 }
    }
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
        (isPast ? rows.containsMissing : rows.contains(chunk.first + position)) != isNegated
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
      let text = try text(field, report: chunk.first + position, in: database)
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

/// Positions of reports that a scan found, for reading them again.
struct FoundPositions {
  private(set) var chunks: [(number: Int, positions: ChunkPositions)] = []

  mutating func add(_ positions: ChunkPositions, of chunk: SearchChunk) {
    chunks.append((chunk.number, positions.trimmed()))
  }
}
