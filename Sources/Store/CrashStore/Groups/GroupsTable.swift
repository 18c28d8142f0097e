internal import CrashModel
internal import Database
internal import Identifiers

/// The tables of groups, inside a transaction.
///
/// A group is a number with a set of keys. A key is a main key when a report had it as its own, and an
/// alternative one when a report could also be read that way; see ``KeyPartition`` for which keys are together.
struct GroupsTable: ~Copyable {
  /// The database row of the app.
  let app: RowID<Tables.Apps>
  let author: String
  let now: Timestamp
  /// Whether the change concerns existing reports rather than one that arrives now.
  let isLate: Bool

  init(
    app: RowID<Tables.Apps>, author: String, now: Timestamp = CrashStore.now, isLate: Bool = true
  ) {
    self.app = app
    self.author = author
    self.now = now
    self.isLate = isLate
  }

  /// Returns the origin that `key` leads to.
  func owner(
    of key: String, mainOnly: Bool = false, in database: borrowing Connection
  ) throws -> Origin? {
    let rows = try database.prepare(Self.ofKey, [app, key, mainOnly])
    return try rows.step() ? Origin(rows) : nil
  }

  private static let ofKey = """
    SELECT \(Origin.columns) FROM group_keys JOIN origins ON origins.id = group_keys.origin
    WHERE app = ?1 AND key = ?2 AND is_main >= ?3
    """

  /// Returns the origin of a report: by its key, otherwise by its readings, otherwise in a new group.
  ///
  /// - Returns: Also whether its key or its readings are new. If so, ``KeyRegrouping`` has to check them.
  func assign(
    _ report: ReportRow, in database: borrowing Connection
  ) throws -> (origin: Origin, found: MatchReason, isKeyNew: Bool) {
    let isNoted = try noteReadings(
      of: report.signature, build: report.counted, in: database)
    let (owner, found, isLed) = try find(report.signature, in: database)
    let origin = try owner ?? open(for: report, isNew: true, in: database)
    var isKeyNew = false
    if !isLed { isKeyNew = try lead(report.signature, to: origin, in: database) }
    try addAlternatives(of: report.signature, to: origin, in: database)
    if owner != nil { try retitle(origin, report.signature, in: database) }
    return (origin, found, isKeyNew || isNoted)
  }

  /// Returns the origin that a signature leads to, if any, and how it was found.
  ///
  /// - Returns: Also whether its key leads there as the main key of existing reports.
  func find(
    _ signature: Signature, in database: borrowing Connection
  ) throws -> (origin: Origin?, found: MatchReason, isLed: Bool) {
    let keys = KeysTable(app: app, now: now)
    if let found = try keys.owner(
      of: signature.key, readings: signature.alternativeKeys, in: database)
    {
      // A user split off reports that could be read this way: this one goes with them.
      if found.found != .key, let origin = try owner(of: signature.key, in: database),
        origin.isSplitOff
      {
        return (origin, .reading, false)
      }
      return (found.origin, found.found, found.found == .key)
    }
    // Reports had this key once, and got another one since: only a provisional key is remembered.
    guard let origin = try owner(of: signature.key, mainOnly: true, in: database) else {
      return (nil, .new, false)
    }
    let isSettled =
      try database.integer("SELECT 1 FROM regroup WHERE origin = ?1", origin.id) == nil
    return signature.isProvisional || !isSettled ? (origin, .key, false) : (nil, .new, false)
  }

  /// Opens a new group without reports. Its number was never used before.
  ///
  /// - Parameter isNew: Whether the report has just arrived. The history then names its release, which
  ///   distinguishes a new crash from reports that only moved.
  func open(
    for report: ReportRow, isNew: Bool = false, in database: borrowing Connection
  ) throws -> Origin {
    let number = try nextNumber(in: database)
    try database.insert(
      into: "groups",
      [
        "app": app, "number": number, "title": report.signature.text,
        "main_key": report.signature.key, "category": report.signature.category.rawValue,
        "rules": report.signature.rules, "provisional": report.signature.isProvisional,
        "kind": report.kind.rawValue, "reason": report.reason,
        "reason_time": report.time.microseconds, "first_seen": report.time.microseconds,
        "last_seen": report.time.microseconds, "exemplar": report.id,
        "exemplar_symbols": report.symbols.rawValue, "created": now.microseconds,
      ])
    let group: RowID<Tables.Groups> = database.lastID()
    try note(
      group, .opened, report.signature.text,
      release: isNew ? Release(version: report.version, build: report.build) : nil, in: database)
    return try Origin(ownGroup: group, making: database)
  }

  /// Returns the number of a new group of the app.
  func nextNumber(in database: borrowing Connection) throws -> Int {
    try database.run("UPDATE apps SET last_group = last_group + 1 WHERE id = ?1", app)
    return try database.requiredInteger("SELECT last_group FROM apps WHERE id = ?1", app)
  }

  /// Makes the keys of `signature` lead to an origin. A group that only had a provisional signature takes
  /// over a real one.
  func add(
    _ signature: Signature, to origin: Origin, in database: borrowing Connection
  ) throws {
    try lead(signature, to: origin, in: database)
    try noteReadings(of: signature, in: database)
    try addAlternatives(of: signature, to: origin, in: database)
    try retitle(origin, signature, in: database)
  }

  /// Makes the key of reports with a signature lead to an origin.
  ///
  /// - Returns: Whether no report had it.
  @discardableResult
  private func lead(
    _ signature: Signature, to origin: Origin, in database: borrowing Connection
  ) throws -> Bool {
    try database.insert(
      into: "group_keys",
      [
        "app": app, "key": signature.key, "grp": origin.group, "origin": origin.id,
        "rules": signature.rules, "is_main": 1, "created": now.microseconds,
      ],
      onConflict: "ON CONFLICT DO NOTHING")
    if database.changes > 0 { return true }
    try database.run(
      """
      UPDATE group_keys SET is_main = 1, is_left = 0, grp = ?3, origin = ?4
      WHERE app = ?1 AND key = ?2 AND (is_main = 0 OR is_left = 1)
      """, app, signature.key, origin.group, origin.id)
    return database.changes > 0
  }

  /// Makes the keys by which reports with a signature could be read lead to an origin, as far as they lead
  /// nowhere.
  private func addAlternatives(
    of signature: Signature, to origin: Origin, in database: borrowing Connection
  ) throws {
    for key in signature.alternativeKeys {
      try database.insert(
        into: "group_keys",
        [
          "app": app, "key": key, "grp": origin.group, "origin": origin.id,
          "rules": signature.rules, "is_main": 0, "created": now.microseconds,
        ],
        onConflict: "ON CONFLICT DO NOTHING")
    }
  }

  /// Gives the group of an origin the title of a signature, if it is better. Among titles of one key, the one
  /// that ``Signature/isTitle(before:)`` prefers: it must not depend on the order of arrival.
  private func retitle(
    _ origin: Origin, _ signature: Signature, in database: borrowing Connection
  ) throws {
    try database.run(
      """
      UPDATE groups SET title = ?2, main_key = ?3, rules = ?4, provisional = ?5
      WHERE id = ?1 AND (provisional > ?5 OR main_key = ?3 AND provisional = ?5
        AND (length(?2) > length(title) OR length(?2) = length(title) AND ?2 < title))
      """, origin.ownGroup, signature.text, signature.key, signature.rules, signature.isProvisional)
    if database.changes > 0 { try note(origin.ownGroup, .titled, signature.text, in: database) }
  }

  /// Notes the other keys by which reports with this signature could be read. A reading that one report shows
  /// to be exact is exact for all with its key.
  ///
  /// - Parameter build: A report whose build has the key, which refutes weak readings.
  /// - Returns: Whether one of them was unknown, or known only as a weak one.
  @discardableResult
  func noteReadings(
    of signature: Signature, build: CountedReport? = nil, in database: borrowing Connection
  ) throws -> Bool {
    var isNew = false
    let weak = signature.weakAlternativeKeys
    for (position, reading) in signature.alternativeKeys.enumerated() {
      try database.insert(
        into: "key_readings",
        [
          "app": app, "key": signature.key, "reading": reading, "position": position,
          "weak": weak.contains(reading),
        ],
        onConflict: """
          ON CONFLICT (app, key, reading) DO UPDATE SET weak = excluded.weak
          WHERE key_readings.weak > excluded.weak
          """)
      if database.changes > 0 { isNew = true }
    }
    if let build, try note(build, of: signature.key, in: database) { isNew = true }
    return isNew
  }

  /// Notes that a build has a key.
  ///
  /// - Returns: Whether that is new, and may refute a weak reading.
  private func note(
    _ build: CountedReport, of key: String, in database: borrowing Connection
  ) throws -> Bool {
    try database.insert(
      into: "key_readings",
      [
        "app": app, "key": key, "reading": KeysTable.name(of: build), "position": 0,
        "weak": KeysTable.ofBuild,
      ], onConflict: "ON CONFLICT DO NOTHING")
    guard database.changes > 0 else { return false }
    return try database.integer(Self.weakReading, app, key) != nil
      || database.integer(
        "SELECT 1 FROM key_readings WHERE app = ?1 AND reading = ?2 AND weak = 1", app, key) != nil
  }

  private static let weakReading =
    "SELECT 1 FROM key_readings WHERE app = ?1 AND key = ?2 AND weak = 1 AND \(KeysTable.isReading)"

  /// Counts one more report in an origin at once.
  func count(
    _ report: CountedReport, in origin: Origin, of database: borrowing Connection
  ) throws {
    var changes = CountChanges()
    changes.add(report, to: origin)
    try changes.write(to: database)
  }

  /// Whether a group has no report from an installation yet; `nil` stands for none, which is never new.
  static func isFirst(
    _ install: [UInt8]?, of group: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws -> Bool {
    guard let install else { return false }
    return try database.integer(
      "SELECT 1 FROM group_installs WHERE grp = ?1 AND install = ?2", group, install) == nil
  }

  /// Removes a report from the counts of an origin. The first and last report and the exemplar are left to
  /// ``refresh(_:in:)``.
  func uncount(
    _ report: CountedReport, in origin: Origin, of database: borrowing Connection
  ) throws {
    try database.run("UPDATE groups SET reports = reports - 1 WHERE id = ?1", origin.group)
    try CountersTable.remove(report, from: origin, in: database)
    guard let install = report.install else { return }
    try database.run(
      "UPDATE group_installs SET count = count - 1 WHERE grp = ?1 AND install = ?2 AND origin = ?3",
      origin.group, install, origin.id)
    try database.run(
      "DELETE FROM group_installs WHERE grp = ?1 AND install = ?2 AND origin = ?3 AND count <= 0",
      origin.group, install, origin.id)
    guard database.changes > 0,
      try Self.isFirst(install, of: origin.group, in: database)
    else { return }
    try database.run("UPDATE groups SET installs = installs - 1 WHERE id = ?1", origin.group)
  }

  /// Adds a line to a group's history.
  ///
  /// - Parameter release: The release of the report that caused the event.
  func note(
    _ group: RowID<Tables.Groups>, _ event: HistoryEvent, _ detail: String,
    release: Release? = nil, in database: borrowing Connection
  ) throws {
    try database.insert(
      into: "group_history",
      [
        "id": RowNumbers.history.next(in: database), "app": app, "grp": group,
        "time": now.microseconds, "author": author, "event": event, "detail": detail,
        "version": release?.version, "build": release?.build,
      ])
  }

  /// Returns the name of a group, such as `TERN-12`.
  static func name(
    of group: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws -> String {
    try database.requiredText(
      """
      SELECT apps.prefix || '-' || groups.number FROM groups JOIN apps ON apps.id = groups.app
      WHERE groups.id = ?1
      """, group)
  }
}
