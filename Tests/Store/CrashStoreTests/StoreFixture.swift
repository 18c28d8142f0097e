import Bytes
import CrashModel
import Database
import Glibc
import Identifiers
import TestSupport
import Testing
import TriageModel

@testable import CrashStore

/// A store in a folder of its own, and reports to add to it.
struct StoreFixture {
  let folder = ScratchFolder()
  let store: CrashStore

  static let start = Timestamp(seconds: 1_700_000_000)

  init() throws { store = try CrashStore(checking: folder.path("home")) }

  /// A signed report.
  static func report(
    _ key: String, alternatives: [String] = [], provisional: Bool = false,
    waitsFor: [DebugID] = [], version: String = "1.0", install: String? = nil, seconds: Int64 = 0,
    os: String = "iOS", kind: ReportKind = .crash
  ) -> CrashReport {
    var report = CrashReport(format: .appleIPS, kind: kind)
    report.app = AppIdentity(name: "Tern", version: version, build: "7")
    report.time = Timestamp(seconds: start.seconds + seconds)
    report.install = install
    report.os = OperatingSystem(name: os, version: "17.2")
    report.device = Device(model: "iPhone15,2")
    report.reason = CrashReason(type: "EXC_BAD_ACCESS", signal: "SIGSEGV", address: Address(16))
    report.signature = Signature(
      text: "text of \(key)", key: key, alternativeKeys: alternatives, category: .signal,
      rules: "v1", isProvisional: provisional, waitsFor: waitsFor)
    return report
  }

  /// A submission of `text` whose reports have documents that identify them.
  static func prepared(
    _ text: String, _ reports: [CrashReport], app: String = "Tern", received: Timestamp = start
  ) throws -> PreparedSubmission {
    let submission = Submission(
      bytes: ByteView(text.utf8), source: "crashes/\(text)", received: received, app: app)
    return try PreparedSubmission(
      submission,
      reports: reports.enumerated().map { index, report in
        (report, ByteView("{\"document\": \"\(text) \(index)\"}".utf8))
      })
  }

  /// Stores a submission for each report and returns their ids.
  @discardableResult
  func file(_ text: String, _ reports: [CrashReport]) throws -> [String] {
    try store.reports.add(
      reports.enumerated().map { try Self.prepared("\(text)-\($0)", [$1]) }
    ).flatMap { $0.reports.map(\.report) }
  }

  /// Stores them as if programs had sent them, with the daily limit of groups.
  @discardableResult
  func fileLimited(
    _ text: String, _ reports: [CrashReport], received: Timestamp = start
  ) throws -> [Receipt.StoredUnder] {
    try store.reports.add(
      reports.enumerated().map {
        try Self.prepared("\(text)-\($0)", [$1], received: received)
      }, isLimited: true
    ).flatMap(\.reports)
  }

  /// Reprocesses reports, with new signatures, as if a debug file had arrived for each.
  ///
  /// - Parameter batch: How many are written at once.
  func replace(_ reports: [(id: String, report: CrashReport)], batch: Int = .max) throws {
    try ask(for: reports.map(\.id))
    var rest = reports[...]
    while !rest.isEmpty {
      try store.reports.replace(
        rest.prefix(batch).map {
          .replaced(
            try PreparedReplacement(
              of: $0.id, received: Self.start, by: $0.report, document: ByteView("{}".utf8),
              arrivals: .max))
        })
      rest = rest.dropFirst(min(batch, rest.count))
    }
    while try store.groups.settle() {}
  }

  /// Marks reports for reprocessing.
  func ask(for reports: [String]) throws {
    try store.write(.global) { database in
      for report in reports {
        try database.run(
          "INSERT OR IGNORE INTO redo (app, report) SELECT app, id FROM reports WHERE name = ?1",
          report)
      }
    }
  }

  /// Makes the store one of the version before reports were asked what they name themselves.
  func forgetNames() throws {
    try store.write(.global) { database in
      try database.execute(
        """
        UPDATE waiting SET named = NULL;
        DELETE FROM missing;
        INSERT INTO missing (image, grp, reports, deciding)
        SELECT image, grp, count(*), sum(decides) FROM waiting
          JOIN reports ON reports.id = waiting.report GROUP BY image, grp;
        """)
    }
  }

  /// The groups as `name: title, reports`, in the order of their names.
  func groups() throws -> [String] {
    try store.groups.list().map { "\($0.id): \($0.signature.text), \($0.reports)" }.sorted()
  }

  /// Figures that must agree whatever happened.
  ///
  /// - Parameter mayBeLeft: Whether groups may have no reports: those that late debug files moved to a group
  ///   that was split off by hand.
  static func check(
    _ store: CrashStore, mayBeLeft: Bool = false, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let wrong = try store.read { database in
      var wrong: [String] = []
      for sql in [
        """
        SELECT id FROM groups WHERE reports != (SELECT count(*) FROM reports WHERE grp = groups.id)
          + (SELECT ifnull(sum(count), 0) FROM past_reports JOIN origins ON id = origin
            WHERE grp = groups.id)
        """,
        """
        SELECT id FROM groups
        WHERE reports != (SELECT ifnull(sum(count), 0) FROM counters WHERE grp = groups.id)
        """,
        """
        SELECT id FROM groups
        WHERE installs != (SELECT count(DISTINCT install) FROM group_installs
          WHERE grp = groups.id)
        """,
        """
        SELECT id FROM groups
        WHERE installs != (SELECT count(DISTINCT install) FROM reports WHERE grp = groups.id)
          AND NOT EXISTS (SELECT 1 FROM past_reports JOIN origins ON id = origin
            WHERE grp = groups.id)
        """,
        """
        SELECT id FROM groups WHERE redirect IS NULL AND
          (first_seen != (SELECT min(t) FROM (SELECT min(time) AS t FROM reports
              WHERE grp = groups.id
            UNION ALL SELECT min(past_reports.first_seen) FROM past_reports
              JOIN origins ON id = origin WHERE grp = groups.id))
          OR last_seen != (SELECT max(t) FROM (SELECT max(time) AS t FROM reports
              WHERE grp = groups.id
            UNION ALL SELECT max(past_reports.last_seen) FROM past_reports
              JOIN origins ON id = origin WHERE grp = groups.id)))
        """,
        // All of a group's reports may have been split off since others were separated.
        """
        SELECT id FROM groups WHERE redirect IS NULL AND reports = 0 AND \(!mayBeLeft) AND NOT EXISTS
          (SELECT 1 FROM origins LEFT JOIN origins AS above ON above.id = origins.parent
          WHERE above.home = groups.id OR origins.home = groups.id AND origins.parent IS NOT NULL)
        """,
        """
        SELECT id FROM groups WHERE redirect IS NULL
          AND NOT EXISTS (SELECT 1 FROM reports WHERE name = exemplar AND grp = groups.id)
          AND EXISTS (SELECT 1 FROM reports WHERE grp = groups.id)
        """,
        "SELECT grp FROM group_keys JOIN groups ON groups.id = grp WHERE redirect IS NOT NULL",
        // A report is where its key leads, unless a user moved it.
        """
        SELECT reports.id FROM reports JOIN origins ON origins.id = reports.origin
          LEFT JOIN group_keys
          ON group_keys.app = reports.app AND group_keys.key = reports.key
        WHERE group_keys.key IS NULL OR origins.parent IS NULL
          AND group_keys.origin != reports.origin AND reports.grp NOT IN (
            WITH RECURSIVE held (id) AS (
              SELECT redirect FROM groups WHERE joined > 0 UNION
              SELECT redirect FROM groups JOIN held ON groups.id = held.id
              WHERE redirect IS NOT NULL)
            SELECT id FROM held)
        """,
        """
        SELECT reports.id FROM reports LEFT JOIN origins ON origins.id = reports.origin
        WHERE origins.grp IS NOT reports.grp
        """,
        """
        SELECT key FROM group_keys LEFT JOIN origins ON origins.id = group_keys.origin
        WHERE origins.grp IS NOT group_keys.grp OR rule IS NOT NULL
        """,
        """
        SELECT origins.id FROM origins JOIN groups ON groups.id = origins.grp
        WHERE redirect IS NOT NULL
        """,
        """
        SELECT count FROM counters JOIN origins ON origins.id = counters.origin
        WHERE origins.grp != counters.grp OR count <= 0
        """,
        """
        SELECT count FROM group_installs
        WHERE count != (SELECT count(*) FROM reports WHERE grp = group_installs.grp
          AND origin = group_installs.origin AND install = group_installs.install)
          AND NOT EXISTS (SELECT 1 FROM past_reports WHERE origin = group_installs.origin)
        """,
        """
        SELECT id FROM origins
        WHERE (first_seen IS NOT (SELECT min(time) FROM reports WHERE origin = origins.id)
          OR last_seen IS NOT (SELECT max(time) FROM reports WHERE origin = origins.id))
          AND NOT EXISTS (SELECT 1 FROM past_reports WHERE origin = origins.id)
        """,
        """
        SELECT calls FROM stacks WHERE NOT EXISTS (SELECT 1 FROM reports
          WHERE reports.app = stacks.app AND reports.variant = stacks.variant)
        """,
        """
        SELECT name FROM reports WHERE variant != '-' AND NOT EXISTS (SELECT 1 FROM stacks
          WHERE stacks.app = reports.app AND stacks.variant = reports.variant)
        """,
        "SELECT report FROM redo WHERE problem IS NULL",
        "SELECT origin FROM regroup",
        "SELECT origin FROM regroup_changes",
        "SELECT * FROM pragma_foreign_key_check",
      ] + recounts where try database.integer(sql) != nil {
        wrong.append(sql)
      }
      if try database.text("PRAGMA integrity_check") != "ok" { wrong.append("integrity") }
      return wrong
    }
    #expect(wrong == [], sourceLocation: location)
    #expect(try store.ledger.get().faults == [], sourceLocation: location)
  }

  func check(_ location: SourceLocation = #_sourceLocation) throws {
    try Self.check(store, location)
  }

  /// Queries that return a row if a sum differs from its rows.
  static let recounts = [
    """
    SELECT 1 FROM (SELECT grp, 'os' AS field, os AS value, sum(count) FROM counters GROUP BY 1, 3
        UNION ALL SELECT grp, 'device', device, sum(count) FROM counters GROUP BY 1, 3
        EXCEPT SELECT grp, field, value, count FROM group_spread)
      UNION ALL SELECT 1 FROM (SELECT grp, field, value, count FROM group_spread
        EXCEPT SELECT * FROM (SELECT grp, 'os', os, sum(count) FROM counters GROUP BY 1, 3
        UNION ALL SELECT grp, 'device', device, sum(count) FROM counters GROUP BY 1, 3))
    """,
    """
    SELECT 1 FROM (SELECT grp, day, sum(count) FROM counters GROUP BY 1, 2
        EXCEPT SELECT grp, day, count FROM group_days)
      UNION ALL SELECT 1 FROM (SELECT grp, day, count FROM group_days
        EXCEPT SELECT grp, day, sum(count) FROM counters GROUP BY 1, 2)
    """,
    """
    SELECT image, grp, count(*), sum(decides) FROM waiting
      JOIN reports ON reports.id = waiting.report WHERE named = 0 GROUP BY image, grp
    EXCEPT SELECT image, grp, reports, deciding FROM missing
    """,
    """
    SELECT image, grp, reports, deciding FROM missing
    EXCEPT SELECT image, grp, count(*), sum(decides) FROM waiting
      JOIN reports ON reports.id = waiting.report WHERE named = 0 GROUP BY image, grp
    """,
    """
    SELECT 1 FROM (SELECT grp, version, build, sum(count) AS count FROM counters
      GROUP BY grp, version, build) AS counted
    FULL JOIN group_versions USING (grp, version, build)
    WHERE counted.count IS NOT group_versions.count
    """,
    """
    SELECT 1 FROM groups WHERE versions !=
      (SELECT count(*) FROM group_versions WHERE grp = groups.id)
    """,
    """
    SELECT 1 FROM reports LEFT JOIN search_facts ON search_facts.report = reports.id
    WHERE search_facts.grp IS NOT reports.grp
    """,
    "SELECT 1 FROM search_facts WHERE report NOT IN (SELECT id FROM reports)",
    "SELECT 1 FROM search_messages WHERE report NOT IN (SELECT id FROM reports)",
    """
    SELECT 1 FROM search_past LEFT JOIN origins ON origins.id = search_past.origin
    WHERE origins.grp IS NOT search_past.grp
    """,
    """
    SELECT 1 FROM counted_reports WHERE count !=
      (SELECT count(*) FROM search_past WHERE counted = counted_reports.id
        AND search_past.origin = counted_reports.origin)
    """,
    """
    SELECT 1 FROM search_past WHERE counted > 0
      AND counted NOT IN (SELECT id FROM counted_reports)
    """,
    """
    SELECT 1 FROM (SELECT origin, sum(count) AS count FROM counted_reports GROUP BY origin) AS counted
    LEFT JOIN past_reports ON past_reports.origin = counted.origin
    WHERE past_reports.count IS NULL OR past_reports.count < counted.count
    """,
    """
    SELECT 1 FROM (
      SELECT origin, day, version, build, os, device, sum(count) AS count FROM counted_reports
      GROUP BY origin, day, version, build, os, device) AS counted
    LEFT JOIN counters USING (origin, day, version, build, os, device)
    WHERE counters.count IS NULL OR counters.count < counted.count
    """,
    """
    SELECT 1 FROM (SELECT origin, install, sum(count) AS count FROM counted_reports
      WHERE length(install) > 0 GROUP BY origin, install) AS counted
    LEFT JOIN group_installs USING (origin, install)
    WHERE group_installs.count IS NULL OR group_installs.count < counted.count
    """,
  ]
}

extension StoreFixture {
  /// The index, and the data beside counters, equal the tables.
  func checkSearch(_ location: SourceLocation = #_sourceLocation) throws {
    let wrong = try store.read { database in
      try [
        """
        SELECT 1 FROM reports LEFT JOIN search_facts ON search_facts.report = reports.id
        WHERE search_facts.grp IS NOT reports.grp OR search_facts.time IS NOT reports.time
          OR search_facts.received IS NOT reports.received
        """,
        "SELECT 1 FROM search_facts WHERE report NOT IN (SELECT id FROM reports)",
        "SELECT 1 FROM search_messages WHERE report NOT IN (SELECT id FROM reports)",
        "SELECT 1 FROM search_queue",
        """
        SELECT 1 FROM groups WHERE redirect IS NULL AND reports !=
          (SELECT count(*) FROM search_facts WHERE grp = groups.id)
          + (SELECT count(*) FROM search_past WHERE grp = groups.id)
        """,
        """
        SELECT 1 FROM (SELECT origin, day, sum(count) AS count FROM counters GROUP BY origin, day)
          AS counted
        FULL JOIN (SELECT origin, day, count(*) AS count FROM (
            SELECT origin, time / 86400000000 AS day FROM reports
            UNION ALL SELECT origin, time / 86400000000 FROM search_past)
          GROUP BY origin, day) AS found USING (origin, day)
        WHERE counted.count IS NOT found.count
        """,
      ].filter { try database.integer($0) != nil }
    }
    #expect(wrong == [], sourceLocation: location)
  }
}
