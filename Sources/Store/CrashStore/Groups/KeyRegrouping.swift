internal import Database
internal import Identifiers
internal import Likeness
internal import TriageModel

/// Moves reports so that each key is in the group of its outermost dominator, as ``KeyPartition`` defines it,
/// whatever arrived first, inside a transaction.
///
/// A new key, or a new reading of a key, may show that two groups are one, or that a key could belong to
/// several. Each origin is checked by itself: its graph has its own keys, and one vertex for each other
/// origin with predecessors of them. Keys that move out of an origin or into it may affect the origins of
/// their readings, which are checked next. Groups that a user merged or split by hand are not divided.
///
/// For example, with three keys:
///
/// 1. Reports of `split` arrive. They open TERN-1.
/// 2. Reports of `owed` arrive, with the reading `split`. They join TERN-1, because no other key has that
///    reading. Checking TERN-1: `owed` dominates `split`, so that there is one block of keys, `owed` and
///    `split`. TERN-1 gets the title of `owed`.
/// 3. Reports of `share` arrive, also with the reading `split`. They open TERN-2, because `split` could be
///    `owed` as well. Checking TERN-1: `split` has two predecessors, `owed` and the vertex of TERN-2. Neither
///    dominates it, so that there are two blocks. TERN-1 keeps `owed`, which has more reports; the reports of
///    `split` move to a new group, TERN-3.
/// 4. Reports of `share` get another reading, `owed`. Checking TERN-1: the vertex of TERN-2 dominates `owed`,
///    so that the two origins are merged; TERN-1 has the smaller number and remains. Checking TERN-3, the
///    origin of the reading `split`: its only predecessor is the vertex of TERN-1. It is merged, too, and
///    TERN-1 has all three keys, with the title of `share`.
struct KeyRegrouping: ~Copyable {
  /// Maximum number of origins that are checked. With circular readings, which no program has, the loop might
  /// never end.
  private static let limit = 1000

  let table: GroupsTable
  private let keys: KeysTable
  private let rules: SplitRules
  /// The rows of the origins that still have to be checked.
  private var unchecked: [RowID<Tables.Origins>] = []
  /// Whether any report has moved, or any group has another title.
  private(set) var hasChanged = false
  /// Keys that a user took out of a group: its origin keeps the other keys, however few reports have them.
  var excluded: Set<String> = []

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
    for key in changed { try addOrigins(around: key, in: database) }
    var left = Self.limit
    while left > 0, !unchecked.isEmpty {
      left -= 1
      guard let origin = try Origin.find(unchecked.removeFirst(), in: database) else { continue }
      try regroup(origin, in: database)
    }
  }

  /// Adds the origins of a key, and of its readings, to those that have to be checked.
  private mutating func addOrigins(around key: String, in database: borrowing Connection) throws {
    for key in [key] + (try keys.readings(of: key, in: database)) {
      guard let origin = try keys.leading(key, in: database)?.top(in: database) else { continue }
      if !unchecked.contains(origin.id) { unchecked.append(origin.id) }
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
    var target: RowID<Tables.Origins>? { KeyRegrouping.origin(named: root) }
  }

  /// Checks one origin.
  private mutating func regroup(
    _ origin: Origin, in database: borrowing Connection
  ) throws {
    let live = try liveKeys(of: origin, in: database)
    var readings = live.mapValues { _ in Set<String>() }
    var weak: [String: Set<String>] = [:]
    for key in live.keys {
      let inside = Set(try keys.readings(of: key, in: database)).filter { live[$0] != nil }
      weak[key] = try keys.weakReadings(of: key, in: database).intersection(inside)
      readings[key] = inside.subtracting(weak[key] ?? [])
    }
    for key in live.keys {
      let predecessors = try keys.predecessors(of: key, in: database)
      for other in predecessors.exact where other != origin.id {
        readings[Self.name(ofOrigin: other), default: []].insert(key)
      }
      for other in predecessors.weak where other != origin.id {
        readings[Self.name(ofOrigin: other), default: []].formUnion([])
        weak[Self.name(ofOrigin: other), default: []].insert(key)
      }
    }
    let links = try links(of: live, in: origin, of: database)
    for (_, other) in links where Self.origin(named: other) != nil {
      readings[other, default: []].formUnion([])
    }
    let roots = KeyPartition.roots(of: readings, weak: weak)
    let linked = LinkedKeys.roots(roots, links: links)
    let own = live.filter { $0.value == origin.id }.keys.sorted()
    var named: [String: [String]] = [:]
    for (name, keys) in Dictionary(grouping: own, by: { linked[$0] ?? $0 }) {
      named[try self.name(name, of: keys, roots, in: origin, of: database)] = keys
    }
    if named.count > 1 || named.keys.contains(where: { Self.origin(named: $0) != nil }) {
      try apply(named, to: origin, in: database)
    } else if let root = named.keys.first {
      try retitle(origin, root: root, keys: own, in: database)
    }
  }

  /// Gives each block of keys of an origin its own origin, and merges those that belong together.
  ///
  /// - Parameter named: The keys of each block, by its outermost dominator.
  private mutating func apply(
    _ named: [String: [String]], to origin: Origin, in database: borrowing Connection
  ) throws {
    let classes = Dictionary(
      uniqueKeysWithValues: try KeyClass.all(of: origin, in: database).filter(\.isOwn)
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
          block.target == nil ? 1 : 0, excluded.isDisjoint(with: block.keys) ? 1 : 0,
          block.isReal ? 1 : 0, block.reports, -block.oldest.rawValue
        )
      }
      return rank(left) < rank(right)
    }
    guard let kept else { return }
    let isPinned = try origin.isPinned(in: database)
    if !isPinned {
      for block in blocks.sorted(by: { $0.oldest < $1.oldest }) where block.root != kept.root {
        if let target = try block.target.flatMap({ try Origin.find($0, in: database) }) {
          try move(block, from: origin, to: target, in: database)
        } else if block.isReal,
          let oldest = classes.values.filter({ block.keys.contains($0.key) })
            .min(by: { $0.oldest < $1.oldest })
        {
          let target = try reopenedGroup(of: block.keys, in: origin, of: database)
          try move(
            block, from: origin, to: target ?? table.open(for: oldest, in: database), in: database)
        }
      }
    }
    if let target = try kept.target.flatMap({ try Origin.find($0, in: database) }) {
      // Otherwise, some of what was put here by hand would have to move.
      if !isPinned || blocks.count == 1 {
        try merge(origin, target, by: link(from: kept.keys, to: target, in: database), in: database)
      }
    } else if !isPinned || blocks.count == 1 {
      try retitle(origin, root: kept.root, keys: kept.keys, in: database)
    }
  }

  /// Merges two origins, unless a user already merged their groups.
  private mutating func merge(
    _ one: Origin, _ other: Origin, by link: KeyLink?, in database: borrowing Connection
  ) throws {
    guard one.group != other.group else { return }
    hasChanged = true
    let gone = one.ownGroup < other.ownGroup ? other : one
    let found: MatchReason =
      if let link {
        .linked(link.text)
      } else {
        .merged(from: try GroupsTable.name(of: gone.ownGroup, in: database))
      }
    try database.run(
      """
      UPDATE reports SET found_by = ?3, found_detail = ?4
      WHERE grp = ?1 AND origin = ?2 AND found_by = ?5
      """, gone.group, gone.id, found.word, found.detail, MatchReason.new.word)
    let id = try GroupMerge(table).merge(one, other, by: link, in: database)
    guard let merged = try Origin.find(id, in: database) else { return }
    unchecked.append(id)
    for key in try liveKeys(of: merged, in: database).keys.sorted() {
      try addOrigins(around: key, in: database)
    }
  }

  private mutating func move(
    _ block: Block, from origin: Origin, to target: Origin, in database: borrowing Connection
  ) throws {
    guard origin.group != target.group else { return }
    hasChanged = true
    for key in block.keys {
      try database.run(
        """
        UPDATE group_keys SET grp = ?4, origin = ?5 WHERE app = ?1 AND origin = ?3 AND (key = ?2
          OR is_main = 0 AND key IN
            (SELECT reading FROM key_readings WHERE app = ?1 AND key_readings.key = ?2
              AND \(KeysTable.isReading)))
        """, table.app, key, origin.id, target.group, target.id)
      try GroupMove(key: key, from: origin, to: target).run(table, rules, in: database)
    }
    try table.refresh(origin, in: database)
    try table.recount(origin.group, in: database)
    unchecked.append(origin.id)
    unchecked.append(target.id)
    for key in block.keys { try addOrigins(around: key, in: database) }
  }

  /// Gives a group the title of the most exact of its keys, preferring a key with a real signature to a
  /// provisional one; of several titles of that key, the one that ``Signature/isTitle(before:)`` prefers.
  private mutating func retitle(
    _ origin: Origin, root: String, keys: [String], in database: borrowing Connection
  ) throws {
    let old = try database.requiredText(
      "SELECT main_key FROM groups WHERE id = ?1", origin.ownGroup)
    let others = old == root ? [] : keys.filter { $0 != root }.sorted()
    for isProvisional in [false, true] {
      for key in [root] + others {
        let report: RowID<Tables.Reports>? = try database.id(
          """
          SELECT id FROM reports WHERE grp = ?1 AND origin = ?2 AND key = ?3 AND provisional = ?4
          ORDER BY length(signature) DESC, signature LIMIT 1
          """, origin.group, origin.id, key, isProvisional)
        if let report { return try rename(origin.ownGroup, after: report, in: database) }
      }
    }
  }

  private mutating func rename(
    _ group: RowID<Tables.Groups>, after report: RowID<Tables.Reports>,
    in database: borrowing Connection
  ) throws {
    let old = try Self.title(of: group, in: database)
    try database.run(
      """
      UPDATE groups SET (title, main_key, rules, provisional) =
        (SELECT signature, key, rules, provisional FROM reports WHERE id = ?2)
      WHERE id = ?1
      """, group, report)
    let new = try Self.title(of: group, in: database)
    if new != old { hasChanged = true }
    if new.text != old.text {
      try table.note(group, .titled, "\(new.text); before: \(old.text)", in: database)
    }
  }

  private static func title(
    of group: RowID<Tables.Groups>, in database: borrowing Connection
  ) throws -> (text: String, key: String, isProvisional: Bool) {
    let rows = try database.prepare(
      "SELECT title, main_key, provisional FROM groups WHERE id = ?1", [group])
    guard try rows.step() else { throw StoreError.damaged("there is no group in row \(group)") }
    return try (rows.text("title"), rows.text("main_key"), rows.bool("provisional"))
  }

  // MARK: Keys

  /// Returns the keys that lead to an origin or to one that was split off it, with the origin that they lead
  /// to.
  private func liveKeys(
    of origin: Origin, in database: borrowing Connection
  ) throws -> [String: RowID<Tables.Origins>] {
    let part = try database.integer(
      "SELECT 1 FROM origins WHERE parent IS NOT NULL AND parent = ?1 LIMIT 1", origin.id)
    let rows = try database.prepare(part == nil ? Self.ownKeys : Self.allKeys, [origin.id])
    var keys: [String: RowID<Tables.Origins>] = [:]
    while try rows.step() { try keys[rows.text("key")] = rows.id("origin") }
    return keys
  }

  private static let ownKeys = """
    SELECT main.key, main.origin FROM group_keys AS main
    WHERE main.origin = ?1 AND \(KeysTable.isLive)
    """

  private static let allKeys = """
    \(tree) SELECT main.key, main.origin FROM group_keys AS main JOIN tree ON main.origin = tree.id
    WHERE \(KeysTable.isLive)
    """

  private static let tree = """
    WITH RECURSIVE tree (id) AS (SELECT CAST(?1 AS BIGINT)
      UNION SELECT origins.id FROM origins JOIN tree ON origins.parent = tree.id)
    """

  /// Returns a name for another origin among keys: no key has such a name.
  static func name(ofOrigin origin: RowID<Tables.Origins>) -> String { "\u{0}\(origin)" }

  static func origin(named name: String) -> RowID<Tables.Origins>? {
    name.first == "\u{0}" ? Int(name.dropFirst()).map { RowID($0) } : nil
  }
}
