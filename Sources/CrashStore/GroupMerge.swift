internal import SQLite

/// Makes the newer of two groups another name of the older one, with all that it has, inside a
/// transaction.
struct GroupMerge {
  let newer: Int
  let older: Int

  init(_ newer: Int, into older: Int) {
    self.newer = newer
    self.older = older
  }

  func run(_ book: borrowing GroupBook, in database: borrowing Connection) throws {
    let (kept, gone) = (
      try GroupBook.name(of: older, in: database), try GroupBook.name(of: newer, in: database)
    )
    try database.run(
      """
      UPDATE reports SET found_by = ?2, found_detail = ?3
      WHERE grp = ?1 AND found_by = ?4
      """, newer, FoundBy.merged(from: gone).word, gone, FoundBy.followed.word)
    try database.run("UPDATE reports SET grp = ?2 WHERE grp = ?1", newer, older)
    try database.run("UPDATE group_keys SET grp = ?2 WHERE grp = ?1", newer, older)
    try database.run("UPDATE group_history SET grp = ?2 WHERE grp = ?1", newer, older)
    try database.run(
      """
      INSERT INTO counters (grp, day, version, build, os, device, count)
      SELECT ?2, day, version, build, os, device, count FROM counters WHERE grp = ?1
      ON CONFLICT DO UPDATE SET count = count + excluded.count
      """, newer, older)
    try database.run(
      """
      INSERT INTO group_installs (grp, install, count)
      SELECT ?2, install, count FROM group_installs WHERE grp = ?1
      ON CONFLICT DO UPDATE SET count = count + excluded.count
      """, newer, older)
    try database.run("DELETE FROM counters WHERE grp = ?1", newer)
    try database.run("DELETE FROM group_installs WHERE grp = ?1", newer)
    try mergeRegrouping(in: database)
    // A real signature counts for more than a provisional one.
    try database.run(
      """
      UPDATE groups SET (title, main_key, category, rules, provisional) =
        (SELECT title, main_key, category, rules, provisional FROM groups WHERE id = ?1)
      WHERE id = ?2 AND provisional > (SELECT provisional FROM groups WHERE id = ?1)
      """, newer, older)
    try database.run(
      """
      UPDATE groups SET
        reports = reports + (SELECT reports FROM groups WHERE id = ?1),
        installs = (SELECT count(*) FROM group_installs WHERE grp = ?2)
      WHERE id = ?2
      """, newer, older)
    try database.run("UPDATE groups SET redirect = ?2 WHERE redirect = ?1", newer, older)
    try database.run(
      "UPDATE groups SET redirect = ?2, reports = 0, installs = 0 WHERE id = ?1", newer, older)
    try book.note(older, "merged", "\(gone) is now \(kept)", in: database)
  }

  /// What was to be done for the one is to be done for the other.
  private func mergeRegrouping(in database: borrowing Connection) throws {
    try database.run(
      """
      INSERT INTO regroup (grp, phase) SELECT ?2, phase FROM regroup WHERE grp = ?1
      ON CONFLICT DO UPDATE SET phase = min(phase, excluded.phase)
      """, newer, older)
    try database.run("DELETE FROM regroup WHERE grp = ?1", newer)
    try database.run(
      """
      INSERT INTO regroup_changes (grp, old_text, new_text, arrived, reports)
      SELECT ?2, old_text, new_text, arrived, reports FROM regroup_changes WHERE grp = ?1
      ON CONFLICT DO UPDATE SET reports = reports + excluded.reports
      """, newer, older)
    try database.run("DELETE FROM regroup_changes WHERE grp = ?1", newer)
  }
}
