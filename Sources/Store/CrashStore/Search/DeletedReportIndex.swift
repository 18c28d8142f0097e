internal import CrashModel
internal import Database

/// Deleted reports in the index that their groups still count.
enum DeletedReportIndex {
  /// Adds reports that counters count and the index does not have, such as those of a home restored
  /// from an archive. Only their origin, day, version, build, system and device are known.
  static func complete(with search: SearchIndex, in database: borrowing Connection) throws {
    let systems = try systems(in: database)
    try completeCounted(with: search, systems, in: database)
    var missing: [(counter: Counter, count: Int)] = []
    do {
      let rows = try database.prepare(
        """
        SELECT grp, origin, day, version, build, os, device, count - coalesce((
          SELECT count(*) FROM reports
          WHERE reports.grp = counters.grp AND reports.origin = counters.origin
            AND reports.time BETWEEN counters.day * 86400000000
              AND counters.day * 86400000000 + 86399999999
            AND reports.version = counters.version AND reports.build = counters.build
            AND reports.os = counters.os AND reports.device = counters.device), 0) AS missing
        FROM counters
        WHERE grp IN (SELECT id FROM groups WHERE redirect IS NULL AND reports >
          (SELECT count(*) FROM reports WHERE reports.grp = groups.id)
          + (SELECT count(*) FROM search_past WHERE search_past.grp = groups.id))
        ORDER BY day, grp, origin
        """)
      while try rows.step() {
        let counter = try Counter(
          group: rows.int("grp"), origin: rows.int("origin"), day: rows.day("day"),
          version: rows.text("version"),
          build: rows.text("build"), os: rows.text("os"), device: rows.text("device"))
        let lacking = try rows.int("missing")
        if lacking > 0 { missing.append((counter, lacking)) }
      }
    }
    for (counter, count) in missing {
      let known = try search.pastCount(counter, in: database)
      for _ in 0..<max(0, count - known) {
        try search.addPast(counter, system: systems[counter.os], in: database)
      }
    }
  }

  /// Adds the records of reports that were only counted.
  private static func completeCounted(
    with search: SearchIndex, _ systems: [String: (name: String, version: String)],
    in database: borrowing Connection
  ) throws {
    var missing: [(counter: Counter, row: Int, install: [UInt8], count: Int)] = []
    do {
      let rows = try database.prepare(
        """
        SELECT counted_reports.id, origins.grp, origin, day, version, build, os, device, install,
          count - (SELECT count(*) FROM search_past
            WHERE search_past.counted > 0 AND search_past.counted = counted_reports.id) AS missing
        FROM counted_reports JOIN origins ON origins.id = counted_reports.origin
        ORDER BY counted_reports.id
        """)
      while try rows.step() {
        let lacking = try rows.int("missing")
        guard lacking > 0 else { continue }
        let counter = try Counter(
          group: rows.int("grp"), origin: rows.int("origin"), day: rows.day("day"),
          version: rows.text("version"),
          build: rows.text("build"), os: rows.text("os"), device: rows.text("device"))
        try missing.append((counter, rows.int("id"), rows.blob("install"), lacking))
      }
    }
    for (counter, row, install, count) in missing {
      for _ in 0..<count {
        try search.addPast(
          counter, system: systems[counter.os], row: row,
          install: SearchEntry.install(install.isEmpty ? nil : install), in: database)
      }
    }
  }

  /// A row of `counters`.
  struct Counter {
    let group: Int
    let origin: Int
    let day: Int
    let version: String
    let build: String
    let os: String
    let device: String

    /// The terms by which its reports are found.
    func terms(system: (name: String, version: String)?) -> [SearchTerm] {
      let identity = AppIdentity(
        version: version.isEmpty ? nil : version, build: build.isEmpty ? nil : build)
      let texts: [(SearchField, String)] = [
        (.version, version), (.build, build), (.release, identity.versionText), (.os, os),
        (.osName, system?.name ?? ""), (.osVersion, system?.version ?? ""), (.device, device),
      ]
      return texts.filter { !$0.1.isEmpty }.map { SearchTerm(field: $0.0, text: $0.1) }
    }
  }
}

extension DeletedReportIndex {
  /// Name and version of each system in the index.
  private static func systems(
    in database: borrowing Connection
  ) throws -> [String: (name: String, version: String)] {
    let rows = try database.prepare("SELECT DISTINCT os, os_name, os_version FROM search_facts")
    var codes: [(os: Int, name: Int, version: Int)] = []
    while try rows.step() {
      try codes.append((rows.int("os"), rows.int("os_name"), rows.int("os_version")))
    }
    var systems: [String: (name: String, version: String)] = [:]
    for code in codes {
      systems[try SearchTerms.text(.os, code.os, in: database)] = (
        try SearchTerms.text(.osName, code.name, in: database),
        try SearchTerms.text(.osVersion, code.version, in: database)
      )
    }
    return systems
  }
}

extension SearchIndex {
  fileprivate static let microsecondsOfDay = 86_400_000_000

  /// The number of deleted reports in the index that a counter counts.
  fileprivate func pastCount(
    _ counter: DeletedReportIndex.Counter, in database: borrowing Connection
  ) throws -> Int {
    let codes = try codes(of: counter.terms(system: nil), in: database)
    let start = counter.day * Self.microsecondsOfDay
    return try database.requiredInteger(
      """
      SELECT count(*) FROM search_past WHERE origin = ?1 AND time BETWEEN ?2 AND ?3
        AND version = ?4 AND build = ?5 AND os = ?6 AND device = ?7
      """, counter.origin, start, start + Self.microsecondsOfDay - 1, codes[.version] ?? 0,
      codes[.build] ?? 0, codes[.os] ?? 0, codes[.device] ?? 0)
  }

  /// - Parameter row: The row of `counted_reports` that counts it; 0 if there is none.
  fileprivate func addPast(
    _ counter: DeletedReportIndex.Counter, system: (name: String, version: String)?, row: Int = 0,
    install: Int = 0, in database: borrowing Connection
  ) throws {
    var codes = try codes(of: counter.terms(system: system), in: database)
    codes[.group] = counter.group
    codes[.time] = counter.day * Self.microsecondsOfDay
    codes[.received] = codes[.time]
    codes[.install] = install
    let columns = SearchField.columns
    let insertion = try database.prepare(
      "INSERT INTO search_past (origin, counted, "
        + columns.map(\.sqlName).joined(separator: ", ") + ") VALUES (?1, ?2, "
        + columns.indices.map { "?\($0 + 3)" }.joined(separator: ", ") + ")",
      [counter.origin, row] + columns.map { codes[$0] ?? 0 })
    while try insertion.step() {}
    try database.run(
      "INSERT INTO search_stale (chunk) VALUES (?1) ON CONFLICT DO NOTHING",
      (database.lastRow >> SearchChunk.bits) + SearchChunk.firstPast)
  }

  private func codes(
    of terms: [SearchTerm], in database: borrowing Connection
  ) throws -> [SearchField: Int] {
    var codes: [SearchField: Int] = [:]
    for term in terms { codes[term.field] = SearchTerm.code(try number(of: term, in: database)) }
    return codes
  }
}
