internal import APIDocuments
internal import Bytes
internal import CrashModel
internal import CrashService
internal import CrashStore
internal import Documents
package import HTTP
internal import Identifiers
internal import JSON
internal import ModelContext
package import ServerCore
internal import ServerStore

/// `POST /mcp`: messages of the Model Context Protocol over streamable HTTP, each answered at once.
///
/// There are no sessions and no streams, so that `GET` and `DELETE` are not allowed.
///
/// Source: modelcontextprotocol.io, specification 2025-11-25, "Transports".
package struct ModelContextEndpoint {
  package let context: ServerContext

  package init(context: ServerContext) { self.context = context }

  /// A request or a notification.
  static let message = APISchema.object([
    .always("jsonrpc", .choice(["2.0"])),
    .maybe(
      "id", .either([.text(), .integer(RPCMessage.numbers)]), "Absent for notifications."),
    .always("method", .text(), "Such as tools/list."), .maybe("params", .object([])),
  ])

  static let response = APISchema.object([
    .always("jsonrpc", .choice(["2.0"])),
    .always("id", .either([.text(), .integer(RPCMessage.numbers)])),
    .maybe("result", .object([]), "Unless there is an error."),
    .maybe(
      "error", .object([.always("code", .integer()), .always("message", .text())]),
      "Of the protocol; errors of tools are results."),
  ])

  package func answer(_ request: Request) throws -> Response {
    // A page of another site must not reach a server through the browser of a user who can.
    guard request.headers["Origin"] == nil else {
      return .problem(.forbidden, "pages in browsers cannot use this address")
    }
    if let version = request.headers["MCP-Protocol-Version"],
      !ModelContextServer.versions.contains(version)
    {
      let known = ModelContextServer.versions.joined(separator: ", ")
      return .problem(.badRequest, "MCP-Protocol-Version must be one of \(known)")
    }
    try request.requireJSON()
    let message: RPCMessage
    do throws(RPCError) {
      message = try RPCMessage(request.bytes)
    } catch {
      return .problem(.badRequest, error.message, code: .invalidBody)
    }
    if case .response = message {
      return .problem(.badRequest, "the server asked nothing", code: .invalidBody)
    }
    guard let answer = ModelContextServer(try host(for: request)).answer(to: message) else {
      return .empty(.accepted)
    }
    return .json(answer)
  }

  /// The service and the tools that the token of a request allows.
  private func host(for request: Request) throws -> ToolHost {
    let scopes = try RouteAccess.tools.scopes.filter { scope in
      guard case .success = try context.access.caller(of: request.head, scope) else { return false }
      return true
    }
    let service = try context.service(for: request.head)
    // As for the facts of debug files: it is unknown which app one belongs to.
    let isOfAllApps = try context.access.app(of: request.head) == nil
    var lookUp: ToolHost.LookUp?
    if isOfAllApps { lookUp = { try self.lookUp($0, $1, $2) } }
    return ToolHost(
      service: service, scopes: Set(scopes), lookUp: lookUp, address: request.head.origin
    ) {
      (decision: GroupDecision, ids: [String]) throws -> DecidedGroups in
      let caller = try context.access.caller(of: request.head, .triage).get()
      let decided = try service.decide(decision, about: ids, by: caller.label)
      for id in ids {
        try context.audit.note(
          AuditLog.Entry(
            time: .now, token: caller.id, label: caller.label, action: decision.action.rawValue,
            subject: id, peer: request.peer))
      }
      return decided
    }
  }

  /// Looks offsets up in a separate process: reading a debug file may take memory and time.
  private func lookUp(
    _ offsets: [ImageOffset], _ id: String, _ architecture: String?
  ) throws -> JSONValue {
    // Only known ids are read, and anything that isn't an id never becomes an argument.
    guard StoredDebugFiles.isID(id) else { throw StoreError.notFound(id) }
    let image = try StoredLookUp.image(of: id, architecture: architecture, in: context.store)
    do {
      let text = try DebugFileReader(context: context).output(
        of: ServerChildren.symbolLookUp, id, offsets.map(\.description),
        architecture: image.architecture?.description)
      return try JSONDocument.parse(ByteView(text)).value
    } catch let refusal as DebugFileReader.Refusal {
      throw ServiceError(refusal.text, .unreachable)
    }
  }
}
