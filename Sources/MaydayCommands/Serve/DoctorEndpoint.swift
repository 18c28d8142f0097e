import CrashStore
import HTTP
import Hashing

/// `DELETE /api/v1/doctor`: takes away what `mayday doctor --server` left.
struct DoctorEndpoint {
  let service: Service

  func clear() throws -> Response {
    try service.store.clear(app: TrialCrash.app)
    do {
      try service.store.removeDebugFiles([SHA256.hex(of: TrialCrash.symbols)])
    } catch StoreError.notFound {
      // It came no further.
    }
    return .empty()
  }
}
