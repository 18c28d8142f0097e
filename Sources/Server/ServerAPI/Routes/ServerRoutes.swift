internal import Documents
package import HTTP
package import ServerCore

/// All routes of the server: its own API, and the other protocols that it supports.
package enum ServerRoutes {
  /// Adds the routes of another protocol.
  package typealias ProtocolRoutes = @Sendable (inout Router, ServerContext) -> Void

  package static func router(of context: ServerContext, protocols: [ProtocolRoutes]) -> Router {
    var router = Router()
    for route in APIRoute.all { route.add(to: &router, context) }
    for add in protocols { add(&router, context) }
    return router
  }
}

extension APIRoute {
  /// Adds the route to the router: guards first, on a worker's thread, then the body, then the handler.
  fileprivate func add(to router: inout Router, _ context: ServerContext) {
    let parameters = DeclaredParameters(query)
    var middleware: [any Middleware] = []
    // If a token is required, it is checked first.
    if access == .anyone { middleware.append(parameters) }
    middleware.append(ContentCodings())
    if hasTag { middleware.append(EntityTags()) }
    if method != "GET" { middleware.append(Preconditions(resource, context)) }
    router.add(
      method, pattern, body: input?.body ?? .none, isQuick: isQuick, middleware: middleware,
      before: authorization(parameters, in: context)
    ) { [handler] request in try handler(request, context) }
  }

  /// Returns the check of token, scope, rate limit and room for the announced length; `nil` if there is
  /// nothing to check.
  private func authorization(
    _ parameters: DeclaredParameters, in context: ServerContext
  ) -> Route.Authorization? {
    guard access != .anyone else { return nil }
    return { [access, rate] head in
      let caller: Access.Caller
      switch try context.access.caller(of: head, for: access) {
      case .success(let found): caller = found
      case .failure(let refused): return refused.response
      }
      if let refusal = try parameters.admit(head) { return refusal }
      return switch rate {
      case .none: nil
      case .submission: try IntakeEndpoint(context: context).refusal(of: head, from: caller)
      case .upload: StorageFailureResponse.refusal(of: head, in: context)
      }
    }
  }
}
