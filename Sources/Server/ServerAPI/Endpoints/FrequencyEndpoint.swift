internal import APIDocuments
internal import CrashService
internal import CrashStore
internal import Documents
package import HTTP
internal import Identifiers
internal import Query
internal import Rendering
package import ServerCore

/// Where and since when groups are more frequent.
package struct FrequencyEndpoint {
  package let context: ServerContext

  /// `GET /api/v1/apps/:name/regressions`
  package func regressions(_ request: Request) throws -> Response {
    try .refusing {
      var query = RegressionQuery()
      query.since = request.query["since"].flatMap { Timestamp(day: $0) }
      if let name = request.query["release"] {
        let release = Release(name)
        guard !release.isEmpty else {
          throw HTTPError.refused(
            .badRequest, "release must be a version such as 1.5.0", code: .invalidParameter,
            parameter: "release")
        }
        query.release = release
      }
      query.group = request.query["group"]
      query.confidence =
        request.query["confidence"].flatMap { Double($0) } ?? query.confidence
      query.limit = request.query["limit"].flatMap { Int($0) } ?? query.limit
      let result = try context.service(for: request.head).regressions(
        of: request.parameters["name"] ?? "", query)
      return .document { $0.write(result) }
    }
  }

  /// `GET /api/v1/groups/:id/correlations`
  package func correlations(_ request: Request) throws -> Response {
    try .refusing {
      let names = (request.query["by"] ?? "").split(separator: ",").map(String.init)
      let fields = try names.map { name in
        guard let field = QueryField(named: name) else {
          throw HTTPError.refused(
            .badRequest, "by: no field '\(name)'", code: .invalidParameter, parameter: "by")
        }
        return field
      }
      let result = try context.service(for: request.head).correlations(
        ofGroup: request.parameters["id"] ?? "",
        among: try context.query(of: request), by: fields)
      return .document { $0.write(result) }
    }
  }

  package init(context: ServerContext) {
    self.context = context
  }
}
