internal import SQLite

/// Moves the reports of one key from a group to another, with all that is counted of them, inside a
/// transaction; in a number of statements that does not depend on how many there are.
struct GroupMove {
  let key: String
  let source: Int
  let target: Int

  init(key: String, from source: Int, to target: Int) {
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
        "SELECT count(*) FROM reports WHERE grp = ?1 AND key = ?2", source, key) ?? 0
    guard count > 0 else { return }
    for (group, sign) in [(target, 1), (source, -1)] {
      try database.run(
        """
        INSERT INTO counters (grp, day, version, build, os, device, count)
        SELECT ?3, \(Self.day), version, build, os, device, ?4 * count(*) FROM reports
        WHERE grp = ?1 AND key = ?2 GROUP BY 2, version, build, os, device
        ON CONFLICT DO UPDATE SET count = count + excluded.count
        """, source, key, group, sign)
      try database.run(
        """
        INSERT INTO group_installs (grp, install, count)
        SELECT ?3, install, ?4 * count(*) FROM reports
        WHERE grp = ?1 AND key = ?2 AND install IS NOT NULL GROUP BY install
        ON CONFLICT DO UPDATE SET count = count + excluded.count
        """, source, key, group, sign)
    }
    try database.run("DELETE FROM counters WHERE grp = ?1 AND count <= 0", source)
    try database.run("DELETE FROM group_installs WHERE grp = ?1 AND count <= 0", source)
    for (group, change) in [(target, count), (source, -count)] {
      try database.run(
        """
        UPDATE groups SET reports = reports + ?2,
          installs = (SELECT count(*) FROM group_installs WHERE grp = ?1)
        WHERE id = ?1
        """, group, change)
    }
    let name = try GroupBook.name(of: source, in: database)
    try database.run(
      """
      UPDATE reports SET grp = ?3, found_by = ?4, found_detail = ?5 WHERE grp = ?1 AND key = ?2
      """, source, key, target, FoundBy.moved(from: name).word, name)
    try book.refresh(target, in: database)
    try note(count, book, in: database)
  }

  private func note(
    _ count: Int, _ book: borrowing GroupBook, in database: borrowing Connection
  ) throws {
    let what = count == 1 ? "1 report" : "\(count) reports"
    let (old, new) = (
      try GroupBook.name(of: source, in: database), try GroupBook.name(of: target, in: database)
    )
    let text = try database.text(
      "SELECT signature FROM reports WHERE grp = ?1 AND key = ?2 LIMIT 1", target, key)
    try book.note(source, "moved", "\(what) to \(new): \(text ?? "")", in: database)
    try book.note(target, "moved", "\(what) from \(old)", in: database)
  }
}
