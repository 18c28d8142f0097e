internal import CrashModel
internal import SQLite

/// Finds the groups of reports whose keys have changed, inside a transaction.
///
/// It works on one place at a time: on the reports that a key led to there. What somebody put
/// together or apart by hand stays so: out of a split-off group, or of one that others were merged
/// into, no report is taken.
struct Regrouping {
  let app: Int
  /// The reports that were done again, by their database row.
  var reports: [Int: ReportRow] = [:]

  private let reader: StoredReader

  init(app: Int, reader: StoredReader) {
    self.app = app
    self.reader = reader
  }

  /// Reports of the place that have one key.
  private struct KeyClass {
    let key: String
    let count: Int
    /// The database row of the oldest.
    let oldest: Int
  }

  /// Where the reports are now: the place that they were in may have been made one with another
  /// since, and its number given to a third.
  func places(in database: borrowing Connection) throws -> [(place: Int, part: Regrouping)] {
    var parts: [Int: Regrouping] = [:]
    for (row, report) in reports {
      guard
        let id = try database.integer("SELECT origin FROM reports WHERE id = ?1", row),
        let place = try Origin.find(id, in: database)?.keyed(in: database)
      else { continue }
      parts[place.id, default: Regrouping(app: app, reader: reader)].reports[row] = report
    }
    return parts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// - Parameter id: A place that keys lead to.
  func apply(to id: Int, in database: borrowing Connection) throws {
    let book = GroupBook(app: app, author: "mayday")
    if let origin = try Origin.find(id, in: database) {
      try followRules(from: origin, book, in: database)
    }
    var id = id
    // Each turn settles a key or makes two places one.
    while let origin = try Origin.find(id, in: database) {
      let (strangers, hasOwn) = try keys(of: origin, in: database)
      if !hasOwn, !origin.isPinned,
        let most = strangers.max(by: { ($0.count, $1.oldest) < ($1.count, $0.oldest) }),
        let report = try report(of: most, in: database)
      {
        // An alternative key may lead to where the report is: without inlined calls it reads as before.
        guard let owner = try book.owner(for: report, in: database), owner.id != origin.id else {
          try book.add(report.signature, to: origin, in: database)
          continue
        }
        if !owner.isPinned {
          id = try Meeting(book).unite(origin, owner, in: database)
          if let left = try Origin.find(id, in: database) {
            try book.add(report.signature, to: left, in: database)
          }
          continue
        }
      }
      try place(strangers, of: origin, book, in: database)
      return
    }
  }

  /// Places the reports whose keys do not lead here.
  private func place(
    _ strangers: [KeyClass], of origin: Origin, _ book: borrowing GroupBook,
    in database: borrowing Connection
  ) throws {
    let isHeld = try isHeld(origin, in: database)
    for stranger in strangers {
      guard let report = try report(of: stranger, in: database) else { continue }
      let owner = try book.owner(for: report, in: database)
      if isHeld {
        // They stay, but those that come with their key go where it leads.
        try book.add(report.signature, to: owner ?? origin, in: database)
      } else {
        let target = try owner ?? book.open(for: report, in: database)
        try book.add(report.signature, to: target, in: database)
        if target != origin {
          try move(stranger, report, from: origin, to: target, book, in: database)
        }
      }
    }
    try book.refresh(origin, in: database)
    try book.refresh(origin.group, in: database)
  }

  /// Whether somebody put here what is here.
  private func isHeld(_ origin: Origin, in database: borrowing Connection) throws -> Bool {
    if origin.isPinned { return true }
    return try database.integer(
      """
      WITH RECURSIVE tree (id) AS (
        SELECT ?1 UNION SELECT groups.id FROM groups JOIN tree ON groups.redirect = tree.id)
      SELECT 1 FROM groups WHERE id IN tree AND joined > 0 AND id != ?1
      """, origin.group) != nil
  }

  /// The keys of the reports here that do not lead here, those of the oldest reports first, and
  /// whether there are reports whose keys do.
  private func keys(
    of origin: Origin, in database: borrowing Connection
  ) throws -> (strangers: [KeyClass], hasOwn: Bool) {
    let rows = try database.prepare(
      """
      SELECT reports.key, count(*), min(reports.id), ifnull(group_keys.origin = ?1, 0)
      FROM reports LEFT JOIN group_keys
        ON group_keys.app = reports.app AND group_keys.key = reports.key
      WHERE reports.grp = ?2 AND reports.origin = ?1
      GROUP BY reports.key ORDER BY min(reports.id)
      """, [origin.id, origin.group])
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

  /// The oldest of the reports that were done again and have the key, else of all.
  private func report(
    of keyClass: KeyClass, in database: borrowing Connection
  ) throws -> ReportRow? {
    let done = reports.filter { $0.value.signature.key == keyClass.key }.min { $0.key < $1.key }
    if let done { return done.value }
    return try StoredReader.place(keyClass.oldest, in: database).flatMap(reader.row)
  }

  /// Asks the rules of splits again for the reports that were done again: more is known of them now.
  private func followRules(
    from keyed: Origin, _ book: borrowing GroupBook, in database: borrowing Connection
  ) throws {
    let rules = SplitRules(reader: reader)
    for (row, report) in reports.sorted(by: { $0.key < $1.key }) {
      guard let (counted, now) = try counted(row, in: database) else { continue }
      let next = try rules.follow(from: keyed, report: row, in: database)
      if next != now {
        try book.move(counted, from: now, to: next, in: database)
        for origin in [now, next] {
          try book.refresh(origin, in: database)
          try book.refresh(origin.group, in: database)
        }
      }
      // What a rule holds does not look for a group, but those that come after it should meet it.
      if next != keyed {
        let owner = try book.owner(for: report, in: database)
        try book.add(report.signature, to: owner ?? keyed, in: database)
      }
    }
  }

  private func counted(
    _ row: Int, in database: borrowing Connection
  ) throws -> (report: CountedReport, origin: Origin)? {
    let rows = try database.prepare(
      "SELECT \(CountedReport.columns), origin FROM reports WHERE id = ?1", [row])
    guard try rows.step(), let origin = try Origin.find(rows.int(9), in: database) else {
      return nil
    }
    return (CountedReport(rows), origin)
  }

  /// Moves the reports of one key to where it leads.
  private func move(
    _ keyClass: KeyClass, _ report: ReportRow, from origin: Origin, to target: Origin,
    _ book: borrowing GroupBook, in database: borrowing Connection
  ) throws {
    var moving: [(report: CountedReport, row: Int)] = []
    do {
      let rows = try database.prepare(
        """
        SELECT \(CountedReport.columns), id FROM reports WHERE grp = ?1 AND origin = ?2 AND key = ?3
        ORDER BY id
        """, [origin.group, origin.id, keyClass.key])
      while try rows.step() { moving.append((CountedReport(rows), rows.int(9))) }
    }
    let states = StateBook(app: app, now: book.now)
    let rules = SplitRules(reader: reader)
    for (report, row) in moving {
      let place = try rules.follow(from: target, report: row, in: database)
      try book.move(report, from: origin, to: place, in: database)
      if place.group != origin.group {
        try states.moved(report, to: place.group, of: database)
      }
      if place != target {
        try book.refresh(place, in: database)
        try book.refresh(place.group, in: database)
      }
    }
    try book.refresh(target, in: database)
    try book.refresh(target.group, in: database)
    guard target.group != origin.group else { return }
    let what = moving.count == 1 ? "1 report" : "\(moving.count) reports"
    let (old, new) = (
      try GroupBook.name(of: origin.group, in: database),
      try GroupBook.name(of: target.group, in: database)
    )
    try book.note(
      origin.group, "moved", "\(what) to \(new): \(report.signature.text)", in: database)
    try book.note(target.group, "moved", "\(what) from \(old)", in: database)
  }
}
