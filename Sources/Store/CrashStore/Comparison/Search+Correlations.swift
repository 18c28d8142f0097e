internal import Database
public import Query

extension CrashStore.Search {
  /// Returns the values that a group's reports have in common, unlike other reports of its app.
  ///
  /// - Parameters:
  ///   - name: `TERN-12`, in either letter case.
  ///   - query: Selects the reports of the app that are compared at all.
  ///   - fields: The fields to compare; empty for those that describe the origin of a report.
  /// - Throws: ``StoreError/notFound(_:)``, ``StoreError/uncountable(field:)``; `DatabaseError`.
  /// - Complexity: O(*n*) in the columns of these fields in the index of reports.
  public func correlations(
    ofGroup name: String, among query: Query, by fields: [QueryField] = []
  ) throws -> Correlations {
    let compared = try fields.flatMap { field in
      let found = ComparedField.fields(of: field)
      guard !found.isEmpty else { throw StoreError.uncountable(field: field.name) }
      return found
    }
    return try store.read { database in
      let group = try CrashStore.Groups.groupRow(named: name, in: database)
      let rows = try database.prepare(
        """
        SELECT app, title, apps.name AS app_name FROM groups JOIN apps ON apps.id = groups.app
        WHERE groups.id = ?1
        """, [group])
      guard try rows.step() else { throw StoreError.damaged("there is no group in row \(group)") }
      var result = try Correlations(
        group: GroupsTable.name(of: group, in: database), app: rows.text("app_name"),
        title: rows.text("title"))
      let conditions =
        try [CompiledCondition.reports(of: rows.id("app"), in: database)]
        + SearchCompiler().compile(query, in: database)
      var comparison = try GroupComparison(
        of: group, compared.isEmpty ? ComparedField.usual : compared, among: conditions,
        in: database)
      (result.tested, result.items) = try comparison.run(in: database)
      (result.cases, result.otherCases) = (comparison.all.own, comparison.all.other)
      return result
    }
  }
}
