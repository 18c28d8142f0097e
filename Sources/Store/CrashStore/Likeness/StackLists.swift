internal import Database
internal import Likeness

/// The lists by which stacks are found, inside a transaction.
struct StackLists {
  let app: RowID<Tables.Apps>
  /// A group whose stacks are left out; `nil` for none.
  var group: RowID<Tables.Groups>?
  /// Whether, where a group is given, the stacks of all other apps are searched instead of the app's.
  var isOfOthers = false

  /// Returns the stacks that share the most with one.
  func stacks(
    like features: StackFeatures, atMost limit: Int = Candidates<Int>.limit,
    in database: borrowing Connection
  ) throws -> [StoredStack] {
    var candidates = Candidates<Int>()
    for list in features.lists {
      candidates.add(try ids(of: list.number, in: database), weight: list.weight)
    }
    return try candidates.best(atMost: limit).compactMap { id in
      try StoredStack.find(RowID(id), in: database)
    }
  }

  private func ids(of list: Int64, in database: borrowing Connection) throws -> [Int] {
    guard let group else {
      return try ids(
        "SELECT stack FROM stack_lists WHERE list = ?1 AND app = ?2 ORDER BY stack LIMIT ?3",
        [Int(list), app, Candidates<Int>.listDepth], in: database)
    }
    // Two ranges of the index: a single one would read the gap between them.
    let own = app.rawValue
    let ranges = isOfOthers ? [(0, own - 1), (own + 1, Int.max)] : [(own, own)]
    var found: [Int] = []
    for (first, last) in ranges {
      // Stacks of the group's keys are included where a split moved them to another group.
      found += try ids(
        """
        SELECT stack FROM stack_lists WHERE list = ?1 AND app >= ?2 AND app <= ?3
          AND stack NOT IN (
            SELECT key_stacks.id FROM group_keys JOIN key_stacks
              ON key_stacks.app = group_keys.app AND key_stacks.key = group_keys.key
            WHERE group_keys.grp = ?4 AND EXISTS (SELECT 1 FROM reports
              WHERE reports.grp = ?4 AND reports.variant = key_stacks.variant))
        ORDER BY app, stack LIMIT ?5
        """, [Int(list), first, last, group, Candidates<Int>.listDepth], in: database)
    }
    return found
  }

  private func ids(
    _ sql: String, _ values: [any SQLBindable], in database: borrowing Connection
  ) throws -> [Int] {
    let rows = try database.prepare(sql, values)
    var ids: [Int] = []
    while try rows.step() { try ids.append(rows.int("stack")) }
    return ids
  }
}
