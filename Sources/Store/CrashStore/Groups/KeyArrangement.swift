internal import CrashModel
internal import Database
internal import Likeness

/// Keeps keys together as ``KeyGroups`` defines, whatever arrived first, inside a transaction.
///
/// A key that is new, or a new reading of one, may show that two groups are one, or that what was taken for
/// one could be several. Each origin is checked by itself, with the origins of the reports that could be read
/// so that they have its keys; whatever moves out of it or into it may affect those of its readings, which
/// are checked next. Groups that a user merged or split by hand stay so.
struct KeyArrangement: ~Copyable {
  /// Maximum number of origins that are checked. With circular readings, which no program has, the loop might
  /// never end.
  private static let limit = 1000

  let table: GroupsTable
  private let keys: KeysTable
  private let rules: SplitRules
  /// The rows of the origins that still have to be checked.
  private var waiting: [RowID<Tables.Origins>] = []
  /// Keys that a user took out: the origin stays with the others, however few reports have them.
  var leaving: Set<String> = []

  /// - Parameter isLate: Whether no report arrives now.
  init(
    of app: RowID<Tables.Apps>, now: Timestamp, isLate: Bool = true, _ rules: SplitRules
  ) {
    table = GroupsTable(app: app, author: "mayday", now: now, isLate: isLate)
    keys = KeysTable(app: app, now: now)
    self.rules = rules
  }

  /// Checks the origins of keys, and of their readings.
  mutating func run(around changed: [String], in database: borrowing Connection) throws {
    for key in changed { try look(at: key, in: database) }
    var left = Self.limit
    while left > 0, !waiting.isEmpty {
      left -= 1
      guard let place = try Origin.find(waiting.removeFirst(), in: database) else { continue }
      try arrange(place, in: database)
    }
  }

  private mutating func look(at key: String, in database: borrowing Connection) throws {
    for key in [key] + (try keys.readings(of: key, in: database)) {
      guard let place = try keys.leading(key, in: database)?.top(in: database) else { continue }
      if !waiting.contains(place.id) { waiting.append(place.id) }
    }
  }

  // MARK: An origin

  /// Keys that belong together, and the counts of their reports.
  private struct Block {
    let root: String
    /// Keys of the origin itself, not of those that were split off it.
    let keys: [String]
    let reports: Int
    let oldest: RowID<Tables.Reports>
    /// Whether a report with one of the keys has a real signature. Keys with only provisional signatures are
    /// where their reports were before they got others, and stay.
    let isReal: Bool
    /// The other origin to which it belongs, if there is one.
    var target: RowID<Tables.Origins>? { KeyArrangement.place(named: root) }
  }

  private mutating func arrange(
    _ place: Origin, in database: borrowing Connection
  ) throws {
    let live = try liveKeys(of: place, in: database)
    var readings = live.mapValues { _ in Set<String>() }
    var weak: [String: Set<String>] = [:]
    for key in live.keys {
      let inside = Set(try keys.readings(of: key, in: database)).filter { live[$0] != nil }
      weak[key] = try keys.weakReadings(of: key, in: database).intersection(inside)
      readings[key] = inside.subtracting(weak[key] ?? [])
    }
    for key in live.keys {
      let others = try keys.readers(of: key, in: database)
      for other in others.exact where other != place.id {
        readings[Self.name(ofPlace: other), default: []].insert(key)
      }
      for other in others.weak where other != place.id {
        readings[Self.name(ofPlace: other), default: []].formUnion([])
        weak[Self.name(ofPlace: other), default: []].insert(key)
      }
    }
    let links = try links(of: live, in: place, of: database)
    for (_, other) in links where Self.place(named: other) != nil {
      readings[other, default: []].formUnion([])
    }
    let roots = KeyGroups.roots(of: readings, weak: weak)
    let linked = LinkedKeys.roots(roots, links: links)
    let own = live.filter { $0.value == place.id }.keys.sorted()
    var named: [String: [String]] = [:]
    for (name, keys) in Dictionary(grouping: own, by: { linked[$0] ?? $0 }) {
      named[try self.name(name, of: keys, roots, in: place, of: database)] = keys
    }
    if named.count > 1 || named.keys.contains(where: { Self.place(named: $0) != nil }) {
      try settle(named, of: place, in: database)
    } else if let root = named.keys.first {
      try title(place, root: root, keys: own, in: database)
    }
  }

  private mutating func settle(
    _ named: [String: [String]], of place: Origin, in database: borrowing Connection
  ) throws {
    let classes = Dictionary(
      uniqueKeysWithValues: try KeyClass.all(of: place, in: database).filter(\.isOwn)
        .map { ($0.key, $0) })
    let blocks = named.map { root, keys in
      let known = keys.compactMap { classes[$0] }
      return Block(
        root: root, keys: keys, reports: known.reduce(0) { $0 + $1.count },
        oldest: known.map(\.oldest).min() ?? RowID(.max),
        isReal: known.contains { !$0.isProvisional })
    }.filter { $0.reports > 0 }
    // The origin keeps the keys of most of its reports, among those that belong nowhere else.
    let kept = blocks.max { left, right in
      func rank(_ block: Block) -> (Int, Int, Int, Int, Int) {
        (
          block.target == nil ? 1 : 0, leaving.isDisjoint(with: block.keys) ? 1 : 0,
          block.isReal ? 1 : 0, block.reports, -block.oldest.rawValue
        )
      }
      return rank(left) < rank(right)
    }
    guard let kept else { return }
    let isHeld = try place.isHeld(in: database)
    if !isHeld {
      for block in blocks.sorted(by: { $0.oldest < $1.oldest }) where block.root != kept.root {
        if let target = try block.target.flatMap({ try Origin.find($0, in: database) }) {
          try move(block, from: place, to: target, in: database)
        } else if block.isReal,
          let oldest = classes.values.filter({ block.keys.contains($0.key) })
            .min(by: { $0.oldest < $1.oldest })
        {
          let target = try former(of: block.keys, in: place, of: database)
          try move(
            block, from: place, to: target ?? table.open(for: oldest, in: database), in: database)
        }
      }
    }
    if let target = try kept.target.flatMap({ try Origin.find($0, in: database) }) {
      // Otherwise, some of what was put here by hand would have to move.
      if !isHeld || blocks.count == 1 {
        try unite(place, target, by: link(from: kept.keys, to: target, in: database), in: database)
      }
    } else if !isHeld || blocks.count == 1 {
      try title(place, root: kept.root, keys: kept.keys, in: database)
    }
  }

  private mutating func unite(
    _ one: Origin, _ other: Origin, by link: KeyLink?, in database: borrowing Connection
  ) throws {
    // They were already merged by hand.
    guard one.group != other.group else { return }
    let gone = one.ownGroup < other.ownGroup ? other : one
    let found: FoundBy =
      if let link {
        .linked(link.text)
      } else {
        .merged(from: try GroupsTable.name(of: gone.ownGroup, in: database))
      }
    try database.run(
      """
      UPDATE reports SET found_by = ?3, found_detail = ?4
      WHERE grp = ?1 AND origin = ?2 AND found_by = ?5
      """, gone.group, gone.id, found.word, found.detail, FoundBy.new.word)
    let id = try GroupMerge(table).unite(one, other, by: link, in: database)
    guard let united = try Origin.find(id, in: database) else { return }
    waiting.append(id)
    for key in try liveKeys(of: united, in: database).keys.sorted() {
      try look(at: key, in: database)
    }
  }

  private mutating func move(
    _ block: Block, from place: Origin, to target: Origin, in database: borrowing Connection
  ) throws {
    guard place.group != target.group else { return }
    for key in block.keys {
      try database.run(
        """
        UPDATE group_keys SET grp = ?4, origin = ?5 WHERE app = ?1 AND origin = ?3 AND (key = ?2
          OR is_main = 0 AND key IN
            (SELECT reading FROM key_readings WHERE app = ?1 AND key_readings.key = ?2
              AND \(KeysTable.isReading)))
        """, table.app, key, place.id, target.group, target.id)
      try GroupMove(key: key, from: place, to: target).run(table, rules, in: database)
    }
    try table.refresh(place, in: database)
    try table.recount(place.group, in: database)
    waiting.append(place.id)
    waiting.append(target.id)
    for key in block.keys { try look(at: key, in: database) }
  }

  /// Gives a group the title of the most exact of its keys, preferring a key with a real signature to a
  /// provisional one; of several titles of that key, the one that ``Signature/isTitle(before:)`` prefers.
  private func title(
    _ place: Origin, root: String, keys: [String], in database: borrowing Connection
  ) throws {
    let old = try database.requiredText("SELECT main_key FROM groups WHERE id = ?1", place.ownGroup)
    let others = old == root ? [] : keys.filter { $0 != root }.sorted()
    for isProvisional in [false, true] {
      for key in [root] + others {
        let report: RowID<Tables.Reports>? = try database.id(
          """
          SELECT id FROM reports WHERE grp = ?1 AND origin = ?2 AND key = ?3 AND provisional = ?4
          ORDER BY length(signature) DESC, signature LIMIT 1
          """, place.group, place.id, key, isProvisional)
        if let report { return try rename(place.ownGroup, after: report, in: database) }
      }
    }
  }

  private func rename(
    _ group: RowID<Tables.Groups>, after report: RowID<Tables.Reports>,
    in database: borrowing Connection
  ) throws {
    let old = try database.requiredText("SELECT title FROM groups WHERE id = ?1", group)
    try database.run(
      """
      UPDATE groups SET (title, main_key, rules, provisional) =
        (SELECT signature, key, rules, provisional FROM reports WHERE id = ?2)
      WHERE id = ?1
      """, group, report)
    let new = try database.requiredText("SELECT title FROM groups WHERE id = ?1", group)
    if new != old { try table.note(group, .titled, "\(new); before: \(old)", in: database) }
  }

  // MARK: Keys

  /// Returns the keys that lead to an origin or to one that was split off it, with the origin that they lead
  /// to.
  private func liveKeys(
    of place: Origin, in database: borrowing Connection
  ) throws -> [String: RowID<Tables.Origins>] {
    let rows = try database.prepare(
      """
      \(Self.tree) SELECT main.key, main.origin FROM group_keys AS main JOIN tree ON main.origin = tree.id
      WHERE \(KeysTable.isLive)
      """, [place.id])
    var keys: [String: RowID<Tables.Origins>] = [:]
    while try rows.step() { try keys[rows.text("key")] = rows.id("origin") }
    return keys
  }

  private static let tree = """
    WITH RECURSIVE tree (id) AS (SELECT CAST(?1 AS BIGINT)
      UNION SELECT origins.id FROM origins JOIN tree ON origins.parent = tree.id)
    """

  /// Returns a name for another origin among keys: no key has such a name.
  static func name(ofPlace place: RowID<Tables.Origins>) -> String { "\u{0}\(place)" }

  static func place(named name: String) -> RowID<Tables.Origins>? {
    name.first == "\u{0}" ? Int(name.dropFirst()).map { RowID($0) } : nil
  }
}
