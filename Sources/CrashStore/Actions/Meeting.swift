internal import SQLite

/// What happens when symbols show that two groups are one, inside a transaction.
///
/// The older of the two survives, and the newer becomes another name of it. What either was merged
/// into by hand stays with it.
struct Meeting: ~Copyable {
  private let book: GroupBook

  init(_ book: borrowing GroupBook) {
    self.book = GroupBook(app: book.app, author: book.author)
  }

  /// Makes the first places of two groups one.
  ///
  /// - Returns: The place that is left.
  func unite(
    _ one: Origin, _ other: Origin, in database: borrowing Connection
  ) throws -> Int {
    let (kept, gone) = one.home < other.home ? (one, other) : (other, one)
    let names = (
      kept: try GroupBook.name(of: kept.home, in: database),
      gone: try GroupBook.name(of: gone.home, in: database)
    )
    // A real signature counts for more than a provisional one.
    try database.run(
      """
      UPDATE groups SET (title, main_key, category, rules, provisional) =
        (SELECT title, main_key, category, rules, provisional FROM groups WHERE id = ?1)
      WHERE id = ?2 AND provisional > (SELECT provisional FROM groups WHERE id = ?1)
      """, gone.home, kept.home)
    try join(gone.home, to: kept.home, in: database)
    try book.pour(gone, into: kept, in: database)
    try book.note(kept.home, "merged", "\(names.gone) is now \(names.kept)", in: database)
    try book.settle([one.group, other.group], in: database)
    return kept.id
  }

  /// Makes one group another name of an older one, whatever either was merged into.
  private func join(
    _ gone: Int, to kept: Int, in database: borrowing Connection
  ) throws {
    let above = try redirect(of: gone, in: database)
    let (keptRoot, goneRoot) = (
      try GroupBook.root(of: kept, in: database), try GroupBook.root(of: gone, in: database)
    )
    if try isAbove(gone, kept, in: database)
      || (above != nil && kept == keptRoot && keptRoot != goneRoot)
    {
      // The older one takes the place of the newer among what was merged by hand.
      try database.run(
        """
        UPDATE groups SET (redirect, joined) =
          (SELECT redirect, joined FROM groups WHERE id = ?1) WHERE id = ?2
        """, gone, kept)
    } else if above != nil, keptRoot != goneRoot {
      // Both were merged by hand, into groups that meet by this.
      let (older, newer) = (min(keptRoot, goneRoot), max(keptRoot, goneRoot))
      try database.run("UPDATE groups SET redirect = ?2, joined = 1 WHERE id = ?1", newer, older)
      let names = (
        older: try GroupBook.name(of: older, in: database),
        newer: try GroupBook.name(of: newer, in: database)
      )
      try book.note(older, "merged", "\(names.newer) is now \(names.older)", in: database)
    }
    try database.run("UPDATE groups SET redirect = ?2, joined = 0 WHERE id = ?1", gone, kept)
  }

  private func redirect(of group: Int, in database: borrowing Connection) throws -> Int? {
    try database.integer("SELECT redirect FROM groups WHERE id = ?1", group)
  }

  /// Whether the way from `group` to what it shows under passes `other`.
  private func isAbove(
    _ other: Int, _ group: Int, in database: borrowing Connection
  ) throws -> Bool {
    var next = try redirect(of: group, in: database)
    while let group = next {
      if group == other { return true }
      next = try redirect(of: group, in: database)
    }
    return false
  }
}
