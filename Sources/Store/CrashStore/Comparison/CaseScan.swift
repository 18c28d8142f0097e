internal import Database
internal import Identifiers

/// The cases among reports: the last of the reports of one group and release from one installation on one
/// day.
///
/// A device that crashes at every start would otherwise outweigh all others. A report that names no
/// installation is a case by itself.
struct CaseScan {
  private let scan: SearchScan
  /// The last report of each installation, group, release and day with several reports.
  private var last: [UInt64: Report] = [:]

  private struct Report {
    var time: Int
    /// Its row, or its index among deleted reports.
    var number: Int
  }

  /// - Parameter conditions: Conditions for the reports.
  /// - Complexity: O(*n*) in the reports of the store, a few nanoseconds each.
  init(_ conditions: [CompiledCondition], in database: borrowing Connection) throws {
    scan = SearchScan(conditions)
    var seen = NumberSet()
    var repeated = NumberSet()
    try scan.run(Self.fields, withPast: true, in: database) { chunk, positions in
      Self.each(positions, of: chunk) { _, key in
        if !seen.insert(key) { repeated.insert(key) }
      }
    }
    guard repeated.count > 0 else { return }
    var last: [UInt64: Report] = [:]
    try scan.run(Self.fields, withPast: true, in: database) { chunk, positions in
      let times = chunk[.time]
      Self.each(positions, of: chunk) { position, key in
        guard repeated.contains(key) else { return }
        let (time, number) = (times[position], chunk.row(position))
        if let known = last[key], (known.time, known.number) > (time, number) { return }
        last[key] = Report(time: time, number: number)
      }
    }
    self.last = last
  }

  /// Calls `body` for each chunk that contains cases, with their positions.
  func run(
    _ fields: [SearchField], in database: borrowing Connection,
    _ body: (SearchChunk, _ positions: ChunkPositions) throws -> Void
  ) throws {
    guard !last.isEmpty else { return try scan.run(fields, withPast: true, in: database, body) }
    try scan.run(fields + Self.fields, withPast: true, in: database) { chunk, positions in
      var others = Set<Int>()
      Self.each(positions, of: chunk) { position, key in
        if let known = last[key], known.number != chunk.row(position) { others.insert(position) }
      }
      try body(chunk, others.isEmpty ? positions : positions.kept { !others.contains($0) })
    }
  }

  private static let fields: [SearchField] = [.time, .install, .release]

  /// Calls `body` for the reports that name an installation, with a key that is the same for all of one case.
  private static func each(
    _ positions: ChunkPositions, of chunk: SearchChunk,
    _ body: (_ position: Int, _ key: UInt64) -> Void
  ) {
    let groups = chunk[.group]
    let times = chunk[.time]
    let installs = chunk[.install]
    let releases = chunk[.release]
    for position in positions where installs[position] != 0 {
      let day = Timestamp(microseconds: times[position]).day
      let release = mixed(UInt64(truncatingIfNeeded: releases[position]))
      let number = mixed(NumberSet.pair(groups[position], day) ^ release)
      body(position, UInt64(bitPattern: Int64(installs[position])) ^ number)
    }
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
