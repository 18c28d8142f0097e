internal import APIDocuments
internal import Bytes
internal import CrashService
internal import CrashStore
internal import Documents
package import HTTP
internal import JSON
package import ServerCore
internal import ServerStore

/// `POST /api/v1/sessions`: sessions that any client reports, for crash-free rates.
package struct SessionsEndpoint {
  package let context: ServerContext

  /// Stores the sessions; they are on disk when this returns.
  package func submit(_ request: Request) throws -> Response {
    let caller = try context.access.caller(of: request.head, .ingest).get()
    let asked = try request.query["app"].map { try AppName.checked($0) }
    if let own = caller.app, let asked, asked != own {
      return .problem(.forbidden, "the key is for \(own), not for \(asked)", code: .otherApp)
    }
    guard let app = caller.app ?? asked else {
      return .problem(
        .badRequest, "app is missing: sessions do not name it", code: .invalidParameter,
        parameter: "app")
    }
    if let refusal = try context.refusal(ofApp: app) { return refusal }
    try request.requireJSON()
    guard let parse = try? JSONDocument.parse(request.bytes), parse.cut == nil else {
      throw SessionInput.refusal("the body is not JSON")
    }
    var batch = SessionBatch(app: app, received: .now)
    try SessionInput.read(parse.value, into: &batch)
    let receipt = try context.store.sessions.add(batch)
    return .document { writer in
      writer.beginObject()
      writer.member("status", "stored")
      writer.member("new", receipt.new)
      writer.member("changed", receipt.changed)
      writer.member("known", receipt.known)
      writer.endObject()
    }
  }

  package init(context: ServerContext) {
    self.context = context
  }
}
