internal import Database
public import Identifiers

/// The alerts that rules raised, and their deliveries to targets. Every step is one transaction: after a
/// crash, the next process continues with the next step, and two servers with one home never do a step twice.
extension AlertsTable {
  /// The maximum number of waiting alerts of a rule; further ones are only counted.
  public static let mostWaiting = 100
  /// The number of deliveries that the log keeps.
  public static let longestLog = 1_000

  /// Alerts by the number of their rule.
  public typealias Found = [Int: [Alert]]

  /// Adds the alerts found up to a line of each app's histories, or of the news of its releases.
  ///
  /// - Parameters:
  ///   - more: The number of further alerts beyond those found, by rule number.
  ///   - marks: The last line read of each app.
  ///   - former: The last line that had been read before; `nil` for the first check.
  ///   - kind: The mark of these lines, ``Mark/history`` or ``Mark/news``.
  /// - Returns: Whether they were added: `false` if another process has checked these lines meanwhile.
  @discardableResult
  public func add(
    _ found: Found, more: [Int: Int] = [:], upTo marks: AppMarks, from former: AppMarks?,
    of kind: Mark = .history
  ) throws -> Bool {
    try store.write { database in
      if let former {
        guard try Self.appMarks(kind, in: database) == former else { return false }
        try Self.change(kind, from: former, to: marks, in: database)
      } else {
        guard try Self.value(of: kind, in: database) == nil else { return false }
        try Self.setMarks(kind, marks, in: database)
      }
      for (rule, alerts) in found where try Self.isThere(rule, in: database) {
        try Self.add(alerts, more: more[rule] ?? 0, of: rule, in: database)
      }
      return true
    }
  }

  /// Records why a rule could not be checked; `nil` if it was.
  public func note(problem: String?, of rule: AlertRule) throws {
    guard problem != rule.problem else { return }
    try store.write { database in
      try database.run("UPDATE alert_rules SET problem = ?2 WHERE id = ?1", rule.number, problem)
    }
  }

  /// Records the current matches of a condition. A match that is new, or was absent for `pause` seconds,
  /// raises an alert.
  ///
  /// - Parameters:
  ///   - alerts: The alerts by subject.
  ///   - last: When conditions were checked before; `nil` for never. A condition that held then may have held
  ///     ever since, however long ago it was.
  public func note(
    _ alerts: [String: Alert], of rule: Int, pause: Int, last: Timestamp?, now: Timestamp
  ) throws {
    try store.write { database in
      guard try Self.isThere(rule, in: database) else { return }
      // The clock was ahead: the pause begins now.
      try database.run(
        "UPDATE alert_subjects SET seen = ?2 WHERE rule = ?1 AND seen > ?2", rule,
        now.microseconds)
      let end = min(now.microseconds - pause * 1_000_000, last?.microseconds ?? .min)
      try database.run("DELETE FROM alert_subjects WHERE rule = ?1 AND seen < ?2", rule, end)
      var new: [Alert] = []
      for (subject, alert) in alerts.sorted(by: { $0.key < $1.key }) {
        let isKnown =
          try database.integer(
            "SELECT 1 FROM alert_subjects WHERE rule = ?1 AND subject = ?2", rule, subject) != nil
        if !isKnown { new.append(alert) }
        try database.insert(
          into: "alert_subjects", ["rule": rule, "subject": subject, "seen": now.microseconds],
          onConflict: "ON CONFLICT (rule, subject) DO UPDATE SET seen = excluded.seen")
      }
      try Self.add(new, of: rule, in: database)
    }
  }

  /// Records that all conditions were checked.
  public func noteConditions(now: Timestamp) throws {
    try store.write { database in
      try Self.setMark(.conditions, now.microseconds, in: database)
    }
  }

  /// Whether a rule still exists.
  private static func isThere(_ rule: Int, in database: borrowing Connection) throws -> Bool {
    try database.integer("SELECT 1 FROM alert_rules WHERE id = ?1", rule) != nil
  }

  /// - Parameter more: The number of further alerts.
  private static func add(
    _ alerts: [Alert], more: Int = 0, of rule: Int, in database: borrowing Connection
  ) throws {
    let waiting = try database.requiredInteger(
      "SELECT count(*) FROM alerts WHERE rule = ?1 AND delivery IS NULL", rule)
    let room = max(0, mostWaiting - waiting)
    for alert in alerts.prefix(room) {
      try database.insert(
        into: "alerts",
        [
          "rule": rule, "time": alert.time.microseconds, "app": alert.app, "name": alert.name,
          "title": alert.title, "detail": alert.detail, "path": alert.path,
        ])
    }
    let rest = max(0, alerts.count - room) + more
    if rest > 0 {
      try database.run("UPDATE alert_rules SET more = more + ?2 WHERE id = ?1", rule, rest)
    }
  }

  /// Rules with alerts that are not in a delivery yet, the time of the first alert, and the time of the last
  /// delivery.
  public func waiting() throws -> [(rule: AlertRule, since: Timestamp, last: Timestamp?)] {
    try store.read { database in
      var firsts: [Int: Timestamp] = [:]
      do {
        let rows = try database.prepare(
          "SELECT rule, min(time) AS first FROM alerts WHERE delivery IS NULL GROUP BY rule")
        while try rows.step() { try firsts[rows.int("rule")] = rows.timestamp("first") }
      }
      guard !firsts.isEmpty else { return [] }
      var waiting: [(rule: AlertRule, since: Timestamp, last: Timestamp?)] = []
      let rows = try database.prepare(Self.ruleColumns + " ORDER BY id")
      while try rows.step() {
        guard let rule = try Self.rule(rows), let since = firsts[rule.number] else { continue }
        try waiting.append((rule, since, rows.optionalTimestamp("sent")))
      }
      return waiting
    }
  }

  /// Puts all waiting alerts of a rule into one delivery.
  public func compose(_ rule: AlertRule, now: Timestamp) throws {
    try store.write { database in
      let more = try database.integer("SELECT more FROM alert_rules WHERE id = ?1", rule.number)
      let count = try database.requiredInteger(
        "SELECT count(*) FROM alerts WHERE rule = ?1 AND delivery IS NULL", rule.number)
      guard let more, count > 0 else { return }
      let number = try Self.addDelivery(
        rule: rule.number, kind: rule.kind, target: rule.target, count: count, more: more,
        due: now, now: now, in: database)
      try database.run(
        "UPDATE alerts SET delivery = ?2 WHERE rule = ?1 AND delivery IS NULL", rule.number, number)
      try database.run(
        "UPDATE alert_rules SET more = 0, sent = ?2 WHERE id = ?1", rule.number, now.microseconds)
    }
  }

  private static func addDelivery(
    rule: Int, kind: AlertRule.Kind, target: String, count: Int, more: Int, due: Timestamp?,
    answer: String? = nil, now: Timestamp, in database: borrowing Connection
  ) throws -> Int {
    try database.insert(
      into: "alert_deliveries",
      [
        "name": RandomBytes.characters(20), "rule": rule, "kind": kind.rawValue, "target": target,
        "created": now.microseconds, "due": due?.microseconds, "answer": answer, "count": count,
        "more": more,
      ])
    let number = try database.requiredInteger("SELECT max(id) FROM alert_deliveries")
    // A delivery that still waits is not in the log yet, however many came after it.
    try database.run(
      """
      DELETE FROM alerts
      WHERE delivery IN (SELECT id FROM alert_deliveries WHERE id <= ?1 AND due IS NULL)
      """, number - longestLog)
    try database.run(
      "DELETE FROM alert_deliveries WHERE id <= ?1 AND due IS NULL", number - longestLog)
    return number
  }

  /// Maximum number of seconds until a delivery is tried again. A longer wait dates from before the clock was
  /// corrected.
  public static let longestWait: Int64 = 3_600

  /// Targets with due deliveries, those that accepted all previous ones first.
  public func dueTargets(now: Timestamp) throws -> [String] {
    try store.read { database in
      let rows = try database.prepare(
        """
        SELECT target FROM alert_deliveries WHERE due IS NOT NULL GROUP BY target
        HAVING sum(CASE WHEN due <= ?1 OR due > ?2 THEN 1 ELSE 0 END) > 0
        ORDER BY max(attempts), target
        """, [now.microseconds, Self.latest(now)])
      var targets: [String] = []
      while try rows.step() { try targets.append(rows.text("target")) }
      return targets
    }
  }

  /// The oldest due delivery to a target with a number above the given one.
  public func due(
    now: Timestamp, to target: String, after number: Int = 0
  ) throws -> AlertDelivery? {
    try list(
      "target = ?1 AND id > ?2 AND (due <= ?3 OR due > ?4) ORDER BY id LIMIT 1",
      [target, number, now.microseconds, Self.latest(now)]
    ).first
  }

  /// The latest time to which a delivery can be postponed, in microseconds since 1970.
  private static func latest(_ now: Timestamp) -> Int {
    now.microseconds + Int(longestWait + 600) * 1_000_000
  }

  /// The latest deliveries, newest first.
  public func log(_ limit: Int) throws -> [AlertDelivery] {
    try list("id > 0 ORDER BY id DESC LIMIT ?1", [limit])
  }

  /// The number of deliveries that wait to be tried again, and of those that were given up since a time, for
  /// existing rules.
  public func troubles(since time: Timestamp) throws -> (waiting: Int, failed: Int) {
    try store.read { database in
      (
        waiting: try database.requiredInteger(
          "SELECT count(*) FROM alert_deliveries WHERE due IS NOT NULL AND attempts > 0"),
        failed: try database.requiredInteger(
          """
          SELECT count(*) FROM alert_deliveries
          WHERE due IS NULL AND is_sent = 0 AND finished >= ?1
            AND rule IN (SELECT id FROM alert_rules)
          """, time.microseconds)
      )
    }
  }

  private func list(_ condition: String, _ values: [any SQLBindable]) throws -> [AlertDelivery] {
    try store.read { database in
      var deliveries: [AlertDelivery] = []
      let rows = try database.prepare(
        """
        SELECT id, name, rule, kind, target, created, due, finished, is_sent, attempts, answer, count,
          more FROM alert_deliveries WHERE
        """ + " " + condition, values)
      while try rows.step() {
        let finished = try rows.optionalTimestamp("finished") ?? rows.timestamp("created")
        let state: AlertDelivery.State =
          if let due = try rows.optionalTimestamp("due") {
            .waiting(due: due)
          } else if try rows.bool("is_sent") { .sent(finished) } else { .failed(finished) }
        try deliveries.append(
          AlertDelivery(
            number: rows.int("id"), id: rows.text("name"), rule: rows.int("rule"),
            kind: AlertRule.Kind(rawValue: rows.text("kind")) ?? .newGroup,
            target: rows.text("target"), created: rows.timestamp("created"),
            attempts: rows.int("attempts"), state: state, answer: rows.optionalText("answer"),
            count: rows.int("count"), more: rows.int("more")))
      }
      return deliveries
    }
  }

  /// The alerts of a delivery, in the order in which they were raised.
  public func alerts(of delivery: Int) throws -> [Alert] {
    try store.read { database in
      var alerts: [Alert] = []
      let rows = try database.prepare(
        """
        SELECT time, app, name, title, detail, path FROM alerts WHERE delivery = ?1 ORDER BY id
        """, [delivery])
      while try rows.step() {
        try alerts.append(
          Alert(
            time: rows.timestamp("time"), app: rows.text("app"), name: rows.text("name"),
            title: rows.text("title"), detail: rows.text("detail"), path: rows.text("path")))
      }
      return alerts
    }
  }

  /// Claims a delivery for an attempt. If the process ends before the attempt, the delivery is tried again.
  ///
  /// - Parameter next: The time of the next attempt: later than this one can end, so that none begins twice.
  /// - Returns: Whether this call claimed it.
  public func begin(_ delivery: AlertDelivery, next: Timestamp) throws -> Bool {
    try store.write { database in
      try database.run(
        """
        UPDATE alert_deliveries SET attempts = attempts + 1, due = ?3
        WHERE id = ?1 AND attempts = ?2 AND due IS NOT NULL
        """, delivery.number, delivery.attempts, next.microseconds)
      return database.changes > 0
    }
  }

  /// Records the response to a delivery.
  ///
  /// - Parameter next: The time of the next attempt; `nil` if it was sent or has failed.
  public func end(
    _ delivery: Int, isSent: Bool, answer: String, next: Timestamp?, now: Timestamp
  ) throws {
    try store.write { database in
      try database.run(
        """
        UPDATE alert_deliveries SET due = ?2, finished = ?3, is_sent = ?4, answer = ?5
        WHERE id = ?1 AND due IS NOT NULL
        """, delivery, next?.microseconds, next == nil ? now.microseconds : nil, isSent, answer)
    }
  }

  /// Begins a delivery of a sample, which the caller tries once; until it ends, the log shows it as not
  /// finished.
  public func beginTest(
    of kind: AlertRule.Kind, to target: String, now: Timestamp
  ) throws -> AlertDelivery {
    let number = try store.write { database in
      try Self.addDelivery(
        rule: 0, kind: kind, target: target, count: 1, more: 0, due: nil, answer: "not finished",
        now: now, in: database)
    }
    guard let delivery = try list("id = ?1", [number]).first else {
      throw AlertError.invalid("the log was trimmed during the test")
    }
    return delivery
  }

  /// Records the response to a test.
  public func endTest(_ delivery: Int, isSent: Bool, answer: String, now: Timestamp) throws {
    try store.write { database in
      try database.run(
        """
        UPDATE alert_deliveries SET attempts = 1, finished = ?2, is_sent = ?3, answer = ?4
        WHERE id = ?1
        """, delivery, now.microseconds, isSent, answer)
    }
  }
}
