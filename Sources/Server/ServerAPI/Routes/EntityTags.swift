internal import Bytes
internal import Crypto
package import HTTP

/// Gives responses a strong entity tag, so that a client's current copy is not sent again.
///
/// The tag is a digest of the bytes: any change to a response changes it.
package struct EntityTags: Middleware {
  /// The number of hexadecimal digits of a SHA-256 that distinguish responses.
  private static let digits = 32

  package init() {}

  package func respond(to request: Request, next: (Request) throws -> Response) throws -> Response {
    var response = try next(request)
    guard response.status == .ok, case .bytes(let bytes) = response.content else { return response }
    // A response to a token must not be shared, and may have changed since.
    response.headers["Cache-Control"] = "private, no-cache"
    return response.tagged(Self.tag(of: bytes), for: request.head)
  }

  /// Returns the tag without its quotes.
  static func tag(of bytes: ByteView) -> String { String(SHA256.hex(of: bytes).prefix(digits)) }
}
