import CrashModel
import CrashStore
import HTTP
import ServerStore
import Synchronization

/// Whether the server can do its work, and what it has done.
struct HealthEndpoint {
  let service: Service

  /// `GET /readyz`: 503 when a submission would be refused.
  func ready() -> Response {
    do throws(IntakeError) {
      try service.queue.admit(0)
      return .text("ready\n")
    } catch {
      return .busy(error.description)
    }
  }

  /// `GET /metrics`: the text format of Prometheus.
  func metrics(_ request: Request) throws -> Response {
    guard try service.access.app(of: request.head) == nil else {
      return .problem(.forbidden, "the token is for one app; this is of all")
    }
    let queue = try service.queue.counts()
    let metrics = service.metrics
    var text = MetricsText()
    text.add(
      "mayday_intake_accepted_total", .counter, "Submissions that were acknowledged.",
      queue.accepted)
    text.add("mayday_intake_done_total", .counter, "Submissions that were filed.", queue.done)
    text.add(
      "mayday_intake_bytes_total", .counter, "Bytes of submissions, since the start.",
      metrics.acceptedBytes.load(ordering: .relaxed))
    text.add(
      "mayday_intake_refused_full_total", .counter, "Refused for want of room, since the start.",
      metrics.refusedFull.load(ordering: .relaxed))
    text.add(
      "mayday_intake_refused_rate_total", .counter, "Refused for their number, since the start.",
      metrics.refusedRate.load(ordering: .relaxed))
    text.add(
      "mayday_intake_unusable_total", .counter,
      "Logs of SDKs that could not be read and were dropped, since the start.",
      metrics.unusable.load(ordering: .relaxed))
    text.add("mayday_queue_waiting", .gauge, "Submissions that wait.", queue.waiting)
    text.add("mayday_queue_waiting_bytes", .gauge, "Their bytes.", queue.waitingBytes)
    text.add("mayday_queue_working", .gauge, "Submissions that are being filed.", queue.working)
    text.add("mayday_queue_set_aside", .gauge, "Submissions that were set aside.", queue.setAside)
    let age = queue.oldest.map { max(0, Timestamp.now.seconds - $0.seconds) } ?? 0
    text.add("mayday_queue_oldest_seconds", .gauge, "Age of the oldest that waits.", Int(age))
    text.add(
      "mayday_symbols_added_total", .counter, "Debug files that were handed in, since the start.",
      metrics.symbolFiles.load(ordering: .relaxed))
    text.add(
      "mayday_redo_waiting", .gauge, "Stored reports to be done again.",
      try service.store.redoCount())
    return .bytes(
      text.bytes, type: "text/plain; version=0.0.4; charset=utf-8")
  }
}
