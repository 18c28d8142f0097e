package import CrashStore
package import Query
internal import TriageModel

/// Statistics of where and since when groups are more frequent than chance allows.
package protocol FrequencyService {
  /// Returns the builds since which groups of an app are more frequent.
  func regressions(of app: String, _ query: RegressionQuery) throws -> AppRegressions

  /// Returns properties that a group's reports share and others of its app don't.
  ///
  /// - Parameters:
  ///   - query: The reports of the app to compare.
  ///   - fields: The fields to compare. Default: those that describe where a report comes from.
  func correlations(
    ofGroup id: String, among query: Query, by fields: [QueryField]
  ) throws -> Correlations
}

extension LocalService {
  package func regressions(of app: String, _ query: RegressionQuery) throws -> AppRegressions {
    try store.releases.regressions(of: app, query)
  }

  package func correlations(
    ofGroup id: String, among query: Query, by fields: [QueryField]
  ) throws -> Correlations {
    guard !withholding.isNothing else {
      return try store.search.correlations(ofGroup: id, among: query, by: fields)
    }
    try withholding.check(query, by: fields, of: store.groups.get(id).app)
    return withholding.applied(
      to: try store.search.correlations(ofGroup: id, among: query, by: fields))
  }
}

extension ScopedService {
  package func regressions(of app: String, _ query: RegressionQuery) throws -> AppRegressions {
    if let group = query.group { try check(group: group) }
    return try whole.regressions(of: try checked(app: app), query)
  }

  package func correlations(
    ofGroup id: String, among query: Query, by fields: [QueryField]
  ) throws -> Correlations {
    try check(group: id)
    return try whole.correlations(ofGroup: id, among: query, by: fields)
  }
}
