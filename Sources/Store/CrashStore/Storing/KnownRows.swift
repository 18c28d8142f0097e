internal import CrashModel
internal import Database
internal import Identifiers
internal import Likeness
internal import TriageModel

/// The rows that decide what storing a report changes, read for many reports at a time.
///
/// The value knows no database once it is read. It recognises *plain* reports: those that only add rows and
/// counts, because their submission is new and the store already knows everything that they show about their
/// group, except perhaps a stack. Most reports are plain. They change the value only as ``note(_:of:app:)`` and
/// ``noteStack(of:app:)`` say. One that moves no report but is not plain is followed by ``forget(_:app:)``; after
/// any other change the value is invalid.
struct KnownRows {
  /// A group that a key leads to.
  struct Place {
    let origin: Origin
    /// The name of the group, such as `TERN-12`.
    let groupName: String
    /// Whether reports can change the state of the group.
    fileprivate let mayChange: Bool
    /// Whether rules move some reports on to other groups.
    fileprivate let isSplit: Bool
    fileprivate let title: Title
  }

  /// The title of the group that an origin belongs to, and the signature that it is from.
  fileprivate struct Title {
    let text: String
    let key: String
    let isProvisional: Bool
  }

  /// The rows to which a plain report is added.
  struct PlainReport {
    let place: Place
    /// Whether its stack is stored.
    let isStackKnown: Bool
    let keyStack: KeyStack
    /// Whether it is the first report of its build with the key.
    let isBuildNew: Bool
  }

  /// The stack of a report among those of its key, which may link keys.
  enum KeyStack {
    /// It is counted.
    case known
    /// It is left out: there is nothing to compare, or the key has as many as are kept and it sorts after them.
    case leftOut
    /// It may be new, which ``KeyStacks`` decides.
    case unknown
  }

  private var states = SubmissionStates()
  /// The reports of stored submissions.
  private var stored: [RowKey: [Receipt.StoredUnder]] = [:]
  /// The origins that keys lead to; `nil` where no stored report has the key.
  private var leads: [RowKey: RowID<Tables.Origins>?] = [:]
  private var places: [RowID<Tables.Origins>: Place] = [:]
  /// Whether readings are weak.
  private var readings: [RowKey: Bool] = [:]
  private var builds: Set<RowKey> = []
  /// Keys that a weak reading concerns: a build that has one of them may refute it.
  private var weakKeys: Set<RowKey> = []
  /// The keys of which it was read whether a weak reading concerns them: those that builds have for the first
  /// time.
  private var keysOfNewBuilds: Set<RowKey> = []
  private var stacks: Set<RowKey> = []
  private var keyStacks: Set<RowKey> = []
  /// The last stack of each key that has as many as are kept.
  private var lastStacks: [RowKey: String] = [:]
  /// Keys whose stacks have changed since.
  private var changedStacks: Set<RowKey> = []

  // MARK: Questions

  /// The state of a submission's bytes; `nil` where it was not read.
  func state(
    of submission: PreparedSubmission, app: RowID<Tables.Apps>
  ) -> CrashStore.Reports.SubmissionState? {
    states[submission, app]
  }

  /// The reports that were read from a submission; `nil` where they were not read.
  func reports(
    of submission: PreparedSubmission, app: RowID<Tables.Apps>
  ) -> [Receipt.StoredUnder]? {
    stored[SubmissionStates.key(of: submission, app)]
  }

  /// Returns what each report of a new submission is added to, if all of them are plain.
  func plainReports(
    of submission: PreparedSubmission, app: RowID<Tables.Apps>
  ) -> [PlainReport]? {
    guard state(of: submission, app: app) == .new else { return nil }
    var plain: [PlainReport] = []
    for report in submission.reports {
      guard let report = self.plain(report, app: app) else { return nil }
      // A new stack may move all reports, also those that follow.
      if report.keyStack == .unknown, submission.reports.count > 1 { return nil }
      plain.append(report)
    }
    return plain
  }

  private func plain(_ report: ReportRow, app: RowID<Tables.Apps>) -> PlainReport? {
    let signature = report.signature
    let key = RowKey(app.sqlValue, signature.key.sqlValue)
    guard let lead = leads[key], let origin = lead, let place = places[origin],
      !place.mayChange, !place.isSplit, !place.title.isBetter(signature),
      isKnown(readingsOf: signature, app: app)
    else { return nil }
    let build = Self.build(of: report, app: app)
    guard builds.contains(build) || !weakKeys.contains(key) else { return nil }
    return PlainReport(
      place: place,
      isStackKnown: stacks.contains(RowKey(app.sqlValue, report.variant.sqlValue)),
      keyStack: keyStack(of: report, key, app: app), isBuildNew: !builds.contains(build))
  }

  private func keyStack(
    of report: ReportRow, _ key: RowKey, app: RowID<Tables.Apps>
  ) -> KeyStack {
    guard report.features != nil else { return .leftOut }
    if changedStacks.contains(key) { return .unknown }
    if keyStacks.contains(Self.keyStack(of: report, app: app)) { return .known }
    return lastStacks[key].map { report.variant >= $0 } == true ? .leftOut : .unknown
  }

  private func isKnown(readingsOf signature: Signature, app: RowID<Tables.Apps>) -> Bool {
    let weak = signature.weakAlternativeKeys
    return signature.alternativeKeys.allSatisfy { reading in
      let key = RowKey(app.sqlValue, signature.key.sqlValue, reading.sqlValue)
      guard let isWeak = readings[key], !isWeak || weak.contains(reading) else { return false }
      return leads[RowKey(app.sqlValue, reading.sqlValue)] != nil
    }
  }

  static func build(of report: ReportRow, app: RowID<Tables.Apps>) -> RowKey {
    RowKey(
      app.sqlValue, report.signature.key.sqlValue, KeysTable.name(of: report.counted).sqlValue)
  }

  static func keyStack(of report: ReportRow, app: RowID<Tables.Apps>) -> RowKey {
    RowKey(app.sqlValue, report.signature.key.sqlValue, report.variant.sqlValue)
  }

  // MARK: Changes

  /// Forgets what a submission has changed that was stored by itself and moved no other report. What stays may
  /// be less than is known by now, so that fewer reports seem plain than are.
  ///
  /// - Returns: The keys of its reports.
  mutating func forget(
    _ submission: PreparedSubmission, app: RowID<Tables.Apps>
  ) -> Set<String> {
    states[submission, app] = nil
    for report in submission.reports {
      let signature = report.signature
      noteStack(of: report, app: app)
      for key in [signature.key] + signature.alternativeKeys {
        weakKeys.insert(RowKey(app.sqlValue, key.sqlValue))
      }
    }
    return Set(submission.reports.map(\.signature.key))
  }

  /// Adds what was read later of all reports with some keys.
  mutating func add(_ other: KnownRows, ofKeys keys: Set<String>, app: RowID<Tables.Apps>) {
    weakKeys.subtract(other.keysOfNewBuilds)
    for key in keys { changedStacks.remove(RowKey(app.sqlValue, key.sqlValue)) }
    states.add(other.states)
    stored.merge(other.stored) { _, new in new }
    leads.merge(other.leads) { _, new in new }
    places.merge(other.places) { _, new in new }
    readings.merge(other.readings) { _, new in new }
    builds.formUnion(other.builds)
    weakKeys.formUnion(other.weakKeys)
    stacks.formUnion(other.stacks)
    keyStacks.formUnion(other.keyStacks)
    lastStacks.merge(other.lastStacks) { _, new in new }
  }

  /// Follows a stack that was added to those of its key.
  mutating func noteStack(of report: ReportRow, app: RowID<Tables.Apps>) {
    changedStacks.insert(RowKey(app.sqlValue, report.signature.key.sqlValue))
  }

  /// Follows a submission that was stored or counted, if all of its reports were plain or only counted.
  mutating func note(
    _ state: CrashStore.Reports.SubmissionState, of submission: PreparedSubmission,
    app: RowID<Tables.Apps>
  ) {
    states[submission, app] = state
    guard state == .stored else { return }
    for report in submission.reports {
      builds.insert(Self.build(of: report, app: app))
      stacks.insert(RowKey(app.sqlValue, report.variant.sqlValue))
    }
  }
}

extension KnownRows.Title {
  /// Whether the group gets the title of a report's signature; see ``GroupsTable/add(_:to:in:)``.
  fileprivate func isBetter(_ signature: Signature) -> Bool {
    if isProvisional != signature.isProvisional { return isProvisional }
    guard key.hasSameBytes(as: signature.key) else { return false }
    // The database compares texts only up to the first NUL, so that a text with one has to be asked for.
    if text.utf8.contains(0) || signature.text.utf8.contains(0) { return true }
    return signature.isTitle(before: text)
  }
}

// MARK: Reading

extension KnownRows {
  /// The keys of the rows that are read for reports.
  private struct Wanted {
    var keys: Set<RowKey> = []
    var alternatives: Set<RowKey> = []
    var readings: Set<RowKey> = []
    var builds: Set<RowKey> = []
    var stacks: Set<RowKey> = []
    var keyStacks: Set<RowKey> = []

    mutating func add(_ report: ReportRow, app: RowID<Tables.Apps>) {
      builds.insert(KnownRows.build(of: report, app: app))
      if report.features != nil { keyStacks.insert(KnownRows.keyStack(of: report, app: app)) }
      let signature = report.signature
      let app = app.sqlValue
      keys.insert(RowKey(app, signature.key.sqlValue))
      for reading in signature.alternativeKeys {
        alternatives.insert(RowKey(app, reading.sqlValue))
        readings.insert(RowKey(app, signature.key.sqlValue, reading.sqlValue))
      }
      stacks.insert(RowKey(app, report.variant.sqlValue))
    }
  }

  /// Reads what is known of submissions and their reports.
  static func read(
    _ submissions: [SubmissionStates.Owned], in database: borrowing Connection
  ) throws -> KnownRows {
    var known = KnownRows()
    known.states = try SubmissionStates.read(submissions, in: database)
    let held = known.states.known
    for key in held { known.stored[key] = [] }
    try database.readMany(CrashStore.Reports.ofSubmission, held) { key, row in
      try known.stored[key, default: []].append(Receipt.StoredUnder(row))
    }
    var wanted = Wanted()
    for (submission, app) in submissions where known.state(of: submission, app: app) == .new {
      for report in submission.reports { wanted.add(report, app: app) }
    }
    try known.readKeys(wanted, in: database)
    try known.readStacks(wanted, in: database)
    return known
  }

  private mutating func readKeys(_ wanted: Wanted, in database: borrowing Connection) throws {
    try database.readMany(
      "SELECT origin, is_main, is_left FROM group_keys WHERE app = ?1 AND key = ?2",
      wanted.keys.union(wanted.alternatives)
    ) { key, row in
      let isLive = try row.bool("is_main") && !row.bool("is_left")
      leads[key] = .some(isLive ? try row.id("origin") : nil)
    }
    let origins = Set(wanted.keys.compactMap { leads[$0] ?? nil })
    try database.readMany(Self.places, origins.map { RowKey($0.sqlValue) }) { _, row in
      let place = try Place(row)
      places[place.origin.id] = place
    }
    try database.readMany(
      "SELECT weak FROM key_readings WHERE app = ?1 AND key = ?2 AND reading = ?3",
      wanted.readings
    ) { key, row in readings[key] = try row.bool("weak") }
    try database.readMany(
      "SELECT 1 FROM key_readings WHERE app = ?1 AND key = ?2 AND reading = ?3",
      wanted.builds
    ) { key, _ in builds.insert(key) }
    keysOfNewBuilds = Set(
      wanted.builds.subtracting(builds).map { RowKey($0.values[0], $0.values[1]) })
    for weak in [Self.weakReadings, Self.weakReadingsOfOthers] {
      try database.readMany(weak, keysOfNewBuilds) { key, _ in weakKeys.insert(key) }
    }
  }

  private static let weakReadings = """
    SELECT 1 FROM key_readings WHERE app = ?1 AND key = ?2 AND weak = 1 AND \(KeysTable.isReading)
    LIMIT 1
    """

  private static let weakReadingsOfOthers =
    "SELECT 1 FROM key_readings WHERE app = ?1 AND reading = ?2 AND weak = 1 LIMIT 1"

  private mutating func readStacks(_ wanted: Wanted, in database: borrowing Connection) throws {
    try database.readMany(
      "SELECT 1 FROM stacks WHERE app = ?1 AND variant = ?2", wanted.stacks
    ) { key, _ in stacks.insert(key) }
    try database.readMany(
      "SELECT 1 FROM key_stacks WHERE app = ?1 AND key = ?2 AND variant = ?3",
      wanted.keyStacks
    ) { key, _ in keyStacks.insert(key) }
    let ofNewStacks = Set(
      wanted.keyStacks.subtracting(keyStacks).map { RowKey($0.values[0], $0.values[1]) })
    try database.readMany(
      """
      SELECT count(*) AS count, max(variant) AS last FROM key_stacks WHERE app = ?1 AND key = ?2
      """, ofNewStacks
    ) { key, row in
      guard try row.int("count") >= LinkPolicy.stacksOfKey else { return }
      lastStacks[key] = try row.text("last")
    }
  }

  private static let places = """
    SELECT \(Origin.columns), shown.state, own.title, own.main_key, own.provisional,
      apps.prefix || '-' || shown.number AS group_name,
      EXISTS (SELECT 1 FROM origins AS part
        WHERE part.parent IS NOT NULL AND part.parent = origins.id AND part.rule IS NOT NULL)
        AS is_split
    FROM origins JOIN groups AS shown ON shown.id = origins.grp
      JOIN groups AS own ON own.id = origins.home JOIN apps ON apps.id = shown.app
    WHERE origins.id = ?1
    """
}

extension KnownRows.Place {
  /// - Parameter row: A row of a statement with the columns of a place.
  fileprivate init(_ row: borrowing Statement) throws {
    origin = try Origin(row)
    groupName = try row.text("group_name")
    mayChange = try GroupStatuses.mayChange(fromState: row.text("state"))
    isSplit = try row.bool("is_split")
    title = try KnownRows.Title(
      text: row.text("title"), key: row.text("main_key"), isProvisional: row.bool("provisional"))
  }
}
