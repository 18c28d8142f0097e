/// The origins whose pages may use the API from a browser (the Fetch standard, 3.2).
///
/// Requests carry their token in a header, so browsers are never asked to send credentials.
public struct CORSPolicy: Sendable {
  /// The prefix of the paths that pages may request.
  private static let prefix = "/api/"
  private static let methods = "GET, HEAD, POST, PUT, DELETE"
  private static let headers =
    "Authorization, X-API-Token, X-App-Key, Content-Type, Content-Encoding, If-Match, If-None-Match"
  private static let exposed =
    "ETag, Location, Retry-After, WWW-Authenticate, Content-Disposition, Allow"
  /// Seconds for which a browser need not ask again.
  private static let age = 600

  private let origins: Set<String>

  /// - Parameter origins: Such as `https://dashboard.example.com`; empty to allow none.
  public init(origins: [String] = []) { self.origins = Set(origins.map { $0.lowercased() }) }

  /// Whether a text is an origin as browsers send it: a scheme, a host, and the port if it is not the
  /// scheme's own.
  public static func isOrigin(_ text: String) -> Bool {
    guard let mark = text.firstRange(of: "://") else { return false }
    let host = text[mark.upperBound...]
    return ["http", "https"].contains(text[..<mark.lowerBound]) && !host.isEmpty
      && host.utf8.allSatisfy { byte in
        let scalar = Unicode.Scalar(byte)
        return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
          || "-.:[]".unicodeScalars.contains(scalar)
      }
  }

  /// The answer to a preflight request; `nil` for any other request.
  func preflight(_ head: RequestHead) -> Response? {
    guard !origins.isEmpty, head.method == "OPTIONS", head.path.hasPrefix(Self.prefix),
      head.headers["Origin"] != nil, head.headers["Access-Control-Request-Method"] != nil
    else { return nil }
    var response = Response.empty()
    guard allows(head) else { return response }
    response.headers["Access-Control-Allow-Methods"] = Self.methods
    response.headers["Access-Control-Allow-Headers"] = Self.headers
    response.headers["Access-Control-Max-Age"] = "\(Self.age)"
    return response
  }

  /// Lets the page of an allowed origin read an answer, also a refusal.
  func admit(_ response: inout Response, to head: RequestHead) {
    guard !origins.isEmpty, head.path.hasPrefix(Self.prefix) else { return }
    response.headers.add("Vary", "Origin")
    guard let origin = head.headers["Origin"], allows(head) else { return }
    response.headers["Access-Control-Allow-Origin"] = origin
    response.headers["Access-Control-Expose-Headers"] = Self.exposed
  }

  private func allows(_ head: RequestHead) -> Bool {
    head.headers["Origin"].map { origins.contains($0.lowercased()) } ?? false
  }
}
