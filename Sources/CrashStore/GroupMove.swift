internal import SQLite

/// Moves the reports of one key from a place to another, with all that is counted of them, inside a
/// transaction; in a number of statements that does not depend on how many there are.
struct GroupMove {
  let key: String
  let source: Origin
  let target: Origin

  init(key: String, from source: Origin, to target: Origin) {
    self.key = key
    self.source = source
    self.target = target
  }

  /// The whole days before `time`, also before 1970.
  private static let day =
    "(time - (time % 86400000000 + 86400000000) % 86400000000) / 86400000000"

  func run(_ book: borrowing GroupBook, in database: borrowing Connection) throws {
    let count =
      try database.integer(
        "SELECT count(*) FROM reports WHERE grp = ?1 AND origin = ?2 AND key = ?3", source.group,
        source.id, key) ?? 0
    guard count > 0 else { return }
    for (origin, sign) in [(target, 1), (source, -1)] {
      try database.run(
        """
        INSERT INTO counters (grp, origin, day, version, build, os, device, count)
        SELECT ?4, ?5, \(Self.day), version, build, os, device, ?6 * count(*) FROM reports
        WHERE grp = ?1 AND origin = ?2 AND key = ?3 GROUP BY 3, version, build, os, device
        ON CONFLICT DO UPDATE SET count = count + excluded.count
        """, source.group, source.id, key, origin.group, origin.id, sign)
      try database.run(
        """
        INSERT INTO group_installs (grp, install, origin, count)
        SELECT ?4, install, ?5, ?6 * count(*) FROM reports
        WHERE grp = ?1 AND origin = ?2 AND key = ?3 AND install IS NOT NULL GROUP BY install
        ON CONFLICT DO UPDATE SET count = count + excluded.count
        """, source.group, source.id, key, origin.group, origin.id, sign)
    }
    for table in ["counters", "group_installs"] {
      try database.run(
        "DELETE FROM \(table) WHERE grp = ?1 AND origin = ?2 AND count <= 0", source.group,
        source.id)
    }
    let name = try GroupBook.name(of: source.group, in: database)
    try database.run(
      """
      UPDATE reports SET grp = ?4, origin = ?5, found_by = ?6, found_detail = ?7
      WHERE grp = ?1 AND origin = ?2 AND key = ?3
      """, source.group, source.id, key, target.group, target.id, FoundBy.moved(from: name).word,
      name)
    try book.refresh(target, in: database)
    try book.recount(target.group, in: database)
    try note(count, book, in: database)
  }

  private func note(
    _ count: Int, _ book: borrowing GroupBook, in database: borrowing Connection
  ) throws {
    let what = count == 1 ? "1 report" : "\(count) reports"
    let (old, new) = (
      try GroupBook.name(of: source.group, in: database),
      try GroupBook.name(of: target.group, in: database)
    )
    let text = try database.text(
      "SELECT signature FROM reports WHERE origin = ?1 AND key = ?2 LIMIT 1", target.id, key)
    try book.note(source.group, "moved", "\(what) to \(new): \(text ?? "")", in: database)
    try book.note(target.group, "moved", "\(what) from \(old)", in: database)
  }
}
