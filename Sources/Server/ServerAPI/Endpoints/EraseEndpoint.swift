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
    let input = try ErasureRequest(request)
    let erasure = try Erasure(input.person, in: context.store)
    let result = try erasure.run(in: context.store, context.queue, isDry: input.isDry)
    if !input.isDry {
      let caller = try context.access.caller(of: request.head, .admin).get()
      try context.audit.note(
        .init(
          time: .now, token: caller.id, label: caller.label, action: "erase",
          subject: erasure.mark, peer: request.peer))
    }
    return .document { $0.write(ErasureDocument(result: result, isDry: input.isDry)) }
  }

  package init(context: ServerContext) {
    self.context = context
  }
}
