internal import Database
internal import Identifiers

/// The reports of an app to be expired.
struct ExpiryPlan {
  /// A report that may be deleted as long as another stays in its place.
  struct Candidate {
    /// The database row of the report.
    let report: RowID<Tables.Reports>
    /// Hash of its name: the row may belong to another report by the time it is read again.
    let nameHash: Int
    /// The row of the report of the same group and version that stays.
    let keeper: RowID<Tables.Reports>
    let reason: ExpiryReason
  }

  private(set) var candidates: [Candidate] = []
  /// The reports that stay for their group and version.
  private var keepers: Set<RowID<Tables.Reports>> = []

  /// - Parameter app: The database row of the app.
  init(app: RowID<Tables.Apps>, retention: Retention, now: Timestamp, in store: CrashStore) throws {
    guard !retention.isUnlimited else { return }
    let oldest = retention.days.map { days in
      // Earlier than any stored time.
      let length = min(max(days, 0), 10_000_000) * 86_400_000_000
      return Timestamp(microseconds: now.microseconds - length)
    }
    let groups = try store.read { database in
      let rows = try database.prepare("SELECT id FROM groups WHERE app = ?1 ORDER BY id", [app])
      var groups: [RowID<Tables.Groups>] = []
      while try rows.step() { try groups.append(rows.id("id")) }
      return groups
    }
    for group in groups {
      let reports = try store.read { try Self.reports(of: group, in: $0) }
      add(reports, oldest: oldest, perGroup: retention.perGroup)
    }
    if let bytes = retention.bytes { try addOver(bytes, app: app, in: store) }
  }

  private struct Report {
    let row: RowID<Tables.Reports>
    let version: String
    let nameHash: Int
    let received: Timestamp
    let symbols: Int
    let isExemplar: Bool
  }

  /// The reports of a group, newest first.
  private static func reports(
    of group: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws -> [Report] {
    let rows = try database.prepare(
      """
      SELECT reports.id, reports.version, reports.received, reports.symbols,
        reports.name = groups.exemplar AS is_exemplar, reports.name
      FROM reports JOIN groups ON groups.id = reports.grp
      WHERE reports.grp = ?1 ORDER BY reports.time DESC, reports.id DESC
      """, [group])
    var reports: [Report] = []
    while try rows.step() {
      try reports.append(
        Report(
          row: rows.id("id"), version: rows.text("version"), nameHash: rows.text("name").hashValue,
          received: rows.timestamp("received"), symbols: rows.int("symbols"),
          isExemplar: rows.bool("is_exemplar")))
    }
    return reports
  }

  private mutating func add(_ reports: [Report], oldest: Timestamp?, perGroup: Int?) {
    // The group's exemplar also represents its version; otherwise the report with the most symbols does.
    var best: [String: Report] = [:]
    for report in reports {
      guard let other = best[report.version] else {
        best[report.version] = report
        continue
      }
      let isBetter =
        (report.isExemplar ? 1 : 0, report.symbols, other.row)
        > (other.isExemplar ? 1 : 0, other.symbols, report.row)
      if isBetter { best[report.version] = report }
    }
    for report in best.values { keepers.insert(report.row) }
    for (rank, report) in reports.enumerated() {
      guard let keeper = best[report.version]?.row, keeper != report.row else { continue }
      if let oldest, report.received < oldest {
        add(report, keeper, .age)
      } else if let perGroup, rank >= perGroup {
        add(report, keeper, .group)
      } else {
        rest[report.row] = keeper
      }
    }
  }

  private mutating func add(
    _ report: Report, _ keeper: RowID<Tables.Reports>, _ reason: ExpiryReason
  ) {
    candidates.append(
      Candidate(report: report.row, nameHash: report.nameHash, keeper: keeper, reason: reason))
  }

  /// The reports that may be deleted but have no reason so far, each with its keeper.
  private var rest: [RowID<Tables.Reports>: RowID<Tables.Reports>] = [:]

  /// Adds the oldest of the rest until the remaining ones fit into `limit` bytes.
  private mutating func addOver(
    _ limit: Int, app: RowID<Tables.Apps>, in store: CrashStore
  ) throws {
    struct Age {
      let received: Timestamp
      let submission: RowID<Tables.Submissions>
      let report: RowID<Tables.Reports>
      let nameHash: Int
    }
    let (rest, keepers) = (rest, keepers)
    var ages: [Age] = try store.read { database in
      let rows = try database.prepare(
        "SELECT id, received, submission, name FROM reports WHERE app = ?1", [app])
      var ages: [Age] = []
      while try rows.step() {
        let report: RowID<Tables.Reports> = try rows.id("id")
        guard keepers.contains(report) || rest[report] != nil else { continue }
        try ages.append(
          Age(
            received: rows.timestamp("received"), submission: rows.id("submission"),
            report: report,
            nameHash: rows.text("name").hashValue))
      }
      return ages
    }
    // Reports that stay anyway count first; those of one submission are adjacent.
    ages.sort { left, right in
      let (stays, alsoStays) = (keepers.contains(left.report), keepers.contains(right.report))
      if stays != alsoStays { return stays }
      return (left.received, left.submission, left.report)
        > (right.received, right.submission, right.report)
    }
    var submissions: Set<RowID<Tables.Submissions>> = []
    var total = 0
    var isFull = false
    for age in ages {
      if !isFull {
        let isNew = submissions.insert(age.submission).inserted
        total += try store.packedSize(of: age.report, withSubmission: isNew)
        isFull = total > limit
      }
      if isFull, let keeper = rest[age.report] {
        candidates.append(
          Candidate(report: age.report, nameHash: age.nameHash, keeper: keeper, reason: .space))
      }
    }
  }
}
