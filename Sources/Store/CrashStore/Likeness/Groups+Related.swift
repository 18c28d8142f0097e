internal import CrashModel
internal import Database

extension CrashStore.Groups {
  /// Returns the groups of any app and category with a stack similar to one of a group's most frequent ones:
  /// at most ten with a likeness of .30 or more, the most similar first.
  ///
  /// - Parameters:
  ///   - name: `TERN-12`, in either letter case.
  ///   - isOfAllApps: Whether to include groups of other apps.
  ///   - includesDistinct: Whether to include groups that a user declared distinct.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  /// - Complexity: O(*n*) in the group's reports, of which only an index is read; at most 200 stacks are
  ///   compared, independent of the number of groups.
  public func related(
    to name: String, isOfAllApps: Bool = true, includesDistinct: Bool = false
  ) throws -> [RelatedGroup] {
    try store.read { database in
      let group = try Self.groupRow(named: name, in: database)
      let app: RowID<Tables.Apps> = try database.requiredID(
        "SELECT app FROM groups WHERE id = ?1", group)
      let rows = try database.prepare(
        """
        SELECT variant FROM reports WHERE grp = ?1
        GROUP BY variant ORDER BY count(*) DESC, variant LIMIT ?2
        """, [group, RelatedSearch.ownStacks])
      var stacks: [NormalisedStack] = []
      while try rows.step() {
        let stack = try StacksTable.stack(rows.text("variant"), app: app, in: database)
        if let stack { stacks.append(stack) }
      }
      return try RelatedSearch(
        group: group, app: app, isOfAllApps: isOfAllApps, includesDistinct: includesDistinct
      ).run(for: stacks, in: database)
    }
  }

  /// Returns the groups with a stack similar to a report's, except its own group and those that a user
  /// declared distinct from it.
  ///
  /// - Parameter report: Its full id.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  /// - Complexity: At most 200 stacks are compared.
  public func related(
    toReport report: String, isOfAllApps: Bool = true
  ) throws -> [RelatedGroup] {
    try store.read { database in
      let rows = try database.prepare(
        "SELECT app, grp, variant FROM reports WHERE name = ?1", [report])
      guard try rows.step() else { throw StoreError.notFound(report) }
      let app: RowID<Tables.Apps> = try rows.id("app")
      // Where there is no stack, the report's document is damaged.
      guard let stack = try StacksTable.stack(rows.text("variant"), app: app, in: database) else {
        return []
      }
      return try RelatedSearch(
        group: rows.id("grp"), app: app, isOfAllApps: isOfAllApps, includesDistinct: false
      ).run(for: [stack], in: database)
    }
  }
}
