internal import APIDocuments
internal import CrashService
internal import Documents
package import HTTP
internal import JSON
package import ServerCore
internal import ServerStore

/// `POST /api/v1/erase`: `{"user"}` or `{"install"}`, and `"dry_run"`, as `mayday erase`.
package struct EraseEndpoint {
  package let context: ServerContext

  package func erase(_ request: Request) throws -> Response {
    let input = try InputDocument(request)
    let (user, install) = (try input.text("user"), try input.text("install"))
    guard (user == nil) != (install == nil), (user ?? install)?.isEmpty == false else {
      return .problem(
        .badRequest, "a JSON object with user or install is required", code: .invalidDocument)
    }
    let isDry = try input.flag("dry_run") ?? false
    let erasure = try Erasure(user: user, install: install, in: context.store)
    let result = try erasure.run(in: context.store, context.queue, isDry: isDry)
    if !isDry {
      let caller = try context.access.caller(of: request.head, .admin).get()
      try context.audit.note(
        .init(
          time: .now, token: caller.id, label: caller.label, action: "erase",
          subject: erasure.mark, peer: request.peer))
    }
    return .document { $0.write(ErasureDocument(result: result, isDry: isDry)) }
  }

  package init(context: ServerContext) {
    self.context = context
  }
}
