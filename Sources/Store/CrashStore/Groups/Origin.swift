internal import Database

/// The owner of reports, keys and counts of a group; see ``Schema/actions``.
struct Origin: Hashable, Sendable {
  let id: RowID<Tables.Origins>
  /// The group that it belongs to.
  let ownGroup: RowID<Tables.Groups>
  /// The group that it shows under: ``ownGroup``, unless that was merged into another.
  let group: RowID<Tables.Groups>
  /// The origin that it was split from; `nil` for the first origin of a group.
  let parent: RowID<Tables.Origins>?
  /// The condition for reports to move here from ``parent``; `nil` where their keys lead here.
  let rule: String?

  /// Whether a user split the contents off another group, or a rule did.
  var isSplitOff: Bool { parent != nil }

  /// `home` is the column's name in homes and archives of every version.
  static let columns = "origins.id, home, origins.grp, parent, rule"

  /// - Parameter row: A row with ``columns``.
  init(_ row: borrowing Statement) throws(DatabaseError) {
    id = try row.id("id")
    ownGroup = try row.id("home")
    group = try row.id("grp")
    parent = try row.optionalID("parent")
    rule = try row.optionalText("rule")
  }

  /// Returns the origin as shown under another group.
  func shown(under group: RowID<Tables.Groups>) -> Origin {
    Origin(id: id, ownGroup: ownGroup, group: group, parent: parent, rule: rule)
  }

  private init(
    id: RowID<Tables.Origins>, ownGroup: RowID<Tables.Groups>, group: RowID<Tables.Groups>,
    parent: RowID<Tables.Origins>?, rule: String?
  ) {
    self.id = id
    self.ownGroup = ownGroup
    self.group = group
    self.parent = parent
    self.rule = rule
  }

  /// Returns the origin with this id.
  static func find(
    _ id: RowID<Tables.Origins>, in database: borrowing Connection
  ) throws -> Origin? {
    let rows = try database.prepare(byID, [id])
    return try rows.step() ? Origin(rows) : nil
  }

  /// Returns those of the origins that exist, by their ids.
  static func read(
    _ ids: Set<RowID<Tables.Origins>>, in database: borrowing Connection
  ) throws -> [RowID<Tables.Origins>: Origin] {
    var origins: [RowID<Tables.Origins>: Origin] = [:]
    try database.readMany(byID, ids.sorted().map { RowKey($0.sqlValue) }) { _, row in
      let origin = try Origin(row)
      origins[origin.id] = origin
    }
    return origins
  }

  private static let byID = "SELECT \(columns) FROM origins WHERE id = ?1"

  /// Returns the origin with this id, which another row names.
  ///
  /// - Throws: ``StoreError/damaged(_:)`` where it does not exist.
  static func get(_ id: RowID<Tables.Origins>, in database: borrowing Connection) throws -> Origin {
    guard let origin = try find(id, in: database) else {
      throw StoreError.damaged("there is no origin in row \(id)")
    }
    return origin
  }

  /// Returns all origins for which a condition holds, in the order in which they were created.
  static func all(
    where condition: String, _ value: any SQLBindable, in database: borrowing Connection
  ) throws -> [Origin] {
    let rows = try database.prepare(
      "SELECT \(columns) FROM origins WHERE \(condition) ORDER BY id", [value])
    var all: [Origin] = []
    while try rows.step() { try all.append(Origin(rows)) }
    return all
  }

  /// Creates the first origin of a new group, or one for a split.
  ///
  /// - Parameter split: The history line of the split.
  init(
    ownGroup: RowID<Tables.Groups>, parent: RowID<Tables.Origins>? = nil,
    split: RowID<Tables.History>? = nil, rule: String? = nil,
    making database: borrowing Connection
  ) throws {
    try database.insert(
      into: "origins",
      [
        "id": RowNumbers.origins.next(in: database), "home": ownGroup, "grp": ownGroup,
        "parent": parent, "split": split, "rule": rule,
      ])
    id = database.lastID()
    self.ownGroup = ownGroup
    group = ownGroup
    self.parent = parent
    self.rule = rule
  }

  /// Returns the first origin of the chain of splits that leads to this one.
  func top(in database: borrowing Connection) throws -> Origin {
    var origin = self
    while let parent = origin.parent { origin = try Origin.get(parent, in: database) }
    return origin
  }

  /// Whether a user split the contents off another group, or merged other groups into this one: no signature
  /// then moves them away.
  func isPinned(in database: borrowing Connection) throws -> Bool {
    if isSplitOff { return true }
    let homes = try database.integer(
      "SELECT count(DISTINCT home) FROM origins WHERE grp = ?1", group)
    return homes != 1
  }

  /// Returns the origin that keys lead to, from which rules may lead on to this one.
  func keyed(in database: borrowing Connection) throws -> Origin {
    var origin = self
    while origin.rule != nil, let parent = origin.parent {
      origin = try Origin.get(parent, in: database)
    }
    return origin
  }
}
