internal import Database

/// What reports, keys and counts of a group belong to; see ``Schema/actions``.
struct Origin: Hashable, Sendable {
  let id: RowID<Tables.Origins>
  /// The group that it belongs to.
  let ownGroup: RowID<Tables.Groups>
  /// The group that it shows under: ``ownGroup``, unless that was merged into another.
  let group: RowID<Tables.Groups>
  /// The one that it was split from; `nil` for the one with which a group begins.
  let parent: RowID<Tables.Origins>?
  /// What a report must match to come here from ``parent``; `nil` where its key leads here.
  let rule: String?

  /// Whether somebody put here what is here: then no signature takes it away.
  var isPinned: Bool { parent != nil }

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

  /// It, after it was shown under another group.
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

  /// The one of this number.
  static func find(
    _ id: RowID<Tables.Origins>, in database: borrowing Connection
  ) throws -> Origin? {
    let rows = try database.prepare("SELECT \(columns) FROM origins WHERE id = ?1", [id])
    return try rows.step() ? Origin(rows) : nil
  }

  /// The one of this number, which another row names.
  ///
  /// - Throws: ``StoreError/damaged(_:)`` where it is not there.
  static func get(_ id: RowID<Tables.Origins>, in database: borrowing Connection) throws -> Origin {
    guard let origin = try find(id, in: database) else {
      throw StoreError.damaged("there is no origin in row \(id)")
    }
    return origin
  }

  /// All that a condition holds for, in the order in which they were made.
  static func all(
    where condition: String, _ value: any SQLBindable, in database: borrowing Connection
  ) throws -> [Origin] {
    let rows = try database.prepare(
      "SELECT \(columns) FROM origins WHERE \(condition) ORDER BY id", [value])
    var all: [Origin] = []
    while try rows.step() { try all.append(Origin(rows)) }
    return all
  }

  /// Makes the first origin of a new group, or one that a split needs.
  ///
  /// - Parameter split: The line of the history of the split.
  init(
    ownGroup: RowID<Tables.Groups>, parent: RowID<Tables.Origins>? = nil,
    split: RowID<Tables.History>? = nil, rule: String? = nil,
    making database: borrowing Connection
  ) throws {
    try database.insert(
      into: "origins",
      ["home": ownGroup, "grp": ownGroup, "parent": parent, "split": split, "rule": rule])
    id = database.lastID()
    self.ownGroup = ownGroup
    group = ownGroup
    self.parent = parent
    self.rule = rule
  }

  /// The one with which the group begins from which this was split, or the group of that.
  func top(in database: borrowing Connection) throws -> Origin {
    var origin = self
    while let parent = origin.parent { origin = try Origin.get(parent, in: database) }
    return origin
  }

  /// Whether somebody put here what is here: then no signature takes it away.
  func isHeld(in database: borrowing Connection) throws -> Bool {
    if isPinned { return true }
    let homes = try database.integer(
      "SELECT count(DISTINCT home) FROM origins WHERE grp = ?1", group)
    return homes != 1
  }

  /// The one that keys lead to, from which rules then may lead on to this one.
  func keyed(in database: borrowing Connection) throws -> Origin {
    var origin = self
    while origin.rule != nil, let parent = origin.parent {
      origin = try Origin.get(parent, in: database)
    }
    return origin
  }
}
