internal import Database

extension CrashStore.Search {
  /// Maximum number of suggested apps and groups; more would not help.
  private static let mostNearMatches = 5

  /// Suggests what an unknown id may have meant.
  ///
  /// - Throws: `DatabaseError`.
  public func nearMatches(of id: String) throws -> NearMatches {
    try store.read { database in
      var matches = NearMatches()
      let rows = try database.prepare(
        """
        SELECT name, prefix, last_group FROM apps WHERE last_group > 0
        ORDER BY last_group DESC, name
        """, [])
      while try rows.step() {
        try matches.apps.append(
          NearMatches.AppGroups(
            app: rows.text("name"), prefix: rows.text("prefix"), last: rows.int("last_group")))
      }
      if let number = Self.groupNumber(in: id) {
        let rows = try database.prepare(
          """
          SELECT apps.prefix || '-' || groups.number AS group_name, groups.title
          FROM groups JOIN apps ON apps.id = groups.app
          WHERE groups.number = ?1 ORDER BY groups.reports DESC, groups.id LIMIT ?2
          """, [number, Self.mostNearMatches])
        while try rows.step() {
          try matches.groups.append(
            NearMatches.GroupName(id: rows.text("group_name"), title: rows.text("title")))
        }
      }
      matches.reports = try Self.reports(like: id.lowercased(), in: database)
      return matches
    }
  }

  /// The number at the end of `TERN-12`, `TERN12`, `#12` or `12`.
  private static func groupNumber(in id: String) -> Int? {
    let digits = id.reversed().prefix { ("0"..."9").contains($0) }
    return digits.isEmpty || digits.count > 9 ? nil : Int(String(digits.reversed()))
  }

  /// The reports whose ids share the longest prefix with `id`, of at least three digits.
  private static func reports(
    like id: String, in database: borrowing Connection
  ) throws -> [ReportSummary] {
    guard id.allSatisfy(\.isHexDigit) else { return [] }
    var length = min(id.count, 32)
    while length >= 3 {
      let rows = try database.prepare(
        CrashStore.Reports.reportColumns + " WHERE reports.name >= ?1 AND reports.name < ?1 || 'g'"
          + " ORDER BY reports.name LIMIT ?2",
        [String(id.prefix(length)), Self.mostNearMatches])
      var found: [ReportSummary] = []
      while try rows.step() { try found.append(CrashStore.Reports.summary(rows)) }
      if !found.isEmpty { return found }
      length -= 1
    }
    return []
  }
}
