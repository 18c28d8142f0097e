internal import APIDocuments
package import CrashStore
internal import Documents
internal import Identifiers
package import Query
internal import Rendering

extension RemoteService {
  package func regressions(of app: String, _ query: RegressionQuery) throws -> AppRegressions {
    try AppRegressions(
      ask(
        .getRegressions, app,
        query: [
          ("since", query.since.map { GroupText.day($0) }), ("release", query.release?.name),
          ("group", query.group), ("confidence", "\(query.confidence)"),
          ("limit", "\(query.limit)"),
        ]))
  }

  package func correlations(
    ofGroup id: String, among query: Query, by fields: [QueryField]
  ) throws -> Correlations {
    let names = fields.map(\.name).joined(separator: ",")
    return try Correlations(
      ask(
        .getCorrelations, id,
        query: [("query", query.text), ("by", names.isEmpty ? nil : names)]))
  }
}
