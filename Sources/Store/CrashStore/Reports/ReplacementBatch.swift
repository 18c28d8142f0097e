internal import CrashModel
internal import Database
internal import Identifiers

/// Reports whose stored state is replaced together, inside a transaction.
///
/// The rows that are replaced, or decide about it, are read for all reports at a time, and each table is
/// written with one statement. Only a key that gets or loses a stack, and reports that rules of a split lead
/// elsewhere, take statements of their own.
struct ReplacementBatch {
  /// A report with its former state.
  private struct Item {
    let new: PreparedReplacement
    let row: RowID<Tables.Reports>
    let app: RowID<Tables.Apps>
    let origin: Origin
    /// The origin that its key leads to.
    let keyed: Origin
    let old: CountedReport
    let oldKey: String
    let oldVariant: String

    var report: ReportRow { new.row }
    var hasNewKey: Bool { oldKey != report.signature.key }
    var hasNewStack: Bool { hasNewKey || oldVariant != report.variant }
    var hasNewRelease: Bool { (old.version, old.build) != (report.version, report.build) }
  }

  private var items: [Item] = []
  private let records: ReplacementRecords
  /// Origins from which rules may lead on to others.
  private var split: Set<RowID<Tables.Origins>> = []

  /// Reads the former state of reports.
  ///
  /// - Parameter replacements: The new states, with the rows of the reports, each of which comes once.
  init(
    _ replacements: [(row: RowID<Tables.Reports>, new: PreparedReplacement)],
    in database: borrowing Connection
  ) throws {
    records = try ReplacementRecords(replacements, in: database)
    let states = try FormerState.read(replacements.map(\.row), in: database)
    var origins = try Origin.read(Set(states.values.map(\.origin)), in: database)
    var keyed: [RowID<Tables.Origins>: Origin] = [:]
    for origin in origins.values { keyed[origin.id] = try origin.keyed(in: database) }
    for (row, new) in replacements {
      guard let state = states[row] else {
        throw StoreError.damaged("report \(new.row.id) has no row")
      }
      guard let origin = origins[state.origin], let keyed = keyed[state.origin] else {
        throw StoreError.damaged("there is no origin in row \(state.origin)")
      }
      items.append(
        Item(
          new: new, row: row, app: state.app, origin: origin, keyed: keyed, old: state.counted,
          oldKey: state.key, oldVariant: state.variant))
    }
    for origin in keyed.values { origins[origin.id] = origin }
    try database.readMany(
      "SELECT parent FROM origins WHERE parent IS NOT NULL AND parent = ?1 AND rule IS NOT NULL",
      origins.keys.sorted().map { RowKey($0.sqlValue) }
    ) { _, row in split.insert(try row.id("parent")) }
  }

  /// Writes the new state of the reports and all that follows from it, then moves those that the rules of
  /// splits lead to another origin.
  func write(_ context: StoringContext, in database: borrowing Connection) throws {
    guard !items.isEmpty else { return }
    try records.keep(in: database)
    try writeReports(to: database)
    try writeSearch(context, to: database)
    try writeImages(context, to: database)
    try writeCounts(to: database)
    try writeReadings(to: database)
    try relink(in: database)
    try followCounted(in: database)
    for item in items where split.contains(item.keyed.id) { try move(item, context, in: database) }
    try leaveKeys(in: database)
    for origin in Set(items.filter { $0.old.time != $0.report.time }.map(\.keyed)) {
      try Regrouping.examine(origin, in: database)
    }
    try records.finish(
      Dictionary(
        items.map { ($0.row, $0.keyed) }, uniquingKeysWith: { one, _ in one }), in: database)
  }

  private func writeReports(to database: borrowing Connection) throws {
    try database.runMany(
      """
      UPDATE reports SET format = ?2, kind = ?3, version = ?4, build = ?5, time = ?6, os = ?7,
        device = ?8, install = ?9, reason = ?10, signature = ?11, key = ?12, category = ?13,
        rules = ?14, provisional = ?15, symbols = ?16, document = ?17, variant = ?18,
        happened = CASE WHEN happened = time THEN ?6 ELSE happened END,
        person = coalesce(?19, person), session = CASE WHEN ?20 = '' THEN session ELSE ?20 END
      WHERE id = ?1
      """, items.map(Self.values))
    try database.runMany(
      "UPDATE reports SET found_by = ?2, found_detail = NULL WHERE id = ?1",
      items.filter(\.hasNewKey).map { [$0.row.sqlValue, MatchReason.followed.word.sqlValue] })
    var new = NewRows()
    for item in items { new.addStack(of: item.report, app: item.app) }
    try new.write(to: database)
    try StacksTable.forget(
      items.filter { $0.oldVariant != $0.report.variant }.map { ($0.app, $0.oldVariant) },
      in: database)
  }

  private static func values(of item: Item) -> [SQLValue] {
    let report = item.report
    let signature = report.signature
    return [
      item.row.sqlValue, report.format.sqlValue, report.kind.rawValue.sqlValue,
      report.version.sqlValue, report.build.sqlValue, report.time.microseconds.sqlValue,
      report.os.sqlValue, report.device.sqlValue, report.install.sqlValue, report.reason.sqlValue,
      signature.text.sqlValue, signature.key.sqlValue, signature.category.rawValue.sqlValue,
      signature.rules.sqlValue, signature.isProvisional.sqlValue, report.symbols.rawValue.sqlValue,
      report.document.sqlValue, report.variant.sqlValue, report.person.sqlValue,
      report.session.sqlValue,
    ]
  }

  private func writeSearch(
    _ context: StoringContext, to database: borrowing Connection
  ) throws {
    try context.search.replace(items.map { ($0.report.entry, $0.row) }, in: database)
    let rows = items.map { RowKey($0.row.sqlValue, CrashReport.dumpName.sqlValue) }
    var withDump: [RowID<Tables.Reports>] = []
    try database.readMany(
      "SELECT report FROM attachments WHERE report = ?1 AND name = ?2", rows
    ) { _, row in withDump.append(try row.id("report")) }
    for row in withDump { try context.search.noteDump(of: row, in: database) }
  }

  private func writeImages(
    _ context: StoringContext, to database: borrowing Connection
  ) throws {
    try WaitingReports.forget(items.map { ($0.row, $0.origin.group) }, in: database)
    var new = NewRows()
    for item in items {
      try context.waiting.note(
        item.report, row: item.row, app: item.app, group: item.origin.group,
        seen: item.new.arrivals, &new, in: database)
    }
    try new.write(to: database)
  }

  private func writeCounts(to database: borrowing Connection) throws {
    var changes = CountChanges()
    for item in items {
      let counted = item.report.counted
      if !item.old.countsLike(counted) {
        // Seldom: a debug file says nothing about the release, the time or the system.
        let table = GroupsTable(app: item.app, author: "mayday")
        try table.uncount(item.old, in: item.origin, of: database)
        try table.count(counted, in: item.origin, of: database)
      }
      guard item.hasNewRelease else { continue }
      let received = item.report.received
      changes.add(item.old, by: -1, toReleaseOf: item.app, received: received)
      changes.add(counted, toReleaseOf: item.app, received: received)
    }
    try changes.write(to: database)
  }

  private func writeReadings(to database: borrowing Connection) throws {
    var readings = KeyReadings()
    for item in items {
      readings.add(item.report.signature, build: item.report.counted, app: item.app)
    }
    try readings.write(to: database)
  }

  /// Recomputes the links of keys that get or lose a stack.
  private func relink(in database: borrowing Connection) throws {
    let changed = items.filter(\.hasNewStack)
    var changes = try KeyStackChanges(
      changed.flatMap { item in
        [
          KnownRows.keyStack(of: item.report, app: item.app),
          RowKey(item.app.sqlValue, item.oldKey.sqlValue, item.oldVariant.sqlValue),
        ]
      }, in: database)
    for item in changed {
      let added = try changes.add(item.report, app: item.app, in: database)
      let removed = try changes.remove(
        variant: item.oldVariant, of: item.oldKey, app: item.app, in: database)
      guard added || removed else { continue }
      // Groups are settled when all reports of the app are reprocessed.
      try Regrouping.note(item.origin.id, of: item.app, from: .arrange, in: database)
    }
    try changes.write(to: database)
  }

  /// Has reports that were only counted follow the last of the stored reports of their build.
  private func followCounted(in database: borrowing Connection) throws {
    var last: [RowKey: Int] = [:]
    for (index, item) in items.enumerated() where item.hasNewStack {
      last[
        CountedReports.build(of: item.old, item.oldKey, item.oldVariant, at: item.origin.id)] =
        index
    }
    guard try CountedReports.areCounted(last.keys.sorted(), in: database) else { return }
    for index in last.values.sorted() {
      let item = items[index]
      try CountedReports.follow(
        item.report, row: item.row, from: (item.old, item.oldKey, item.oldVariant),
        at: item.origin, in: database)
    }
  }

  /// Moves a report if rules lead it elsewhere, now that more is known of it.
  private func move(
    _ item: Item, _ context: StoringContext, in database: borrowing Connection
  ) throws {
    let destination = try context.rules.follow(from: item.keyed, report: item.row, in: database)
    guard destination != item.origin else { return }
    let table = GroupsTable(app: item.app, author: "mayday")
    try table.move(item.report.counted, from: item.origin, to: destination, in: database)
    for origin in [item.origin, destination] {
      try table.refresh(origin, in: database)
      try table.refresh(origin.group, in: database)
    }
    guard destination.group != item.origin.group else { return }
    try GroupStatuses(app: item.app, now: table.now, isLate: table.isLate)
      .left(item.origin.group, for: destination.group, of: database)
  }

  /// Marks the keys that reports have left. Whether others stayed with them is determined when the groups are
  /// settled.
  private func leaveKeys(in database: borrowing Connection) throws {
    let left = Set(
      items.filter(\.hasNewKey).map {
        RowKey($0.app.sqlValue, $0.oldKey.sqlValue, $0.keyed.id.sqlValue)
      })
    try database.runMany(
      "UPDATE group_keys SET is_left = 1 WHERE app = ?1 AND key = ?2 AND origin = ?3",
      left.sorted().map(\.values))
  }
}

/// The state of a report before it is replaced.
private struct FormerState {
  let app: RowID<Tables.Apps>
  let origin: RowID<Tables.Origins>
  let counted: CountedReport
  let key: String
  let variant: String

  static func read(
    _ rows: [RowID<Tables.Reports>], in database: borrowing Connection
  ) throws -> [RowID<Tables.Reports>: FormerState] {
    var states: [RowID<Tables.Reports>: FormerState] = [:]
    try database.readMany(
      """
      SELECT id, \(CountedReport.columns), app, origin, key, variant FROM reports WHERE id = ?1
      """, rows.map { RowKey($0.sqlValue) }
    ) { _, row in
      states[try row.id("id")] = try FormerState(
        app: row.id("app"), origin: row.id("origin"), counted: CountedReport(row),
        key: row.text("key"), variant: row.text("variant"))
    }
    return states
  }
}

extension CountedReport {
  /// Whether it goes into the same counters as another.
  fileprivate func countsLike(_ other: CountedReport) -> Bool {
    (time, version, build) == (other.time, other.version, other.build)
      && (os, device, install) == (other.os, other.device, other.install)
  }
}
