/// A method and a pattern with the handler for them.
public struct Route: Sendable {
  public typealias Handler = @Sendable (Request) throws -> Response
  /// A check before a large body is read, and before the handler of a small one; a response is a refusal. It
  /// may query a database: it is called on a worker thread.
  public typealias Authorization = @Sendable (RequestHead) throws -> Response?
  /// Rewrites the server's refusals and the handler's failures into the form that the route's clients expect:
  /// they may not understand problem documents, or react badly to a status.
  public typealias Refusing = @Sendable (Response, RequestHead) -> Response
  /// Whether a request is meant for the route, by its headers and query; for all others the route does not
  /// exist. It is called on the network thread and must not block.
  public typealias Condition = @Sendable (RequestHead) -> Bool
  /// An answer from memory, on the network thread; `nil` leaves the request to the handler. It must not
  /// block.
  public typealias Quick = @Sendable (RequestHead) -> Response?

  public let method: String
  /// The pattern as it was declared: `/api/:project/files/*path`.
  public let pattern: String
  public let body: Body
  /// The time for the request to arrive, and for its response to be received.
  public let deadline: Duration
  /// Whether it is answered on the network thread, even when all workers are busy: for handlers that never
  /// block.
  public let isQuick: Bool
  /// Whether it accepts unauthenticated requests: they share a part of the server's resources.
  public let isAnonymous: Bool
  let condition: Condition?
  let middleware: [any Middleware]
  let authorization: Authorization?
  let refusing: Refusing?
  let quick: Quick?
  let handler: Handler
  /// The parts of the pattern that are names, without their mark.
  let names: [(index: Int, name: String, isRest: Bool)]
  /// The parts that are not logged, with what is logged in their place.
  let secrets: [(index: Int, text: String)]

  init(
    method: String, pattern: String, body: Body, deadline: Duration, isQuick: Bool,
    isAnonymous: Bool, condition: Condition?, middleware: [any Middleware],
    authorization: Authorization?, refusing: Refusing?, quick: Quick?, handler: @escaping Handler
  ) {
    self.method = method
    self.pattern = pattern
    self.body = body
    self.deadline = deadline
    self.isQuick = isQuick
    self.isAnonymous = isAnonymous
    self.condition = condition
    self.middleware = middleware
    self.authorization = authorization
    self.refusing = refusing
    self.quick = quick
    self.handler = handler
    let parts = pattern.split(separator: "/").enumerated()
    names = parts.filter { $1.hasPrefix(":") || $1.hasPrefix("*") }.map {
      (index: $0, name: String($1.dropFirst()), isRest: $1.hasPrefix("*"))
    }
    secrets = parts.filter { $1.hasPrefix(":") && AccessRecord.isSecret($1) }.map {
      (index: $0, text: String($1))
    }
  }

  /// Refuses a body whose announced length exceeds the route's limit, before any authorization check.
  ///
  /// - Throws: ``HTTPError/refused(_:_:)``
  func checkLength(of head: RequestHead) throws(HTTPError) {
    let limit = body.chosen(for: head).limit
    if let length = head.contentLength, length > UInt64(limit) { throw tooLarge(limit) }
  }

  /// Whether the authorization is checked before the body is read. A small body is read first, so that a
  /// worker is needed only once.
  func asksFirst(for head: RequestHead) -> Bool {
    guard authorization != nil || !middleware.isEmpty, head.hasBody else { return false }
    guard let length = head.contentLength, length <= Self.smallLength, head.headers["Expect"] == nil
    else { return true }
    return switch body.chosen(for: head) {
    case .none, .sent: false
    // Problems with its coding are shown to authorized clients only.
    case .memory: !head.contentCodings.isEmpty
    case .file, .multipart, .form: true
    }
  }

  /// The most bytes of a body that are read before the authorization check.
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
