/// A method and a pattern with what answers them.
public struct Route: Sendable {
  public typealias Handler = @Sendable (Request) throws -> Response
  /// Asked before a large body is read, and before the handler of a small one; a response is a refusal.
  /// It may ask a database: a worker's thread calls it.
  public typealias Authorization = @Sendable (RequestHead) throws -> Response?
  /// Says what the server itself refuses, or what a handler fails with, in the words of the route's
  /// clients: they may not know problem documents, or do harm on a status.
  public typealias Refusing = @Sendable (Response, RequestHead) -> Response
  /// Whether a request is meant for the route, by its headers and query; for all others the route is not
  /// there. It is asked on the network thread, and must not wait.
  public typealias Condition = @Sendable (RequestHead) -> Bool
  /// An answer from memory, on the network thread; `nil` leaves the request to the handler. It must not wait.
  public typealias Quick = @Sendable (RequestHead) -> Response?

  public let method: String
  /// As it was written: `/api/:project/files/*path`.
  public let pattern: String
  public let body: Body
  /// How long the request may take to arrive, and its response to be taken.
  public let deadline: Duration
  /// Whether it is answered on the network thread, even when all workers are busy: for handlers
  /// that never wait.
  public let isQuick: Bool
  /// Whether it takes requests for which nobody vouches: they share a part of what the server has.
  public let isAnonymous: Bool
  let condition: Condition?
  let middleware: [any Middleware]
  let authorization: Authorization?
  let refusing: Refusing?
  let quick: Quick?
  let handler: Handler

  /// A body that is announced to be larger than the route takes is refused before anybody is asked
  /// anything.
  ///
  /// - Throws: ``HTTPError/refused(_:_:)``
  func checkLength(of head: RequestHead) throws(HTTPError) {
    let limit = body.chosen(for: head).limit
    if let length = head.contentLength, length > UInt64(limit) { throw tooLarge(limit) }
  }

  /// Whether somebody is to be asked before the body is read. A small one is read first: then a worker is
  /// needed once only.
  func asksFirst(for head: RequestHead) -> Bool {
    guard authorization != nil || !middleware.isEmpty, head.hasBody else { return false }
    guard let length = head.contentLength, length <= Self.smallLength, head.headers["Expect"] == nil
    else { return true }
    return switch body.chosen(for: head) {
    case .none, .sent: false
    // What its coding is wrong with is told to those who may ask only.
    case .memory: !head.contentCodings.isEmpty
    case .file, .multipart, .form: true
    }
  }

  /// Bytes of a body that are read before anybody is asked.
  private static let smallLength: UInt64 = 64 << 10

  /// The refusal of a middleware or of the authorization, in their order.
  func refusal(of head: RequestHead) throws -> Response? {
    for layer in middleware {
      if let response = try layer.admit(head) { return response }
    }
    return try authorization?(head)
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
