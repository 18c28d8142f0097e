import Bytes
import CrashModel
import HTTP
import JSON
import Pipeline
import ServerStore
import Synchronization

/// `POST /logs`, which the SDKs of App Center send to.
///
/// An SDK that is answered 4xx deletes every crash that it holds and sends nothing more until the app
/// starts again: whatever is wrong with one request is answered 200, and told to people instead. Only
/// for want of room it is asked to come again.
struct AppCenterEndpoint {
  let service: Service

  /// Milliseconds after which an SDK shall try again.
  private static let retryAfter = 30_000

  /// Whether there is room, before the body is read.
  var gate: Route.Gate {
    { [service] head in
      do throws(IntakeError) {
        try service.queue.admit(Int(clamping: head.contentLength ?? 0))
        return nil
      } catch {
        service.metrics.refusedFull.add(1, ordering: .relaxed)
        return Self.busy(head)
      }
    }
  }

  /// What the server itself refuses, such as a body that cannot be unpacked: an SDK would send the same
  /// again, or delete all that it has. It is told that all is well, and people are told that it is not.
  var refusing: Route.Refusing {
    { [service] response, head in
      guard response.status.code < 500 else { return Self.busy(head) }
      service.metrics.unusable.add(1, ordering: .relaxed)
      ServerLog.report(HTTPError.refused(response.status, "logs that cannot be read"), head.id)
      return Self.answer(.ok, "Success", head)
    }
  }

  func submit(_ request: Request) -> Response {
    var facts = [IntakeFact.secret: request.headers["App-Secret"] ?? ""]
    facts[IntakeFact.install] = request.headers["Install-ID"]
    let body = request.bytes
    if !body.isEmpty {
      do throws(IntakeError) {
        try service.queue.submit(
          IntakeRecord(
            route: IntakeRoute.appCenter, received: .now, facts: facts, body: body))
      } catch {
        service.metrics.refusedFull.add(1, ordering: .relaxed)
        return Self.busy(request.head)
      }
      service.metrics.accepted.add(1, ordering: .relaxed)
      service.metrics.acceptedBytes.add(body.count, ordering: .relaxed)
      service.announceArrival()
    }
    return Self.answer(.ok, "Success", request.head)
  }

  private static func busy(_ head: RequestHead) -> Response {
    var response = answer(.serviceUnavailable, "Unavailable", head)
    response.headers["x-ms-retry-after-ms"] = "\(retryAfter)"
    response.headers["Retry-After"] = "\(retryAfter / 1_000)"
    return response
  }

  /// The four keys that the service answered with; SDKs look at the status alone, but a client that
  /// was made of one wants `Success`.
  private static func answer(
    _ status: Status, _ word: String, _ head: RequestHead
  ) -> Response {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("status", word)
    writer.member("validDiagnosticsIds", [String]())
    writer.member("throttledDiagnosticsIds", [String]())
    writer.member("correlationId", AppCenterCall.uuid(head.id))
    writer.endObject()
    return .json(writer.takeBytes(), status: status)
  }
}
