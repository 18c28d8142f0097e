internal import CrashService
internal import CrashStore
internal import Crypto
package import HTTP
package import ServerCore
internal import ServerStore

/// `DELETE /api/v1/doctor`: deletes what `mayday doctor --server` left behind.
package struct DoctorEndpoint {
  package let context: ServerContext

  package func clear(_ request: Request) throws -> Response {
    try context.store.apps.clear(app: SelfTestCrash.app)
    do {
      try context.store.debugFiles.remove([SHA256.hex(of: SelfTestCrash.symbols)])
    } catch StoreError.notFound {
      // The check did not get further.
    }
    let caller = try context.access.caller(of: request.head, .admin).get()
    try context.audit.note(
      .init(
        time: .now, token: caller.id, label: caller.label, action: "clear trial",
        subject: SelfTestCrash.app, peer: request.peer))
    return .empty()
  }

  package init(context: ServerContext) {
    self.context = context
  }
}
