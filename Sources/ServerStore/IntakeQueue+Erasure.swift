internal import SQLite

extension IntakeQueue {
  /// Rows that are looked at in one transaction.
  private static let erasureBatch = 10_000

  /// Takes away submissions that wait or were set aside, by what was said beside them.
  ///
  /// - Parameters:
  ///   - isDry: Whether to count only.
  ///   - isMeant: Whether the submission with some facts is to go.
  /// - Returns: How many went, or would go, and how many more a worker has in hand.
  public func erase(
    isDry: Bool, where isMeant: ([String: String]) -> Bool
  ) throws -> (erased: Int, inWork: Int) {
    try collectAll()
    var erased = 0
    var inWork = 0
    var last = 0
    while true {
      let found = try store.read { database in
        var found: [(id: Int, state: Int, facts: String)] = []
        let rows = try database.prepare(
          "SELECT id, state, facts FROM intake WHERE id > ? ORDER BY id LIMIT ?",
          [last, Self.erasureBatch])
        while try rows.step() { found.append((rows.int(0), rows.int(1), rows.text(2))) }
        return found
      }
      guard let end = found.last?.id else { return (erased, inWork) }
      last = end
      let meant = found.filter { isMeant(Self.facts($0.facts)) }
      inWork += meant.count { $0.state == 1 }
      let ids = meant.filter { $0.state != 1 }.map(\.id)
      if isDry || ids.isEmpty {
        erased += ids.count
        continue
      }
      let gone = try store.write { database in
        var gone: (count: Int, files: [String]) = (0, [])
        for id in ids {
          let rows = try database.prepare(
            "DELETE FROM intake WHERE id = ? AND state != 1 RETURNING file", [id])
          guard try rows.step() else { continue }
          gone.count += 1
          if let file = rows.optionalText(0) { gone.files.append(file) }
          _ = try rows.step()
        }
        try Self.count(gone.count, as: .erased, in: database)
        return gone
      }
      for file in gone.files { store.bodies.remove(file) }
      erased += gone.count
      inWork += ids.count - gone.count
    }
  }
}
