import CrashModel
import CrashStore
import HTTP
import Hashing
import ServerStore

/// `DELETE /api/v1/doctor`: takes away what `mayday doctor --server` left.
struct DoctorEndpoint {
  let service: Service

  func clear(_ request: Request) throws -> Response {
    try service.store.clear(app: TrialCrash.app)
    do {
      try service.store.removeDebugFiles([SHA256.hex(of: TrialCrash.symbols)])
    } catch StoreError.notFound {
      // It came no further.
    }
    let caller = try service.access.caller(of: request.head, .admin).get()
    try service.audit.note(
      .init(
        time: .now, token: caller.id, label: caller.label, action: "clear trial",
        subject: TrialCrash.app, peer: request.peer))
    return .empty()
  }
}
