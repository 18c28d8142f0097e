internal import CrashModel
internal import SQLite

/// Finds the groups of a group's reports whose keys have changed, inside a transaction.
struct Regrouping {
  let app: Int
  /// The reports that were done again, by their database row.
  var reports: [Int: ReportRow] = [:]

  init(app: Int) { self.app = app }

  /// Reports of the group that have one key.
  private struct KeyClass {
    let key: String
    let count: Int
    /// The database row of the oldest.
    let oldest: Int
  }

  func apply(to group: Int, in database: borrowing Connection) throws {
    let book = GroupBook(app: app, author: "mayday")
    var group = group
    // Each turn settles a key or merges two groups into one.
    while true {
      // Merged meanwhile: its reports, and their new keys, are in the older group now.
      while let older = try database.integer("SELECT redirect FROM groups WHERE id = ?1", group) {
        group = older
      }
      let (strangers, hasOwn) = try keys(of: group, in: database)
      if !hasOwn, let most = strangers.max(by: { ($0.count, $1.oldest) < ($1.count, $0.oldest) }),
        let report = report(of: most)
      {
        if let owner = try owner(for: report, book, in: database) {
          let survivor = min(owner, group)
          try merge(max(owner, group), into: survivor, book, in: database)
          group = survivor
        }
        try book.add(report.signature, to: group, in: database)
        try book.refresh(group, in: database)
        continue
      }
      for stranger in strangers {
        guard let report = report(of: stranger) else { continue }
        try move(stranger, report, from: group, book, in: database)
      }
      return try book.refresh(group, in: database)
    }
  }

  /// The keys of the group's reports that it does not own, those of the oldest reports first, and
  /// whether there are reports whose keys it owns.
  private func keys(
    of group: Int, in database: borrowing Connection
  ) throws -> (strangers: [KeyClass], hasOwn: Bool) {
    let rows = try database.prepare(
      """
      SELECT reports.key, count(*), min(reports.id), ifnull(group_keys.grp = ?1, 0)
      FROM reports LEFT JOIN group_keys
        ON group_keys.app = reports.app AND group_keys.key = reports.key
      WHERE reports.grp = ?1 GROUP BY reports.key ORDER BY min(reports.id)
      """, [group])
    var strangers: [KeyClass] = []
    var hasOwn = false
    while try rows.step() {
      if rows.int(3) != 0 {
        hasOwn = true
      } else {
        strangers.append(KeyClass(key: rows.text(0), count: rows.int(1), oldest: rows.int(2)))
      }
    }
    return (strangers, hasOwn)
  }

  /// The oldest of the reports that were done again and have the key.
  private func report(of keyClass: KeyClass) -> ReportRow? {
    reports.filter { $0.value.signature.key == keyClass.key }.min { $0.key < $1.key }?.value
  }

  private func owner(
    for report: ReportRow, _ book: borrowing GroupBook, in database: borrowing Connection
  ) throws -> Int? {
    if let owner = try book.owner(of: report.signature.key, in: database) { return owner }
    for key in report.signature.alternativeKeys {
      if let owner = try book.owner(of: key, mainOnly: true, in: database) { return owner }
    }
    return nil
  }

  /// Moves the reports of one key into the group that owns it, or into a new one.
  private func move(
    _ keyClass: KeyClass, _ report: ReportRow, from group: Int, _ book: borrowing GroupBook,
    in database: borrowing Connection
  ) throws {
    let owner = try owner(for: report, book, in: database)
    let target = try owner ?? book.open(for: report, in: database)
    try book.add(report.signature, to: target, in: database)
    guard target != group else { return }
    var moving: [CountedReport] = []
    do {
      let rows = try database.prepare(
        "SELECT \(CountedReport.columns) FROM reports WHERE grp = ?1 AND key = ?2 ORDER BY id",
        [group, keyClass.key])
      while try rows.step() { moving.append(CountedReport(rows)) }
    }
    for report in moving {
      try book.uncount(report, in: group, of: database)
      try database.run("UPDATE reports SET grp = ?2 WHERE name = ?1", report.id, target)
      try book.count(report, in: target, of: database)
    }
    try book.refresh(target, in: database)
    let what = moving.count == 1 ? "1 report" : "\(moving.count) reports"
    let (old, new) = (
      try GroupBook.name(of: group, in: database), try GroupBook.name(of: target, in: database)
    )
    try book.note(group, "moved", "\(what) to \(new): \(report.signature.text)", in: database)
    try book.note(target, "moved", "\(what) from \(old)", in: database)
  }

  /// Makes the newer group another name of the older one, with all that it has.
  private func merge(
    _ newer: Int, into older: Int, _ book: borrowing GroupBook, in database: borrowing Connection
  ) throws {
    let (kept, gone) = (
      try GroupBook.name(of: older, in: database), try GroupBook.name(of: newer, in: database)
    )
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
    try PastBook.move(from: newer, to: older, in: database)
    try database.run("DELETE FROM counters WHERE grp = ?1", newer)
    try database.run("DELETE FROM group_installs WHERE grp = ?1", newer)
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
}
