package import APIDocuments
internal import Documents
package import HTTP
package import ServerCore

/// One method of one address of the API, with everything that the server, the API's description, its pages
/// and its tests need.
package struct APIRoute: Sendable {
  package typealias Handler = @Sendable (Request, ServerContext) throws -> Response

  /// The rate limit or quota to which a request is charged.
  package enum Rate: Sendable {
    case none
    /// A slot in the queue; charged to the client, and to the app of a key.
    case submission
    /// Disk space for the announced length.
    case upload
  }

  /// Method, path, query and body, as clients know them.
  package let call: APICall
  package let summary: String
  package let tag: String
  package let access: RouteAccess
  package let rate: Rate
  package let input: Input?
  package let responses: [Answer]
  /// Statuses of problems, besides those implied by the rest.
  package let refusals: [Status]
  /// Whether it is answered on the network thread, even when all workers are busy.
  package let isQuick: Bool
  /// Returns the response of `GET` for the resource that the route changes, for comparison with `If-Match`;
  /// `nil` if it has no entity tag.
  package let resource: Handler?
  package let handler: Handler

  package init(
    _ call: APICall, _ summary: String, tag: String, access: RouteAccess, rate: Rate = .none,
    input: Input? = nil, returns responses: Answer..., refusals: [Status] = [],
    isQuick: Bool = false,
    changes resource: Handler? = nil, handler: @escaping Handler
  ) {
    precondition(!isQuick || access == .anyone, "\(call.pattern): network threads read no database")
    self.call = call
    self.summary = summary
    self.tag = tag
    self.access = access
    self.rate = rate
    self.input = input ?? call.members.map { .json($0) }
    self.responses = responses
    self.refusals = refusals
    self.isQuick = isQuick
    self.resource = resource
    self.handler = handler
  }

  package var method: String { call.method }
  /// `/api/v1/groups/:id`
  package var pattern: String { call.pattern }
  /// The name used by programs (`operationId`).
  package var name: String { call.name }
  package var query: [APIParameter] { call.query }

  /// Every status with which a request may be refused.
  package var problems: [Status] {
    // The head of any request may be too long or malformed; all workers may be busy.
    var statuses: Set<Status> = [.badRequest, 414, 431, .serviceUnavailable]
    statuses.formUnion(refusals)
    if access != .anyone { statuses.formUnion([.unauthorized, .forbidden]) }
    if rate == .submission { statuses.insert(.tooManyRequests) }
    if input != nil {
      statuses.formUnion([.contentTooLarge, .unsupportedMediaType, .insufficientStorage])
    }
    if pattern.contains(":") { statuses.insert(.notFound) }
    if resource != nil { statuses.insert(.preconditionFailed) }
    return statuses.subtracting(responses.map(\.status)).sorted { $0.code < $1.code }
  }

  /// `/api/v1/groups/{id}`
  package var path: String {
    pattern.split(separator: "/").map { part in
      "/" + (part.hasPrefix(":") ? "{\(part.dropFirst())}" : part)
    }.joined()
  }

  /// Whether the response has an entity tag.
  package var hasTag: Bool { method == "GET" && pattern.hasPrefix("/api/v1/") }
}
