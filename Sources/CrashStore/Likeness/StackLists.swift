internal import Database
internal import Likeness

/// The lists under which stacks are looked for, inside a transaction.
struct StackLists {
  /// The app whose stacks are looked for; `nil` for those of all apps.
  let app: RowID<Tables.Apps>?

  /// The stacks that share the most with one, at most ``Candidates/limit``.
  func stacks(
    like features: StackFeatures, in database: borrowing Connection
  ) throws -> [StoredStack] {
    var candidates = Candidates<Int>()
    for list in features.lists {
      candidates.add(try ids(of: list.number, in: database), weight: list.weight)
    }
    return try candidates.best.compactMap { id in
      try StoredStack.find(RowID(id), in: database)
    }
  }

  private func ids(of list: Int64, in database: borrowing Connection) throws -> [Int] {
    let depth = Candidates<Int>.listDepth
    let rows =
      if let app {
        try database.prepare(
          "SELECT stack FROM stack_lists WHERE list = ?1 AND app = ?2 ORDER BY stack LIMIT ?3",
          [Int(list), app, depth])
      } else {
        try database.prepare(
          "SELECT stack FROM stack_lists WHERE list = ?1 ORDER BY app, stack LIMIT ?2",
          [Int(list), depth])
      }
    var ids: [Int] = []
    while try rows.step() { try ids.append(rows.int("stack")) }
    return ids
  }
}
