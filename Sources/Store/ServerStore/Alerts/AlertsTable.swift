internal import Database
public import Identifiers

/// Alert rules, their targets and their deliveries.
public struct AlertsTable: Sendable {
  let store: ServerStore

  public static let mostRules = 200

  public init(in store: ServerStore) { self.store = store }

  // MARK: Targets

  /// All targets, ordered by name.
  public func targets() throws -> [AlertTarget] {
    try store.read { database in
      var targets: [AlertTarget] = []
      let rows = try database.prepare(Self.targetColumns + " ORDER BY name")
      while try rows.step() { try targets.append(Self.target(rows)) }
      return targets
    }
  }

  /// - Throws: ``AlertError/unknownTarget(_:)``.
  public func target(named name: String) throws -> AlertTarget {
    try store.read { database in
      let rows = try database.prepare(Self.targetColumns + " WHERE name = ?1", [name])
      guard try rows.step() else { throw AlertError.unknownTarget(name) }
      return try Self.target(rows)
    }
  }

  /// Adds a target, or replaces the one with the same name.
  ///
  /// - Throws: ``AlertError``.
  public func set(_ target: AlertTarget, now: Timestamp) throws {
    try target.check()
    let values:
      (
        kind: String, address: String, preset: String?, secret: String?, mail: AlertTarget.Mail?
      ) =
        switch target.way {
        case .webhook(let hook): ("webhook", hook.url, hook.preset.rawValue, hook.secret, nil)
        case .mail(let mail): ("mail", mail.server, nil, Self.stored(mail.password), mail)
        }
    try store.write { database in
      try database.run("DELETE FROM alert_targets WHERE name = ?1", target.name)
      try database.insert(
        into: "alert_targets",
        [
          "name": target.name, "kind": values.kind, "address": values.address,
          "preset": values.preset, "secret": values.secret, "sender": values.mail?.sender,
          "recipients": values.mail?.recipients.joined(separator: " "),
          "login": values.mail?.user,
          "password": values.mail?.password.map {
            $0.hasPrefix(AlertTarget.storedPassword) ? AlertTarget.storedPassword : $0
          },
          "is_plain": values.mail?.isPlain ?? false, "authorities": target.authorities,
          "created": now.microseconds,
        ])
    }
  }

  /// - Throws: ``AlertError``.
  public func removeTarget(_ name: String) throws {
    try store.write { database in
      var users: [Int] = []
      do {
        let rows = try database.prepare(
          "SELECT id FROM alert_rules WHERE target = ?1 ORDER BY id", [name])
        while try rows.step() { try users.append(rows.int("id")) }
      }
      guard users.isEmpty else { throw AlertError.inUse(name, rules: users) }
      try database.run("DELETE FROM alert_targets WHERE name = ?1", name)
      guard database.changes > 0 else { throw AlertError.unknownTarget(name) }
    }
  }

  /// Returns a password that is stored itself, not where it is.
  private static func stored(_ password: String?) -> String? {
    guard let password, password.hasPrefix(AlertTarget.storedPassword) else { return nil }
    return String(password.dropFirst(AlertTarget.storedPassword.count))
  }

  private static func password(_ row: borrowing Statement) throws -> String? {
    let source = try row.optionalText("password")
    guard source == AlertTarget.storedPassword else { return source }
    // A backup leaves the column of secrets out: a stored password is empty after a restore.
    return try AlertTarget.storedPassword + (row.optionalText("secret") ?? "")
  }

  private static let targetColumns = """
    SELECT name, kind, address, preset, secret, sender, recipients, login, password, is_plain,
      authorities FROM alert_targets
    """

  private static func target(_ row: borrowing Statement) throws -> AlertTarget {
    let address = try row.text("address")
    let way: AlertTarget.Way =
      if try row.text("kind") == "mail" {
        .mail(
          AlertTarget.Mail(
            server: address, sender: try row.optionalText("sender") ?? "",
            recipients: try (row.optionalText("recipients") ?? "").split(separator: " ")
              .map(String.init),
            user: try row.optionalText("login"), password: try Self.password(row),
            isPlain: try row.bool("is_plain")))
      } else {
        .webhook(
          AlertTarget.Webhook(
            url: address,
            preset: try row.optionalText("preset").flatMap(AlertTarget.Preset.init(rawValue:))
              ?? .json,
            secret: try row.optionalText("secret")))
      }
    return AlertTarget(
      name: try row.text("name"), way: way, authorities: try row.optionalText("authorities"))
  }

  // MARK: Rules

  /// All rules, in order of creation.
  public func rules() throws -> [AlertRule] {
    try store.read { database in
      var rules: [AlertRule] = []
      let rows = try database.prepare(Self.ruleColumns + " ORDER BY id")
      while try rows.step() {
        if let rule = try Self.rule(rows) { rules.append(rule) }
      }
      let marks = try Self.ruleMarks(in: database)
      for index in rules.indices { rules[index].marks = marks[rules[index].number] ?? [:] }
      return rules
    }
  }

  /// - Parameters:
  ///   - rule: A rule that has passed the checks for its kind.
  ///   - ends: The last line of each app's histories, or of the news of releases for a rule about them; the
  ///     rule ignores all lines up to it.
  /// - Returns: Its number.
  /// - Throws: ``AlertError``.
  public func add(_ rule: AlertRule, after ends: AppMarks) throws -> Int {
    try store.write { database in
      let target = try database.integer(
        "SELECT 1 FROM alert_targets WHERE name = ?1", rule.target)
      guard target != nil else { throw AlertError.unknownTarget(rule.target) }
      let count = try database.requiredInteger("SELECT count(*) FROM alert_rules")
      guard count < Self.mostRules else {
        throw AlertError.invalid("there are \(Self.mostRules) rules already; remove some")
      }
      // Without rules, nothing reads the histories. The first rule must not alert about earlier events.
      let kind: Mark = rule.kind.isAboutDistribution ? .news : .history
      if try count == 0 || Self.value(of: kind, in: database) == nil {
        try Self.setMarks(kind, ends, in: database)
      } else {
        try Self.divide(kind, among: ends, in: database)
      }
      try database.insert(
        into: "alert_rules",
        [
          "kind": rule.kind.rawValue, "target": rule.target, "app": rule.app, "query": rule.query,
          "span": rule.window, "least": rule.least, "factor": rule.factor, "below": rule.below,
          "basis": rule.basis.rawValue, "digest": rule.digest.text, "quiet": rule.quiet?.text,
          "zone": rule.zone, "created": rule.created.microseconds, "author": rule.author,
        ])
      let number = try database.requiredInteger("SELECT max(id) FROM alert_rules")
      // Lines that were read for all rules are not read again.
      if let read = try Self.appMarks(kind, in: database) {
        let later = ends.filter { $0.value > read[$0.key] ?? 0 }
        try Self.insert(later, of: kind, rule: number, in: database)
      }
      return number
    }
  }

  /// Removes a rule and its unsent alerts.
  ///
  /// - Throws: ``AlertError/unknownRule(_:)``.
  public func removeRule(_ number: Int, now: Timestamp) throws {
    try store.write { database in
      try database.run("DELETE FROM alert_rules WHERE id = ?1", number)
      guard database.changes > 0 else { throw AlertError.unknownRule(number) }
      try database.run("DELETE FROM alert_subjects WHERE rule = ?1", number)
      try database.run("DELETE FROM alert_app_marks WHERE rule = ?1", number)
      try database.run("DELETE FROM alerts WHERE rule = ?1 AND delivery IS NULL", number)
      try database.run(
        """
        UPDATE alert_deliveries SET due = NULL, finished = ?2, answer = 'the rule was removed'
        WHERE rule = ?1 AND due IS NOT NULL
        """, number, now.microseconds)
    }
  }

  static let ruleColumns = """
    SELECT id, kind, target, app, query, span, least, factor, below, basis, digest, quiet, zone,
      created, author, problem, sent FROM alert_rules
    """

  /// The rule in a row; `nil` for a kind from a later version.
  static func rule(_ row: borrowing Statement) throws -> AlertRule? {
    guard let kind = AlertRule.Kind(rawValue: try row.text("kind")) else { return nil }
    var rule = AlertRule(
      kind, to: try row.text("target"), created: try row.timestamp("created"),
      author: try row.text("author"))
    rule.number = try row.int("id")
    rule.app = try row.optionalText("app")
    rule.query = try row.text("query")
    // Rows from a backup may contain anything.
    rule.window = min(max(try row.int("span"), 60), AlertRule.longestWindow)
    (rule.least, rule.factor) = (try row.count("least"), try row.count("factor"))
    rule.below = min(max(try row.int("below"), 0), 100_00)
    rule.basis = AlertRule.Basis(rawValue: try row.text("basis")) ?? rule.basis
    rule.digest = AlertDigest(try row.text("digest")) ?? .immediately
    rule.quiet = try row.optionalText("quiet").flatMap { QuietHours($0) }
    rule.zone = min(max(try row.int("zone"), -14 * 60), 14 * 60)
    rule.problem = try row.optionalText("problem")
    return rule
  }

  // MARK: The server

  /// The server's address as people reach it, without a trailing slash; `nil` if none was given.
  public func serverURL() throws -> String? {
    try store.read { database in
      try database.text("SELECT value FROM server_settings WHERE name = 'url'")
    }
  }

  /// Stores the server's address; on a full disk, it remains unchanged.
  public func setServerURL(_ url: String) throws {
    let url = url.hasSuffix("/") ? String(url.dropLast()) : url
    guard try serverURL() != url else { return }
    do {
      try store.write { database in
        try database.insert(
          into: "server_settings", ["name": "url", "value": url],
          onConflict: "ON CONFLICT (name) DO UPDATE SET value = excluded.value")
      }
    } catch let error as DatabaseError where error.kind == .full {}
  }
}
