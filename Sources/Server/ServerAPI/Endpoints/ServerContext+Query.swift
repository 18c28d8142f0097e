internal import CrashService
internal import HTTP
internal import Identifiers
internal import Query
internal import ServerCore
internal import ServerStore

extension ServerContext {
  /// The `query` of a request. `assignee:me` is the name of its token, as the history has it.
  ///
  /// - Throws: `QueryError` with the position; `DatabaseError`.
  func query(of request: Request) throws -> Query {
    let text = request.query["query"] ?? ""
    let query = try Query(text, now: .now)
    guard query.isAboutCaller else { return query }
    let caller = try access.caller(of: request.head, oneOf: [.read, .triage]).get()
    return try Query(text, now: .now, me: caller.label)
  }
}
