internal import CrashModel
internal import Database

extension CrashStore.Groups {
  /// The groups that have a stack like one of a group's most frequent ones, of any app and category: at most
  /// ten whose likeness is .30 or more, the most alike first.
  ///
  /// - Parameters:
  ///   - name: `TERN-12`, in either letter case.
  ///   - isOfAllApps: Whether groups of other apps count.
  ///   - includesDistinct: Whether groups count of which somebody said that they are not the same.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  /// - Complexity: O(*n*) in the group's reports, of which only an index is read; at most 200 stacks are
  ///   compared, however many groups there are.
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

  /// The groups that have a stack like a report's, besides the one that it is in and those of which somebody
  /// said that they are not the same as that.
  ///
  /// - Parameter report: The whole id.
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
      // The report's document is damaged where there is no stack.
      guard let stack = try StacksTable.stack(rows.text("variant"), app: app, in: database) else {
        return []
      }
      return try RelatedSearch(
        group: rows.id("grp"), app: app, isOfAllApps: isOfAllApps, includesDistinct: false
      ).run(for: [stack], in: database)
    }
  }
}
