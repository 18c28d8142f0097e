internal import Bytes
internal import Database
internal import Identifiers
internal import Segments
internal import Workers

/// The cases among reports: the last of the reports of one group and release from one installation on one
/// day.
///
/// A device that crashes at every start would otherwise outweigh all others. A report that names no
/// installation is a case by itself.
struct CaseScan {
  /// The cases in segments.
  private let segments: [(part: SearchSegments.Part, rows: RowSet)]
  /// The cases in other chunks.
  private let chunks: FoundPositions

  /// - Parameters:
  ///   - conditions: Conditions for the reports.
  ///   - fields: The columns that are read of the cases.
  /// - Complexity: O(*n*) in the reports that meet the conditions, a few nanoseconds each.
  init(
    _ conditions: [CompiledCondition], reading fields: [SearchField],
    in database: borrowing Connection
  ) throws {
    var cases = SegmentCases()
    var parts: [SearchSegments.Part] = []
    var chunks: [(chunk: Int, positions: ChunkPositions)] = []
    let columns = fields.map { SegmentColumn($0) }
    try Self.prepare(columns + [.report, .origin, .release, .install, .time], in: database)
    try SearchScan(conditions).run(
      [.time, .install, .release], withPast: true, in: database,
      segment: { part, rows in
        // A damaged one is found out now, while its chunks can be read instead.
        try part.segment.verify(columns)
        try cases.add(part.segment, rows: rows)
        parts.append(part)
      }
    ) { chunk, positions in
      let (groups, times) = (chunk[.group], chunk[.time])
      let (installs, releases) = (chunk[.install], chunk[.release])
      for position in positions {
        cases.add(
          SegmentCases.Row(
            origin: groups[position], release: releases[position], install: installs[position],
            time: times[position], report: chunk.row(position)))
      }
      chunks.append((chunk.number, positions.trimmed()))
    }
    let (segments, others) = cases.cases()
    self.segments = Array(zip(parts, segments))
    var found = FoundPositions()
    var index = -1
    for (chunk, positions) in chunks {
      let kept = positions.filter { _ in
        index += 1
        return others.contains(index)
      }
      if !kept.isEmpty { found.add(ChunkPositions(kept), ofChunk: chunk) }
    }
    self.chunks = found
  }

  /// Checks columns of all segments on several threads, which takes most of the time of a process that asks once.
  private static func prepare(
    _ columns: [SegmentColumn], in database: borrowing Connection
  ) throws {
    let segments = try SearchSegments.rows(in: database)
      .compactMap { SegmentFiles.shared.segment(at: $0.path) }
    _ = Workers.map(count: segments.count) { index in
      // The scan meets damage again, and reads the chunks of that segment instead.
      Result { () throws(ParseError) in try segments[index].verify(columns) }
    }
  }

  /// Returns what `body` makes of each segment and its rows that are cases, on several threads.
  ///
  /// - Throws: ``StoreError/damaged(_:)`` for a segment that was damaged meanwhile.
  func ofSegments<Found: Sendable>(
    _ body: @escaping @Sendable (SearchSegments.Part, RowSet) throws(ParseError) -> Found
  ) throws -> [Found] {
    let segments = segments
    let results = Workers.map(count: segments.count) { index in
      Result { () throws(ParseError) in try body(segments[index].part, segments[index].rows) }
    }
    var found: [Found] = []
    for (segment, result) in zip(segments, results) {
      switch result {
      case .success(let value): found.append(value)
      case .failure(let error): throw segment.part.damaged(error)
      }
    }
    return found
  }

  /// Calls `body` for each segment with its rows that are cases.
  ///
  /// - Throws: ``StoreError/damaged(_:)`` for a segment that was damaged meanwhile.
  func forEachSegment(
    _ body: (SearchSegments.Part, RowSet) throws(ParseError) -> Void
  ) throws {
    for (part, rows) in segments {
      do throws(ParseError) {
        try body(part, rows)
      } catch {
        throw part.damaged(error)
      }
    }
  }

  /// Calls `body` for the chunks that are not part of a segment and contain cases, with their positions.
  ///
  /// - Parameter fields: The columns that `body` reads.
  func ofChunks(
    _ fields: [SearchField], in database: borrowing Connection,
    _ body: (SearchChunk, _ positions: ChunkPositions) throws -> Void
  ) throws {
    try SearchScan.visit(chunks, fields, in: database, segment: { _, _ in }, body)
  }

  /// Source of the multipliers: SplitMix64.
  static func mixed(_ number: UInt64) -> UInt64 {
    var mixed = number &+ 0x9e37_79b9_7f4a_7c15
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

extension CompiledCondition {
  /// Reports of an app.
  static func reports(
    of app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> CompiledCondition {
    var groups = CodeSet()
    let rows = try database.prepare("SELECT id FROM groups WHERE app = ?1", [app])
    while try rows.step() { groups.insert(try rows.int("id")) }
    return CompiledCondition(isNegated: false, checks: [.codes(.group, groups)])
  }
}
