internal import CrashModel
internal import Database
internal import Identifiers
internal import Query
public import TriageModel

/// Splitting groups by hand.
extension CrashStore.Triage {
  /// The keys of a group's reports, those with the most reports first.
  ///
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func keys(ofGroup name: String) throws -> [GroupKey] {
    try store.read { database in
      let group = try CrashStore.Groups.groupRow(named: name, in: database)
      let app: RowID<Tables.Apps> = try database.requiredID(
        "SELECT app FROM groups WHERE id = ?1", group)
      let order = try ReleasesTable.order(of: app, in: database)
      let rows = try database.prepare(
        """
        SELECT counted.key AS key, last.signature AS signature, counted.version AS version,
          counted.build AS build, counted.count AS count
        FROM (
          SELECT reports.key, version, build, count(*) AS count, max(reports.id) AS last
          FROM reports JOIN group_keys ON group_keys.app = reports.app
            AND group_keys.key = reports.key AND group_keys.grp = reports.grp
          WHERE reports.grp = ?1 GROUP BY reports.key, version, build) AS counted
        JOIN reports AS last ON last.id = counted.last ORDER BY counted.key, counted.last
        """, [group])
      var keys: [GroupKey] = []
      var releases: [String: [Release]] = [:]
      while try rows.step() {
        let key = try rows.text("key")
        if keys.last?.key != key {
          keys.append(GroupKey(key: key, signature: "", reports: 0, versions: []))
        }
        let last = keys.count - 1
        keys[last].signature = try rows.text("signature")
        keys[last].reports += try rows.count("count")
        try releases[key, default: []].append(
          Release(version: rows.text("version"), build: rows.text("build")))
      }
      for index in keys.indices {
        keys[index].versions = order.sorted(releases[keys[index].key] ?? [])
          .filter { !$0.isEmpty }.map(\.name)
      }
      return keys.sorted { ($1.reports, $0.key) < ($0.reports, $1.key) }
    }
  }

  /// Splits a group by keys: reports with one of them are in a group of their own from then on.
  ///
  /// - Parameter keys: Key prefixes, each of which matches one key of the group.
  /// - Returns: The group and the new one.
  /// - Throws: ``StoreError/notFound(_:)``, ``ActionError``; `DatabaseError`.
  @discardableResult
  public func split(
    _ name: String, keys: [String], by author: String
  ) throws -> (group: GroupSummary, new: GroupSummary) {
    try Self.check(name: author)
    return try store.act(.global) { database, now in
      let reader = StoredReader(contents: store.contents)
      let group = try CrashStore.Groups.groupRow(named: name, in: database)
      var share = GroupActions.Share()
      for start in keys {
        share.keys.append(try Self.key(start, of: group, name, in: database))
      }
      share.words =
        (share.keys.count == 1 ? "key " : "keys ")
        + share.keys.map { String($0.prefix(12)) }.joined(separator: ", ")
      for key in share.keys {
        let rows = try database.prepare(
          """
          SELECT reports.id, reports.name FROM reports JOIN origins ON origins.id = reports.origin
          WHERE reports.grp = ?1 AND key = ?2 AND rule IS NULL ORDER BY reports.id
          """, [group, key])
        while try rows.step() {
          try share.reports.append(rows.id("id"))
          if share.example == nil { share.example = try rows.text("name") }
        }
      }
      share.ownKeys = share.keys
      share.keys += try Self.readings(of: share, group, reader, in: database)
      return try Self.split(
        group, share, GroupActions(author: author, now: now, reader: reader), in: database)
    }
  }

  /// Splits a group by a rule: reports that match it, including new ones, are in a group of their
  /// own from then on. Relative times in it count from now.
  ///
  /// - Returns: The group and the new one.
  /// - Throws: ``StoreError/notFound(_:)``, ``ActionError``; `QueryError` for a wrong query;
  ///   `DatabaseError`.
  @discardableResult
  public func split(
    _ name: String, where text: String, by author: String
  ) throws -> (group: GroupSummary, new: GroupSummary) {
    try Self.check(name: author)
    let query = try Query(text, now: CrashStore.now)
    guard !query.conditions.isEmpty else { throw ActionError.emptyRule }
    if let condition = query.conditions.first(where: { $0.level == .group }) {
      throw ActionError.ruleOfGroup(condition.text)
    }
    let reader = StoredReader(contents: store.contents)
    // Reading the documents takes time, during which others can continue.
    let rows = try store.read { database in
      let group = try CrashStore.Groups.groupRow(named: name, in: database)
      return try StoredReader.storedRows(inGroup: group, of: database)
    }
    func isMatch(_ row: StoredReader.StoredRow) throws -> Bool {
      try reader.values(of: row).map(query.matches) ?? false
    }
    var known: [RowID<Tables.Reports>: (document: [UInt8], isMatch: Bool)] = [:]
    for row in rows { known[row.row] = (row.document, try isMatch(row)) }
    return try store.act(.global) { database, now in
      let group = try CrashStore.Groups.groupRow(named: name, in: database)
      var share = GroupActions.Share()
      share.rule = query.text
      share.words = query.text
      // Reports that were added or reprocessed meanwhile are checked now.
      for row in try StoredReader.storedRows(inGroup: group, of: database) {
        let old = known[row.row].flatMap { $0.document == row.document ? $0.isMatch : nil }
        if try old ?? isMatch(row) { share.reports.append(row.row) }
      }
      return try Self.split(
        group, share, GroupActions(author: author, now: now, reader: reader), in: database)
    }
  }

  private static func split(
    _ group: RowID<Tables.Groups>, _ share: GroupActions.Share, _ actions: borrowing GroupActions,
    in database: borrowing Connection
  ) throws -> (group: GroupSummary, new: GroupSummary) {
    let new = try actions.split(group, share, in: database)
    return (
      try CrashStore.Groups.summary(of: group, in: database),
      try CrashStore.Groups.summary(of: new, in: database)
    )
  }

  /// The key of a group with the prefix `start`.
  private static func key(
    _ start: String, of group: RowID<Tables.Groups>, _ name: String,
    in database: borrowing Connection
  ) throws -> String {
    let start = start.lowercased()
    let rows = try database.prepare(
      """
      SELECT key FROM group_keys WHERE grp = ?1 AND substr(key, 1, length(?2)) = ?2
      ORDER BY length(key), key LIMIT 2
      """, [group, start])
    var found: [String] = []
    while try rows.step() { try found.append(rows.text("key")) }
    guard let first = found.first, !start.isEmpty else {
      throw ActionError.noSuchKey(start, in: name)
    }
    guard found.count == 1 || first == start else {
      throw ActionError.ambiguousKey(start, in: name)
    }
    return first
  }

  /// The keys that reports of a share could have in alternative readings and that no report has
  /// yet: they move with the share.
  private static func readings(
    of share: GroupActions.Share, _ group: RowID<Tables.Groups>, _ reader: StoredReader,
    in database: borrowing Connection
  ) throws -> [String] {
    var keys: [String] = []
    // Reports with one key mostly have the same readings.
    for row in share.reports.suffix(100) {
      guard let storedRow = try StoredReader.storedRow(row, in: database),
        let report = try reader.row(of: storedRow)
      else { continue }
      for key in report.signature.alternativeKeys
      where !keys.contains(key) && !share.keys.contains(key) {
        let isFree =
          try database.integer(
            "SELECT 1 FROM group_keys WHERE grp = ?1 AND key = ?2 AND is_main = 0", group, key)
          != nil
        if isFree { keys.append(key) }
      }
    }
    return keys
  }
}
