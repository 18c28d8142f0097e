package import WebServer
internal import CrashService
internal import Bytes
internal import CrashModel
internal import CrashStore
package import HTTP
internal import JSON
internal import Pipeline
internal import ServerStore
internal import Synchronization

/// `POST /logs`, which the SDKs of App Center send to.
///
/// An SDK that is answered 4xx deletes every crash that it holds and sends nothing more until the app
/// starts again: whatever is wrong with one request is answered 200, and told to people instead. Only
/// for want of room it is asked to come again.
package struct AppCenterEndpoint {
  package let context: ServerContext

  /// Milliseconds after which an SDK shall try again; no try is counted on Android.
  private static let retryAfter = (busy: 30_000, unknown: 3_600_000, tooLarge: 86_400_000)
  /// Bytes of a header that are kept: none of an SDK has more than forty.
  private static let factLimit = 1_024

  /// Whether the app is wanted and there is room, before the body is read.
  package var authorization: Route.Authorization {
    { [context] head in
      // The address first, in memory: nothing else is asked for a flood.
      if let wait = context.wait(for: head, app: nil, isPublic: true) {
        return tooMany(head, wait)
      }
      let secret = AppCenterIntake.canonicalID(fact(head.headers["App-Secret"]) ?? "")
      guard try context.secrets.admits(secret) else {
        context.metrics.refusedUnknown.add(1, ordering: .relaxed)
        return Self.busy(head, retryAfter: Self.retryAfter.unknown)
      }
      if let wait = context.rates.take(.app(Self.share(of: secret))) { return tooMany(head, wait) }
      do throws(IntakeError) {
        try context.queue.admit(head.contentLength ?? 0, isAnonymous: true)
        return nil
      } catch {
        context.metrics.refusedFull.add(1, ordering: .relaxed)
        StorageFailureResponse.note(error, head.id)
        return Self.busy(head)
      }
    }
  }

  /// The app of a secret as the rate names it.
  private static func share(of secret: String) -> String { "secret \(secret)" }

  private func tooMany(_ head: RequestHead, _ seconds: Int) -> Response {
    context.metrics.refusedRate.add(1, ordering: .relaxed)
    return Self.busy(head, retryAfter: seconds * 1_000)
  }

  /// More than any SDK holds, whatever its app allows it: who announces this is none.
  private static let impossibleLength: UInt64 = 1 << 31

  /// What the server itself refuses. Nothing of it is kept, so that it must not look as if it were;
  /// nor may the SDK delete it.
  package var refusing: Route.Refusing {
    { [context] response, head in
      // SDKs come again after this one by themselves.
      if response.status == .requestTimeout { return response }
      guard response.status == .contentTooLarge else { return Self.busy(head) }
      context.metrics.refusedLarge.add(1, ordering: .relaxed)
      if let length = head.contentLength, length >= Self.impossibleLength { return response }
      return Self.busy(head, retryAfter: Self.retryAfter.tooLarge)
    }
  }

  /// Keeps what was sent as it came, however broken; it is on the disk when this returns. Nobody looks
  /// into it before the SDK has its answer.
  package func submit(_ request: Request) -> Response {
    var facts = [IntakeFact.secret: fact(request.headers["App-Secret"]) ?? ""]
    facts[IntakeFact.install] = fact(request.headers["Install-ID"])
    let secret = AppCenterIntake.canonicalID(facts[IntakeFact.secret] ?? "")
    facts.merge(context.shareFacts(of: request.head, app: Self.share(of: secret))) { $1 }
    let codings = request.head.contentCodings
    if !codings.isEmpty { facts[IntakeFact.coding] = fact(codings.joined(separator: ", ")) }
    let body = request.bytes
    // Of nothing there is nothing to keep.
    if !body.isEmpty {
      do throws(IntakeError) {
        try context.queue.submit(
          IntakeRecord(
            route: IntakeProtocol.appCenter, received: .now, facts: facts, body: body),
          isAnonymous: true)
      } catch {
        context.metrics.refusedFull.add(1, ordering: .relaxed)
        StorageFailureResponse.note(error, request.id)
        return Self.busy(request.head)
      }
      context.metrics.accepted.add(1, ordering: .relaxed)
      context.metrics.acceptedBytes.add(body.count, ordering: .relaxed)
      context.announceArrival()
    }
    return Self.answer(.ok, "Success", request.head)
  }

  private func fact(_ value: String?) -> String? {
    value.map { String(decoding: $0.utf8.prefix(Self.factLimit), as: UTF8.self) }
  }

  private static func busy(
    _ head: RequestHead, retryAfter: Int = retryAfter.busy
  ) -> Response {
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

  package init(context: ServerContext) {
    self.context = context
  }
}
