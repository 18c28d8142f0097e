internal import Bytes
internal import CrashModel
internal import Database
internal import Identifiers
internal import Segments
internal import Statistics

/// The cases of an app by group and build, and the sessions of the builds.
struct BuildCases {
  /// Maximum number of compared builds: the oldest ones are left out.
  static let mostBuilds = 200

  let basis: AppRegressions.Basis
  let since: Timestamp?
  /// Oldest first.
  let builds: [Release]
  /// Sessions of each build, where they are known.
  let sessions: [Int]?
  /// Rows of the groups that were seen in the builds.
  let groups: [RowID<Tables.Groups>]
  /// Counts of each of ``groups``, followed by those of the crashes of all groups.
  let counts: [[FirstBadTest.Count]]
  /// Each build's codes of version and build in the index, as a pair.
  let codes: [UInt64]
  let scan: CaseScan
  /// The order of the app's releases.
  let order: ReleaseOrder

  /// Counts the cases among sessions or, where no two builds have sessions, among those of all groups.
  init(
    of app: RowID<Tables.Apps>, since: Timestamp?, in database: borrowing Connection
  ) throws {
    let (started, first) = try Self.sessions(of: app, since: since, in: database)
    // The reports are scanned for what can be compared at all.
    if started.values.count(where: { $0.sessionGap == nil }) > 1 {
      let cases = try BuildCases(
        of: app, .sessions, started, since: since, first: first, in: database)
      if cases.builds.count > 1 {
        self = cases
        return
      }
    }
    self = try BuildCases(of: app, .reports, [:], since: since, first: nil, in: database)
  }

  /// - Parameters:
  ///   - basis: The total among which cases are counted.
  ///   - started: The sessions of releases.
  ///   - first: The first day with sessions.
  private init(
    of app: RowID<Tables.Apps>, _ basis: AppRegressions.Basis, _ started: [Release: CrashFree],
    since: Timestamp?, first: Int?, in database: borrowing Connection
  ) throws {
    self.basis = basis
    self.since = first.map { Timestamp(day: max($0, since?.day ?? $0)) } ?? since
    var conditions = [try CompiledCondition.reports(of: app, in: database)]
    if let since = self.since {
      let range = Timestamp(day: since.day).microseconds...Int.max
      conditions.append(CompiledCondition(isNegated: false, checks: [.range(.time, range)]))
    }
    scan = try CaseScan(
      conditions, reading: [.install, .version, .build, .kind], in: database)
    let (cases, crashes) = try Self.cases(scan, in: database)

    var most = crashes
    for (key, count) in cases { most[key.release] = max(most[key.release] ?? 0, count) }
    var codes: [Release: UInt64] = [:]
    for code in most.keys { codes[try Self.release(code, in: database)] = code }
    order = try ReleasesTable.order(of: app, in: database)
    let known =
      basis == .sessions
      ? started.filter { release, figures in
        // Where there are more crashes than sessions, sessions are missing.
        figures.sessionGap == nil
          && figures.sessions >= codes[release].flatMap { most[$0] } ?? 0
      }.map(\.key) : Array(codes.keys)
    builds = Array(order.sorted(known.filter { !$0.isEmpty }).suffix(Self.mostBuilds))
    sessions = basis == .sessions ? builds.map { started[$0]?.sessions ?? 0 } : nil
    self.codes = builds.map { codes[$0] ?? .max }

    let positions = Dictionary(zip(self.codes, 0...)) { first, _ in first }
    var found: [Int: [FirstBadTest.Count]] = [:]
    for (key, count) in cases {
      guard let position = positions[key.release] else { continue }
      found[key.group, default: []].append(.init(build: position, cases: count))
    }
    let rows = found.keys.sorted()
    groups = rows.map { RowID($0) }
    let all = crashes.compactMap { code, count in
      positions[code].map { FirstBadTest.Count(build: $0, cases: count) }
    }
    counts = (rows.map { found[$0] ?? [] } + [all]).map { counts in
      counts.sorted { $0.build < $1.build }
    }
  }

  private struct Key: Hashable {
    var group: Int
    var release: UInt64
  }

  /// The cases in a segment, stretch by stretch.
  private struct CountsOfSegment {
    private(set) var cases: [(key: Key, count: Int)] = []
    private(set) var crashes: [UInt64: Int] = [:]

    /// - Throws: `ParseError` where the file is damaged.
    init(
      _ rows: RowSet, of part: SearchSegments.Part, _ isCrash: SegmentCondition
    ) throws(ParseError) {
      let (version, build) = (SegmentColumn(.version), SegmentColumn(.build))
      try part.segment.forEachStretch(by: version, build, of: rows) { stretch in
        let release = NumberSet.pair(stretch.first, stretch.second)
        cases.append((Key(group: stretch.origin, release: release), stretch.count))
      }
      let found = try part.rows(of: rows, matching: [isCrash])
      try part.segment.forEachStretch(by: version, build, of: found) { stretch in
        crashes[NumberSet.pair(stretch.first, stretch.second), default: 0] += stretch.count
      }
    }
  }

  /// Returns the cases of each group and release, and the number of crashes of each release.
  private static func cases(
    _ scan: CaseScan, in database: borrowing Connection
  ) throws -> (cases: [Key: Int], crashes: [UInt64: Int]) {
    let crash = try database.integer(
      "SELECT id FROM search_terms WHERE id >= ?1 AND id < ?2 AND text = ?3",
      SearchTerm.ids(of: .kind).lowerBound, SearchTerm.ids(of: .kind).upperBound,
      ReportKind.crash.rawValue
    ).map(SearchTerm.code)
    var cases: [Key: Int] = [:]
    var crashes: [UInt64: Int] = [:]
    let isCrash = SegmentCondition([
      .values(SegmentColumn(.kind), ValueSet(crash.map { [$0] } ?? []))
    ])
    for found in try scan.ofSegments({ part, rows throws(ParseError) in
      try CountsOfSegment(rows, of: part, isCrash)
    }) {
      for (key, count) in found.cases { cases[key, default: 0] += count }
      for (release, count) in found.crashes { crashes[release, default: 0] += count }
    }
    try scan.ofChunks([.version, .build, .kind], in: database) { chunk, positions in
      let (groups, kinds) = (chunk[.group], chunk[.kind])
      let (versions, builds) = (chunk[.version], chunk[.build])
      for position in positions {
        let release = NumberSet.pair(versions[position], builds[position])
        cases[Key(group: groups[position], release: release), default: 0] += 1
        if kinds[position] == crash { crashes[release, default: 0] += 1 }
      }
    }
    return (cases, crashes)
  }

  /// Returns the release of a pair of the codes of version and build in the index.
  static func release(
    _ code: UInt64, in database: borrowing Connection
  ) throws -> Release {
    try Release(
      version: SearchTerms.text(.version, Int(code >> 32), in: database),
      build: SearchTerms.text(.build, Int(code & 0xffff_ffff), in: database))
  }

  /// Returns the sessions and crashes of each release, and the first day with known sessions.
  private static func sessions(
    of app: RowID<Tables.Apps>, since: Timestamp?, in database: borrowing Connection
  ) throws -> (figures: [Release: CrashFree], first: Int?) {
    let from = since?.day ?? Int(Int32.min)
    var first: Int?
    for table in ["sessions", "session_counts"] {
      let day = try database.integer(
        "SELECT day FROM \(table) WHERE app = ?1 AND day >= ?2 ORDER BY day LIMIT 1", app, from)
      if let day { first = min(first ?? day, day) }
    }
    guard let first else { return ([:], nil) }
    return try (
      CrashStore.Sessions.crashFreeReleases(
        app: app, days: first...Int(Int32.max), in: database), first
    )
  }
}
