internal import CrashModel
internal import Database
internal import Likeness

extension CrashStore.Groups {
  /// Maximum number of listed variants of a group.
  public static let mostVariants = 50

  /// Returns the different stacks of a group's stored reports, and those that may be another bug: clusters of
  /// stacks with a likeness below .45 to the others, by ``StackClusters``. No such clusters are returned for
  /// a group into which a user merged others, since the user knew better.
  ///
  /// - Parameter name: `TERN-12`, in either letter case.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  /// - Complexity: O(*n*) in the group's reports, of which only an index is read.
  public func variants(ofGroup name: String, limit: Int = mostVariants) throws -> GroupVariants {
    try store.read { database in
      let group = try Self.groupRow(named: name, in: database)
      let app: RowID<Tables.Apps> = try database.requiredID(
        "SELECT app FROM groups WHERE id = ?1", group)
      let rows = try database.prepare(
        """
        SELECT variant, count(*) AS reports, max(id) AS newest FROM reports WHERE grp = ?1
        GROUP BY variant ORDER BY count(*) DESC, variant
        """, [group])
      var found = GroupVariants(
        group: try GroupsTable.name(of: group, in: database), count: 0, variants: [])
      while try rows.step() {
        found.count += 1
        guard found.variants.count < limit else { continue }
        let id = try rows.text("variant")
        let newest: RowID<Tables.Reports> = try rows.id("newest")
        let stack = try StacksTable.stack(id, app: app, in: database)
        try found.variants.append(
          GroupVariant(
            id: stack == nil ? "" : id, reports: rows.count("reports"),
            example: database.requiredText("SELECT name FROM reports WHERE id = ?1", newest),
            stack: stack ?? NormalisedStack(calls: [])))
      }
      let merged = try database.integer(
        "SELECT 1 FROM groups WHERE redirect = ?1 AND joined IN (?2, ?3) LIMIT 1", group,
        GroupJoin.byHand, GroupJoin.both)
      if merged == nil { found.splits = Self.splits(of: found) }
      return found
    }
  }

  private static func splits(of group: GroupVariants) -> [ProposedSplit] {
    let known = group.variants.filter { !$0.id.isEmpty }.map {
      (id: $0.id, features: StackFeatures($0.stack), reports: $0.reports)
    }
    // Stacks without frames resemble no other.
    let stacks = known.filter { $0.features.frames > 0 }.prefix(StackClusters.limit)
    return StackClusters.minor(of: stacks.map { ($0.features, $0.reports) }).map { cluster in
      ProposedSplit(
        group: group.group, variants: cluster.stacks.map { stacks[$0].id },
        reports: cluster.reports, compared: stacks.reduce(0) { $0 + $1.reports },
        millionths: cluster.likeness.millionths)
    }
  }
}
