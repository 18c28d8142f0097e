internal import APIDocuments
internal import CrashService
internal import Documents
package import HTTP
internal import JSON
internal import Pipeline
internal import Rendering
package import ServerCore
internal import ServerStore

/// `/api/v1/intake`: quarantined submissions, as `mayday intake` shows them.
package struct QuarantineEndpoint {
  package let context: ServerContext

  package func list(_ request: Request) throws -> Response {
    let paging = try ListPaging(request)
    let found = try context.queue.quarantined(atMost: paging.limitAndOne, after: paging.number ?? 0)
    let total = try context.queue.counts().quarantined
    return .page(paging.page(from: found, total: total) { $0.id }) { $0.write($1) }
  }

  package func show(_ request: Request) throws -> Response {
    guard let id = id(request), let found = try context.queue.quarantined(id) else {
      return Self.notFound(request)
    }
    return .document { $0.write(found) }
  }

  package func raw(_ request: Request) throws -> Response {
    guard let id = id(request), let body = try context.queue.body(ofQuarantined: id) else {
      return Self.notFound(request)
    }
    return .bytes(
      body, type: "application/octet-stream", headers: ["Content-Disposition": "attachment"])
  }

  /// Retries one submission, or all.
  package func retry(_ request: Request) throws -> Response {
    var ids: [Int]?
    if request.parameters["id"] != nil {
      guard let id = id(request), try context.queue.quarantined(id) != nil else {
        return Self.notFound(request)
      }
      ids = [id]
    }
    let count = try context.queue.retry(ids)
    try note("retry submissions", request)
    context.announceArrival()
    return .document { writer in
      writer.beginObject()
      writer.member("retried", count)
      writer.endObject()
    }
  }

  package func discard(_ request: Request) throws -> Response {
    let shelf = Quarantine(context.queue, in: context.store)
    guard let id = id(request), try shelf.discard(id) else { return Self.notFound(request) }
    try note("discard submission", request)
    return .empty()
  }

  private func id(_ request: Request) -> Int? { request.parameters["id"].flatMap { Int($0) } }

  private static func notFound(_ request: Request) -> Response {
    .problem(
      .notFound,
      "no quarantined submission has the number \(request.parameters["id"] ?? "")")
  }

  private func note(_ action: String, _ request: Request) throws {
    let caller = try context.access.caller(of: request.head, .admin).get()
    try context.audit.note(
      .init(
        time: .now, token: caller.id, label: caller.label, action: action,
        subject: request.parameters["id"] ?? "all", peer: request.peer))
  }

  package init(context: ServerContext) {
    self.context = context
  }
}
