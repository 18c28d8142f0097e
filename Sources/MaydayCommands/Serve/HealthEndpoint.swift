import CrashModel
import CrashStore
import HTTP
import ServerStore

/// Whether the server can do its work, and what it has done.
struct HealthEndpoint {
  let service: Service

  /// `GET /readyz`: 503 when a submission would be refused.
  func ready() -> Response {
    do throws(IntakeError) {
      try service.queue.admit(0)
      return .text("ready\n")
    } catch {
      return .busy(error.answer)
    }
  }

  /// `GET /metrics`: the text format of Prometheus.
  func metrics(_ request: Request) throws -> Response {
    guard try service.access.app(of: request.head) == nil else {
      return .problem(.forbidden, "the token is for one app; this is of all")
    }
    let text = ServerMetricsText(
      queue: try service.queue.figures(), ledger: try service.store.ledgerTotals(),
      redo: try service.store.redoCount(), server: service.metrics, now: .now)
    return .bytes(
      text.bytes, type: "text/plain; version=0.0.4; charset=utf-8")
  }
}
