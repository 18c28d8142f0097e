internal import Documents
internal import APIDocuments
package import HTTP

/// One method of one address of the API: everything that the server, the description of the API, its pages
/// and its tests know of it.
package struct APIRoute: Sendable {
  package typealias Handler = @Sendable (Request, ServerContext) throws -> Response

  /// What each request takes of the share of its client and of the server's room.
  package enum Rate: Sendable {
    case none
    /// A place in the queue; counted for the client, and for the app of a key.
    case submission
    /// Room on the disk for the announced length.
    case upload
  }

  package let method: String
  /// `/api/v1/groups/:id`
  package let pattern: String
  /// What programs call it.
  package let name: String
  package let summary: String
  package let tag: String
  package let access: RouteAccess
  package let rate: Rate
  package let query: [Parameter]
  package let input: Input?
  package let responses: [Answer]
  /// Statuses of problems beside those that follow from the rest.
  package let refusals: [Status]
  /// Answered on the network thread, even when all workers are busy.
  package let isQuick: Bool
  /// Answers as `GET` does for what the route changes, so that `If-Match` can be compared; `nil` where that has
  /// no entity tag.
  package let resource: Handler?
  package let handler: Handler

  package init(
    _ method: String, _ pattern: String, _ name: String, _ summary: String, tag: String,
    access: RouteAccess, rate: Rate = .none, query: [Parameter] = [], input: Input? = nil,
    returns responses: Answer..., refusals: [Status] = [], isQuick: Bool = false,
    changes resource: Handler? = nil, handler: @escaping Handler
  ) {
    precondition(!isQuick || access == .anyone, "\(pattern): network threads read no database")
    self.method = method
    self.pattern = pattern
    self.name = name
    self.summary = summary
    self.tag = tag
    self.access = access
    self.rate = rate
    self.query = query
    self.input = input
    self.responses = responses
    self.refusals = refusals
    self.isQuick = isQuick
    self.resource = resource
    self.handler = handler
  }

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

  /// The names in its pattern.
  package var pathParameters: [String] {
    pattern.split(separator: "/").filter { $0.hasPrefix(":") }.map { String($0.dropFirst()) }
  }

  /// Whether the answer comes with an entity tag.
  package var hasTag: Bool { method == "GET" && pattern.hasPrefix("/api/v1/") }
}
