/// The routes of a server, and which of them answers a request.
///
/// A pattern consists of literal parts, `:name` for one part, and at its end `*rest` for all others (at least
/// one). Literal parts take precedence over names, names over the rest. Repeated slashes count once, so that
/// `//logs` is `/logs`. A route for GET answers HEAD too.
public struct Router: Sendable {
  /// The result of matching a method and a path.
  enum Match {
    case found(Route, parameters: [String: String])
    case wrongMethod(allowed: [String])
    case notFound
  }

  /// A node of the tree of patterns.
  private final class RouteNode: Sendable {
    let literal: [String: RouteNode]
    let name: RouteNode?
    let routes: [Route]
    let rest: [Route]

    init(_ routes: [(parts: ArraySlice<String>, route: Route)]) {
      var literals: [String: [(parts: ArraySlice<String>, route: Route)]] = [:]
      var names: [(parts: ArraySlice<String>, route: Route)] = []
      var here: [Route] = []
      var rest: [Route] = []
      for (parts, route) in routes {
        guard let first = parts.first else {
          here.append(route)
          continue
        }
        switch first.first {
        case ":": names.append((parts.dropFirst(), route))
        case "*": rest.append(route)
        default: literals[first, default: []].append((parts.dropFirst(), route))
        }
      }
      literal = literals.mapValues { RouteNode($0) }
      name = names.isEmpty ? nil : RouteNode(names)
      self.routes = here
      self.rest = rest
    }
  }

  /// In the order in which they were added.
  public private(set) var routes: [Route] = []
  /// Rewrites answers to requests that match no route; `nil` leaves them as they are.
  public var unmatched: Route.Refusing?
  private var root: RouteNode?
  private var middleware: [any Middleware] = []

  public init() {}

  /// Wraps the routes that are added from here on; the layer added first is outermost.
  public mutating func use(_ layer: some Middleware) { middleware.append(layer) }

  /// Adds a route.
  ///
  /// - Parameters:
  ///   - deadline: The time for the request to arrive. Default: one that suits its body.
  ///   - isQuick: Answered on the network thread, even when all workers are busy; without authorization.
  ///   - isAnonymous: Whether requests need no token.
  ///   - condition: The requests that the route is for. Default: all with its method and path.
  ///   - authorization: Checked before the body is read.
  ///   - refusing: Rewrites answers that come from neither the authorization nor the handler.
  ///   - quick: Answers requests from memory, before any other check and even when all workers are busy.
  public mutating func add(
    _ method: String, _ pattern: String, body: Body = .none, deadline: Duration? = nil,
    isQuick: Bool = false, isAnonymous: Bool = false, where condition: Route.Condition? = nil,
    middleware more: [any Middleware] = [], before authorization: Route.Authorization? = nil,
    refusing: Route.Refusing? = nil,
    quick: Route.Quick? = nil, handler: @escaping Route.Handler
  ) {
    let parts = Self.parts(of: pattern)
    precondition(
      parts.dropLast().allSatisfy { !$0.hasPrefix("*") }, "\(pattern): *rest must come last")
    precondition(
      !isQuick || authorization == nil, "\(pattern): an authorization may wait, network threads not"
    )
    routes.append(
      Route(
        method: method, pattern: pattern, body: body, deadline: deadline ?? body.deadline,
        isQuick: isQuick, isAnonymous: isAnonymous, condition: condition,
        middleware: middleware + more, authorization: authorization, refusing: refusing,
        quick: quick, handler: handler))
    root = nil
  }

  public mutating func get(
    _ pattern: String, isQuick: Bool = false, middleware: [any Middleware] = [],
    before authorization: Route.Authorization? = nil, handler: @escaping Route.Handler
  ) {
    add(
      "GET", pattern, isQuick: isQuick, middleware: middleware, before: authorization,
      handler: handler)
  }

  public mutating func post(
    _ pattern: String, body: Body = .none, deadline: Duration? = nil, isQuick: Bool = false,
    middleware: [any Middleware] = [], before authorization: Route.Authorization? = nil,
    handler: @escaping Route.Handler
  ) {
    add(
      "POST", pattern, body: body, deadline: deadline, isQuick: isQuick, middleware: middleware,
      before: authorization, handler: handler)
  }

  public mutating func put(
    _ pattern: String, body: Body = .none, deadline: Duration? = nil, isQuick: Bool = false,
    middleware: [any Middleware] = [], before authorization: Route.Authorization? = nil,
    handler: @escaping Route.Handler
  ) {
    add(
      "PUT", pattern, body: body, deadline: deadline, isQuick: isQuick, middleware: middleware,
      before: authorization, handler: handler)
  }

  public mutating func patch(
    _ pattern: String, body: Body = .none, middleware: [any Middleware] = [],
    before authorization: Route.Authorization? = nil, handler: @escaping Route.Handler
  ) {
    add(
      "PATCH", pattern, body: body, middleware: middleware, before: authorization, handler: handler)
  }

  public mutating func delete(
    _ pattern: String, body: Body = .none, middleware: [any Middleware] = [],
    before authorization: Route.Authorization? = nil, handler: @escaping Route.Handler
  ) {
    add(
      "DELETE", pattern, body: body, middleware: middleware, before: authorization, handler: handler
    )
  }

  /// Answers a request whose body is read already, without a server: for tests of routes.
  public func respond(to request: Request) -> Response {
    var request = request
    do {
      switch prepared().match(request.head) {
      case .found(let route, let parameters):
        request.parameters = parameters
        request.pattern = route.pattern
        do {
          try route.checkLength(of: request.head)
        } catch {
          return route.refusing?(error.response, request.head) ?? error.response
        }
        if let response = route.quick?(request.head) { return response }
        if let refusal = try route.refusal(of: request.head) { return refusal }
        let response = try route.respond(to: request)
        try response.hold?.wait()
        return response
      case .wrongMethod(let allowed): return wrongMethod(allowed, request.head)
      case .notFound: return notFound(request.head)
      }
    } catch {
      return Self.response(for: error)
    }
  }

  func notFound(_ head: RequestHead) -> Response {
    let response = Response.problem(.notFound)
    return unmatched?(response, head) ?? response
  }

  func wrongMethod(_ allowed: [String], _ head: RequestHead) -> Response {
    let response = Response.problem(
      .methodNotAllowed, headers: ["Allow": allowed.joined(separator: ", ")])
    return unmatched?(response, head) ?? response
  }

  /// The response for an error that a handler threw: only texts meant for the client are shown.
  static func response(for error: any Error) -> Response {
    (error as? HTTPError)?.response ?? .problem(.internalServerError)
  }

  /// The router with its tree built, so that a match is a mere look-up.
  func prepared() -> Router {
    guard root == nil else { return self }
    var router = self
    router.root = RouteNode(routes.map { (parts: Self.parts(of: $0.pattern)[...], route: $0) })
    return router
  }

  /// - Complexity: O(parts of the path) for patterns that do not overlap.
  func match(_ head: RequestHead) -> Match {
    guard let root else { return .notFound }
    let method = head.method
    let segments = head.segments
    var candidates: [[Route]] = []
    Self.find(segments[...], at: root, into: &candidates)
    if candidates.contains(where: { $0.contains { $0.condition != nil } }) {
      candidates = candidates.map { $0.filter { $0.condition?(head) ?? true } }
    }
    for wanted in method == "HEAD" ? ["HEAD", "GET"] : [method] {
      for routes in candidates {
        if let route = routes.first(where: { $0.method == wanted }) {
          return .found(route, parameters: Self.parameters(of: route, in: segments))
        }
      }
    }
    var allowed = Set(candidates.joined().map(\.method))
    if allowed.contains("GET") { allowed.insert("HEAD") }
    return allowed.isEmpty ? .notFound : .wrongMethod(allowed: allowed.sorted())
  }

  private static func parts(of pattern: String) -> [String] {
    pattern.split(separator: "/").map(String.init)
  }

  /// The recursion is as deep as the longest pattern, not as the path.
  private static func find(
    _ segments: ArraySlice<String>, at node: RouteNode, into candidates: inout [[Route]]
  ) {
    guard let first = segments.first else {
      if !node.routes.isEmpty { candidates.append(node.routes) }
      return
    }
    if let next = node.literal[first] { find(segments.dropFirst(), at: next, into: &candidates) }
    if let next = node.name { find(segments.dropFirst(), at: next, into: &candidates) }
    if !node.rest.isEmpty { candidates.append(node.rest) }
  }

  private static func parameters(of route: Route, in segments: [String]) -> [String: String] {
    var parameters: [String: String] = [:]
    for (index, name, isRest) in route.names {
      parameters[name] = isRest ? segments[index...].joined(separator: "/") : segments[index]
    }
    return parameters
  }
}
