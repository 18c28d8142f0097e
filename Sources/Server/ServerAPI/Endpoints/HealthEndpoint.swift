internal import CrashService
internal import CrashStore
package import HTTP
package import ServerCore
internal import ServerStore

/// Health and metrics of the server.
package struct HealthEndpoint {
  package let context: ServerContext

  /// `GET /readyz`: 503 if a submission would be refused.
  package func ready() -> Response {
    do throws(IntakeError) {
      try context.queue.admit(0)
      return .text("ready\n")
    } catch {
      return .busy(error.answer, code: StorageFailureResponse.code(of: error))
    }
  }

  /// `GET /metrics`: the text format of Prometheus.
  package func metrics() throws -> Response {
    let text = ServerMetricsText(
      queue: try context.queue.figures(), ledger: try context.store.ledger.totals(),
      reprocessing: try context.store.reports.waitingCount(), server: context.metrics, now: .now)
    return .bytes(
      text.bytes, type: "text/plain; version=0.0.4; charset=utf-8")
  }

  package init(context: ServerContext) {
    self.context = context
  }
}
