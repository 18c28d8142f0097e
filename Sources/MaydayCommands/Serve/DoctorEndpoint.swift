import CrashModel
import CrashStore
import HTTP
import Hashing
import ServerStore

/// `DELETE /api/v1/doctor`: takes away what `mayday doctor --server` left.
struct DoctorEndpoint {
  let context: ServerContext

  func clear(_ request: Request) throws -> Response {
    try context.store.clear(app: SelfTestCrash.app)
    do {
      try context.store.removeDebugFiles([SHA256.hex(of: SelfTestCrash.symbols)])
    } catch StoreError.notFound {
      // It came no further.
    }
    let caller = try context.access.caller(of: request.head, .admin).get()
    try context.audit.note(
      .init(
        time: .now, token: caller.id, label: caller.label, action: "clear trial",
        subject: SelfTestCrash.app, peer: request.peer))
    return .empty()
  }
}
