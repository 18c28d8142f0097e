/// Wraps handlers: who may ask, how often, what is written down about it.
public protocol Middleware: Sendable {
  /// Asked as a route's authorization is: see ``Route/Gate``.
  ///
  /// - Returns: A refusal, or `nil` to go on.
  func admit(_ head: RequestHead) throws -> Response?

  /// Answers by `next`, or on its own, on a worker's thread.
  func respond(to request: Request, next: (Request) throws -> Response) throws -> Response
}

extension Middleware {
  public func admit(_ head: RequestHead) throws -> Response? { nil }

  public func respond(
    to request: Request, next: (Request) throws -> Response
  ) throws -> Response { try next(request) }
}
