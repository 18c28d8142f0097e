internal import Bytes
internal import Hashing
package import HTTP

/// Gives responses a strong entity tag, so that what a client has already is not sent again.
///
/// The tag is of the bytes: whatever changes an answer changes it.
package struct EntityTags: Middleware {
  /// Hexadecimal digits of a SHA-256 that are enough to tell responses apart.
  private static let digits = 32

  package init() {}

  package func respond(to request: Request, next: (Request) throws -> Response) throws -> Response {
    var response = try next(request)
    guard response.status == .ok, case .bytes(let bytes) = response.content else { return response }
    // What was asked for with a token is for nobody else, and may have changed since.
    response.headers["Cache-Control"] = "private, no-cache"
    return response.tagged(Self.tag(of: bytes), for: request.head)
  }

  /// Without its quotes.
  static func tag(of bytes: ByteView) -> String { String(SHA256.hex(of: bytes).prefix(digits)) }
}
