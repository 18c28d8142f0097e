internal import Bytes
package import HTTP
package import ServerCore
internal import Synchronization

/// Handles a request only if the resource is still as the client saw it (`If-Match`, RFC 9110 13.1.1).
///
/// Changes of such resources are serialised, so that nothing changes between the check and the change.
/// Commands that work directly on the home do not wait for them.
package struct Preconditions: Middleware {
  private let resource: APIRoute.Handler?
  private let context: ServerContext

  /// - Parameter resource: Returns the response of `GET` for the resource; `nil` for a route without one.
  package init(_ resource: APIRoute.Handler?, _ context: ServerContext) {
    self.resource = resource
    self.context = context
  }

  package func respond(to request: Request, next: (Request) throws -> Response) throws -> Response {
    let wanted = request.head.headers.list("If-Match")
    guard let resource else {
      guard wanted.isEmpty else {
        return .problem(
          .badRequest, "this route changes no resource with an ETag; omit If-Match")
      }
      return try next(request)
    }
    return try context.changes.withLock { _ in
      guard !wanted.isEmpty else { return try next(request) }
      let tag = try tag(resource, request)
      guard let tag, wanted.contains("*") || wanted.contains(tag) else {
        var headers: Headers = [:]
        headers["ETag"] = tag
        return .problem(
          .preconditionFailed, tag == nil ? "it no longer exists" : "it has changed since",
          headers: headers)
      }
      var response = try next(request)
      guard (200...299).contains(response.status.code) else { return response }
      response.headers["ETag"] = try self.tag(resource, request)
      return response
    }
  }

  /// Returns the current entity tag; `nil` if the resource does not exist.
  private func tag(_ resource: APIRoute.Handler, _ request: Request) throws -> String? {
    let present = try resource(request, context)
    guard present.status == .ok, case .bytes(let bytes) = present.content else { return nil }
    return "\"\(EntityTags.tag(of: bytes))\""
  }
}
