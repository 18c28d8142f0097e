internal import CrashModel
internal import SQLite

/// What doing reports again changed: the documents that were replaced are kept, reports note how they
/// came to the group that they are in now, and the groups' histories tell it. Inside a transaction.
struct ReplacementRecord {
  /// The most replaced documents that are kept of one report; the oldest go first, but for the first
  /// of all, which says what was known when the report came.
  static let mostVersions = 10
  /// The most lines that one call adds to the history of one group; what is left is summed up.
  private static let mostEvents = 8

  /// What was known of a report before.
  struct Old {
    let row: Int
    let group: Int
    let key: String
    let text: String
    /// The debug ids whose files the report could have used.
    let waitedFor: [String]
    let isOtherDocument: Bool
  }

  /// Reports that changed alike.
  private struct Change: Hashable {
    let from: Int
    let oldText: String
    let newText: String
    let arrived: [String]
  }

  private var changes: [(change: Change, rows: [Int], isRekeyed: Bool)] = []
  private var places: [Change: Int] = [:]

  /// Keeps what is known of a report before it is overwritten.
  ///
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  func keep(_ new: ReportRow, in database: borrowing Connection) throws -> Old {
    let rows = try database.prepare(
      "SELECT id, grp, key, signature, document FROM reports WHERE name = ?1", [new.id])
    guard try rows.step() else { throw StoreError.notFound(new.id) }
    let (row, document) = (rows.int(0), rows.blob(4))
    let old = Old(
      row: row, group: rows.int(1), key: rows.text(2), text: rows.text(3),
      waitedFor: try Self.waiting(row, in: database), isOtherDocument: document != new.document)
    guard old.isOtherDocument else { return old }
    try database.run(
      """
      INSERT INTO report_versions (report, number, replaced, grp, document, arrived)
      SELECT ?1, 1 + ifnull(max(number), 0), ?2, ?3, ?4, ?5 FROM report_versions WHERE report = ?1
      """, row, CrashStore.now.microseconds, old.group, document,
      try Self.arrived(old, new, in: database).joined(separator: "\n"))
    try database.run(
      """
      DELETE FROM report_versions WHERE report = ?1 AND number > 1
        AND number <= (SELECT max(number) FROM report_versions WHERE report = ?1) - ?2
      """, row, Self.mostVersions - 1)
    return old
  }

  mutating func add(_ old: Old, _ new: ReportRow, in database: borrowing Connection) throws {
    let arrived = try Self.arrived(old, new, in: database)
    let isRekeyed = old.key != new.signature.key
    guard isRekeyed || old.isOtherDocument else { return }
    let change = Change(
      from: old.group, oldText: old.text, newText: new.signature.text, arrived: arrived)
    if let place = places[change] {
      changes[place].rows.append(old.row)
      changes[place].isRekeyed = changes[place].isRekeyed || isRekeyed
    } else {
      places[change] = changes.count
      changes.append((change, [old.row], isRekeyed))
    }
  }

  /// Notes how the reports came to their groups, and what changed in them.
  func write(in database: borrowing Connection) throws {
    var told: [Int: [(count: Int, words: String)]] = [:]
    var order: [Int] = []
    for (change, rows, isRekeyed) in changes {
      var byGroup: [Int: Int] = [:]
      for row in rows {
        let group = try database.integer("SELECT grp FROM reports WHERE id = ?1", row) ?? 0
        byGroup[group, default: 0] += 1
        if isRekeyed { try note(row, from: change.from, to: group, in: database) }
      }
      for (group, count) in byGroup.sorted(by: { $0.key < $1.key }) {
        if told[group] == nil { order.append(group) }
        told[group, default: []].append((count, try Self.words(for: change, in: database)))
      }
    }
    for group in order {
      guard let lines = told[group] else { continue }
      for (count, words) in lines.prefix(Self.mostEvents) {
        try Self.tell(count, words, to: group, in: database)
      }
      let rest = lines.dropFirst(Self.mostEvents)
      guard !rest.isEmpty else { continue }
      try Self.tell(
        rest.reduce(0) { $0 + $1.count }, "with other signatures", to: group, in: database)
    }
  }

  private func note(
    _ row: Int, from old: Int, to new: Int, in database: borrowing Connection
  ) throws {
    let name = try GroupBook.name(of: old, in: database)
    let isGone = try database.integer("SELECT redirect FROM groups WHERE id = ?1", old) != nil
    let found: FoundBy =
      old == new ? .followed : isGone ? .merged(from: name) : .moved(from: name)
    try database.run(
      "UPDATE reports SET found_by = ?2, found_detail = ?3 WHERE id = ?1", row, found.word,
      found.detail)
  }

  /// Adds a line to a group's history. Batches of one run that changed alike make one line.
  private static func tell(
    _ count: Int, _ words: String, to group: Int, in database: borrowing Connection
  ) throws {
    var count = count
    var last: Int?
    do {
      let rows = try database.prepare(
        "SELECT id, event, detail FROM group_history WHERE grp = ?1 ORDER BY id DESC LIMIT 1",
        [group])
      if try rows.step(), rows.text(1) == "symbolicated" {
        let parts = rows.text(2).split(separator: " ", maxSplits: 2)
        if parts.count == 3, parts[2] == words, let before = Int(parts[0]) {
          count += before
          last = rows.int(0)
        }
      }
    }
    let detail = "\(count) \(count == 1 ? "report" : "reports") \(words)"
    let now = CrashStore.now.microseconds
    if let last {
      try database.run(
        "UPDATE group_history SET detail = ?2, time = ?3 WHERE id = ?1", last, detail, now)
    } else {
      try database.run(
        """
        INSERT INTO group_history (grp, time, author, event, detail)
        VALUES (?1, ?2, 'mayday', 'symbolicated', ?3)
        """, group, now, detail)
    }
  }

  /// `with Tern 4c4c446b: was [Tern 4c4c446b]+0x6d7, is tern::raise`.
  private static func words(
    for change: Change, in database: borrowing Connection
  ) throws -> String {
    let files = try change.arrived.prefix(4).map { id in
      let name = try database.text(
        "SELECT name FROM debug_files WHERE debug_id = ?1 ORDER BY id LIMIT 1", id)
      return [name, String(id.prefix(8))].compactMap { $0 }.joined(separator: " ")
    }
    let more = change.arrived.count > 4 ? " and \(change.arrived.count - 4) more" : ""
    let with = files.isEmpty ? "done again" : "with " + files.joined(separator: ", ") + more
    guard change.oldText != change.newText else { return "\(with): \(change.newText) as before" }
    return "\(with): was \(change.oldText), is \(change.newText)"
  }

  /// The debug ids for which nothing is waited any more. Where there are none, those of which there
  /// are files: one that explains less than another could is used, and the other still waited for.
  private static func arrived(
    _ old: Old, _ new: ReportRow, in database: borrowing Connection
  ) throws -> [String] {
    let still = Set(new.waitsFor)
    let gone = old.waitedFor.filter { !still.contains($0) }
    guard gone.isEmpty else { return gone }
    return try old.waitedFor.filter {
      try database.integer("SELECT 1 FROM debug_files WHERE debug_id = ?1 LIMIT 1", $0) != nil
    }
  }

  private static func waiting(_ row: Int, in database: borrowing Connection) throws -> [String] {
    let rows = try database.prepare(
      "SELECT debug_id FROM waiting WHERE report = ?1 ORDER BY debug_id", [row])
    var ids: [String] = []
    while try rows.step() { ids.append(rows.text(0)) }
    return ids
  }
}
