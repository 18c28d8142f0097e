internal import Bytes
internal import CrashService
internal import CrashStore
package import HTTP
internal import JSON
internal import Pipeline
package import ServerCore
internal import ServerStore
internal import Synchronization

/// `POST /logs`, to which the SDKs of App Center send.
///
/// After a 4xx response an SDK deletes all of its crashes and sends nothing more until the app restarts: any
/// problem with a request is answered 200, and shown to the operator instead. Only when the disk is full is
/// the SDK asked to try again.
package struct AppCenterEndpoint {
  package let context: ServerContext

  /// Milliseconds after which an SDK should try again; Android does not count the attempts.
  private static let retryAfter = (busy: 30_000, unknown: 3_600_000, tooLarge: 86_400_000)
  /// The maximum number of bytes kept of a header: SDKs send at most forty.
  private static let factLimit = 1_024

  /// Whether the app is accepted and there is room, before the body is read.
  package var authorization: Route.Authorization {
    { [context] head in
      // The address first, which is in memory: a flood costs no other lookup.
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

  /// The rate limit's name for the app of a secret.
  private static func share(of secret: String) -> String { "secret \(secret)" }

  private func tooMany(_ head: RequestHead, _ seconds: Int) -> Response {
    context.metrics.refusedRate.add(1, ordering: .relaxed)
    return Self.busy(head, retryAfter: seconds * 1_000)
  }

  /// More than any SDK can hold, whatever its app allows: the sender is not an SDK.
  private static let impossibleLength: UInt64 = 1 << 31

  /// The server's own refusals. Nothing of the request is kept, so the response must not suggest success; nor
  /// may the SDK delete its data.
  package var refusing: Route.Refusing {
    { [context] response, head in
      // SDKs retry after this status by themselves.
      if response.status == .requestTimeout { return response }
      guard response.status == .contentTooLarge else { return Self.busy(head) }
      context.metrics.refusedLarge.add(1, ordering: .relaxed)
      if let length = head.contentLength, length >= Self.impossibleLength { return response }
      return Self.busy(head, retryAfter: Self.retryAfter.tooLarge)
    }
  }

  /// Stores the request unchanged, however broken; it is on disk when this returns. It is parsed only after
  /// the SDK has its answer.
  package func submit(_ request: Request) -> Response {
    var facts = [IntakeFact.secret: fact(request.headers["App-Secret"]) ?? ""]
    facts[IntakeFact.install] = fact(request.headers["Install-ID"])
    let secret = AppCenterIntake.canonicalID(facts[IntakeFact.secret] ?? "")
    facts.merge(context.shareFacts(of: request.head, app: Self.share(of: secret))) { $1 }
    let codings = request.head.contentCodings
    if !codings.isEmpty { facts[IntakeFact.coding] = fact(codings.joined(separator: ", ")) }
    let body = request.bytes
    // An empty body is not stored.
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

  /// The four keys of the service's response; SDKs check only the status, but a client modelled on one needs
  /// `Success`.
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
