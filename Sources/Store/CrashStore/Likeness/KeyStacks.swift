internal import CrashModel
internal import Crypto
internal import Database
internal import Likeness
internal import TriageModel

/// The stacks of an app's keys, and the keys that are linked by them, inside a transaction.
///
/// A link follows from the stacks that reports have, not from their order: two keys are linked when a stack
/// of one is similar to a stack of the other. Only the stacks with the smallest ids of each key are compared,
/// ``LinkPolicy/stacksOfKey`` of them.
struct KeyStacks {
  /// Maximum number of stacks with the same functions that one is compared with. More than thirty keys of one
  /// location are not one bug.
  private static let comparedLimit = 1_000

  let app: RowID<Tables.Apps>

  init(of app: RowID<Tables.Apps>) { self.app = app }

  // MARK: Stacks

  /// Counts a report under its stack.
  ///
  /// - Returns: Whether its key has new links; if so, ``KeyRegrouping`` has to check it.
  func add(_ report: ReportRow, in database: borrowing Connection) throws -> Bool {
    guard let features = report.features else { return false }
    let key = report.signature.key
    try database.run(
      "UPDATE key_stacks SET reports = reports + 1 WHERE app = ?1 AND key = ?2 AND variant = ?3",
      app,
      key, report.variant)
    guard database.changes == 0 else { return false }
    guard try makeRoom(for: report.variant, of: key, in: database) else { return false }
    try database.insert(
      into: "key_stacks",
      [
        "app": app, "key": key, "variant": report.variant, "words": report.linkFacts?.words,
        "functions": report.linkFacts?.functions,
        "linking": report.linkFacts?.linking?.description, "features": SHA256.hex(features.packed),
        "reports": 1,
      ])
    let id: RowID<Tables.KeyStacks> = database.lastID()
    try database.insertMany(
      into: "stack_lists", columns: ["app", "list", "stack"],
      features.lists.flatMap { [app.sqlValue, .integer($0.number), id.sqlValue] },
      onConflict: "ON CONFLICT DO NOTHING")
    guard let stored = try StoredStack.find(id, in: database) else { return false }
    return try link(stored, in: database)
  }

  /// Removes a report from the stack that it had, because more is known of it now.
  ///
  /// - Returns: Whether links may have been removed with it.
  func remove(
    variant: String, of key: String, in database: borrowing Connection
  ) throws -> Bool {
    try database.run(
      "UPDATE key_stacks SET reports = reports - 1 WHERE app = ?1 AND key = ?2 AND variant = ?3",
      app,
      key, variant)
    guard database.changes > 0 else { return false }
    let gone = try stacks(
      where: "app = ?1 AND key = ?2 AND reports <= 0", [app, key], in: database)
    for stack in gone { try delete(stack, in: database) }
    if !gone.isEmpty { try relink(key, in: database) }
    return !gone.isEmpty
  }

  /// Deletes the stack with the greatest id where a key has as many as are compared.
  ///
  /// - Returns: Whether there is room for the new one.
  private func makeRoom(
    for variant: String, of key: String, in database: borrowing Connection
  ) throws -> Bool {
    let count = try database.requiredInteger(
      "SELECT count(*) FROM key_stacks WHERE app = ?1 AND key = ?2", app, key)
    guard count >= LinkPolicy.stacksOfKey else { return true }
    let last = try database.text(
      "SELECT max(variant) FROM key_stacks WHERE app = ?1 AND key = ?2", app, key)
    guard let last, variant < last else { return false }
    for stack in try stacks(
      where: "app = ?1 AND key = ?2 AND variant = ?3", [app, key, last], in: database)
    {
      try delete(stack, in: database)
    }
    try relink(key, in: database)
    return true
  }

  private func delete(_ stack: StoredStack, in database: borrowing Connection) throws {
    for list in stack.features.lists {
      try database.run(
        "DELETE FROM stack_lists WHERE list = ?1 AND app = ?2 AND stack = ?3", Int(list.number),
        app,
        stack.id)
    }
    try database.run("DELETE FROM key_stacks WHERE id = ?1", stack.id)
  }

  private func stacks(
    where condition: String, _ values: [any SQLBindable], in database: borrowing Connection
  ) throws -> [StoredStack] {
    let rows = try database.prepare(
      "SELECT \(StoredStack.columns) FROM key_stacks WHERE \(condition)", values)
    var stacks: [StoredStack] = []
    while try rows.step() { try stacks.append(StoredStack(rows)) }
    return stacks
  }

  // MARK: Links

  /// Recomputes the links of a key.
  func relink(_ key: String, in database: borrowing Connection) throws {
    for column in ["key", "other"] {
      try database.run("DELETE FROM key_links WHERE app = ?1 AND \(column) = ?2", app, key)
    }
    for stack in try stacks(where: "app = ?1 AND key = ?2", [app, key], in: database) {
      _ = try link(stack, in: database)
    }
  }

  /// Recomputes the links of all keys of the app.
  func relinkAll(in database: borrowing Connection) throws {
    try database.run("DELETE FROM key_links WHERE app = ?1", app)
    var last = RowID<Tables.KeyStacks>(0)
    while true {
      let page = try stacks(
        where: "app = ?1 AND id > ?2 ORDER BY id LIMIT \(Self.comparedLimit)", [app, last],
        in: database)
      guard let end = page.last else { return }
      for stack in page { _ = try link(stack, in: database) }
      last = end.id
    }
  }

  /// Links a stack's key with the keys of similar stacks.
  ///
  /// - Returns: Whether a link is new.
  private func link(_ stack: StoredStack, in database: borrowing Connection) throws -> Bool {
    guard let words = stack.words else { return false }
    let policy = try policy(in: database)
    let own = stack.linking.map { LinkPolicy.own($0) } ?? policy
    guard own != .own(.off) else { return false }
    var others: [StoredStack] = []
    if let functions = stack.functions {
      others = try stacks(
        where:
          "app = ?1 AND functions = ?2 AND key <> ?3 ORDER BY key, variant LIMIT \(Self.comparedLimit)",
        [app, functions, stack.key], in: database)
    }
    if own.hasLimit {
      others += try StackLists(app: app).stacks(like: stack.features, in: database).filter {
        $0.words == words && $0.key != stack.key
      }
    }
    var isNew = false
    for other in others {
      let likeness = stack.features.likeness(to: other.features)
      let shares = stack.functions != nil && stack.functions == other.functions
      let theirs = other.linking.map { LinkPolicy.own($0) } ?? policy
      let isStatement = shares && LinkFacts.isStatement(stack.functions)
      guard
        let rule = own.rule(for: likeness, sharesFunctions: shares, isStatement: isStatement),
        theirs.rule(for: likeness, sharesFunctions: shares, isStatement: isStatement) != nil
      else { continue }
      let link = KeyLink(
        key: stack.key, other: other.key, rule: rule, likeness: likeness,
        frames: max(stack.features.frames, other.features.frames))
      if try link.write(app: app, in: database) { isNew = true }
    }
    return isNew
  }

  private func policy(in database: borrowing Connection) throws -> LinkPolicy {
    let text = try database.text("SELECT link FROM apps WHERE id = ?1", app)
    return text.flatMap { LinkPolicy($0) } ?? .standard
  }
}
