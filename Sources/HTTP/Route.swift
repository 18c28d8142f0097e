/// A method and a pattern with what answers them.
public struct Route: Sendable {
  public typealias Handler = @Sendable (Request) throws -> Response
  /// Asked before the body is read; a response is a refusal.
  public typealias Gate = @Sendable (RequestHead) throws -> Response?
  /// Says what the server itself refuses, or what a handler fails with, in the words of the route's
  /// clients: they may not know problem documents, or do harm on a status.
  public typealias Refusing = @Sendable (Response, RequestHead) -> Response

  public let method: String
  /// As it was written: `/api/:project/files/*path`.
  public let pattern: String
  public let body: Body
  /// How long the request may take to arrive, and its response to be taken.
  public let deadline: Duration
  /// Whether it is answered on the network thread, even when all workers are busy: for handlers
  /// that never wait.
  public let isQuick: Bool
  let middleware: [any Middleware]
  let gate: Gate?
  let refusing: Refusing?
  let handler: Handler

  /// The refusal of a middleware or of the gate, in their order.
  func refusal(of head: RequestHead) throws -> Response? {
    for layer in middleware {
      if let response = try layer.admit(head) { return response }
    }
    return try gate?(head)
  }

  /// The handler's answer through all layers, the first outermost.
  func respond(to request: Request) throws -> Response {
    var next: (Request) throws -> Response = handler
    for layer in middleware.reversed() {
      let inner = next
      next = { try layer.respond(to: $0, next: inner) }
    }
    return try next(request)
  }
}
