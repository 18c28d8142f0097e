internal import APIDocuments
internal import CrashStore
package import HTTP
internal import Pipeline
package import ServerCore
internal import ServerStore

/// `POST /minidump`: a form with a minidump, annotations and attachments.
///
/// Clients need exactly 200, a text and its length: Crashpad's own client on Linux looks for the header
/// `Content-Length` in this spelling, speaks HTTP/1.0 with chunks, and keeps the text as the report's id. A
/// report that is answered 4xx is not sent again.
package struct BreakpadEndpoint {
  /// The format of the response's text.
  package enum Answer: Sendable {
    case id
    /// `CrashID=bp-ID`, as Mozilla's clients need it.
    case socorro
  }

  package let context: ServerContext
  package let answer: Answer

  package init(context: ServerContext, answer: Answer) {
    self.context = context
    self.answer = answer
  }

  /// The maximum number of bytes of a decompressed body.
  private static let inflated = 100 << 20

  /// The authorization of other reports; the app's key may also be in the address, because these clients can
  /// send it nowhere else.
  package var authorization: Route.Authorization {
    { [context] head in try IntakeEndpoint(context: context).authorization(Self.keyed(head)) }
  }

  /// Returns the request's head with the key from the address.
  private static func keyed(_ head: RequestHead) -> RequestHead {
    guard head.headers["X-App-Key"] == nil, let key = head.query["key"], !key.isEmpty else {
      return head
    }
    var head = head
    head.headers["X-App-Key"] = key
    return head
  }

  /// Stores the request; it is on disk when this returns.
  package func submit(_ request: Request) throws -> Response {
    let intake = IntakeEndpoint(context: context)
    let caller = try context.access.caller(of: Self.keyed(request.head), .ingest).get()
    let asked = try request.query["app"].map { try AppName.checked($0) }
    if let own = caller.app, let asked, asked != own {
      return .problem(.forbidden, "the key is for \(own), not for \(asked)", code: .otherApp)
    }
    let app = caller.app ?? asked
    if let app, let refusal = try context.refusal(ofApp: app) { return refusal }
    let upload: DumpUpload
    do throws(DumpUpload.Refused) {
      upload = try DumpUpload(
        request.bytes, contentType: request.headers["Content-Type"] ?? "",
        codings: request.head.contentCodings, limit: Self.inflated)
    } catch {
      return .problem(.badRequest, error.reason, code: .invalidBody)
    }
    var facts = intake.facts(of: request.head, from: caller)
    facts[IntakeFact.name] = "minidump"
    facts[IntakeFact.app] = app
    let id = try intake.keep(
      try upload.archive(in: context.scratch), facts)
    let text =
      switch answer {
      case .id: id
      case .socorro: "CrashID=bp-\(id)\n"
      }
    return .text(text)
  }
}
