public import Bytes

/// A request to a server.
public struct WebRequest: Sendable {
  public var method: String
  /// The address with its scheme: `https://crashes.example.org/api/v1/symbols?name=Tern`.
  public var url: String
  /// `Name: value`, a line each.
  public var headers: [String]
  /// `nil` for none.
  public var body: ByteView?
  /// The most bytes of the answer that are kept.
  public var answerLimit = 16 << 20

  public init(_ method: String, _ url: String, headers: [String] = [], body: ByteView? = nil) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// The answer of a server.
public struct WebResponse: Sendable {
  public let status: Int
  /// The body, cut at the request's limit.
  public let body: ByteView
  /// Whether the body was cut.
  public let isCut: Bool
  /// Seconds after which the server asks for a retry.
  public let retryAfter: Int?

  public init(status: Int, body: ByteView, isCut: Bool = false, retryAfter: Int?) {
    self.status = status
    self.body = body
    self.isCut = isCut
    self.retryAfter = retryAfter
  }

  /// Whether the same request may succeed later.
  public var isTemporary: Bool {
    [408, 429].contains(status)
      || (500...599).contains(status) && ![501, 505, 507].contains(status)
  }
}

/// No answer came, or not all of it.
public struct WebError: Error, CustomStringConvertible {
  /// Whether a retry may help.
  public enum Kind: Sendable {
    case temporary
    /// The address or a certificate is wrong.
    case permanent
    /// The receiver of the answer stopped it.
    case stopped
  }

  /// A description for the user.
  public let description: String
  public let kind: Kind

  public init(_ description: String, kind: Kind = .temporary) {
    self.description = description
    self.kind = kind
  }

  /// Adds to libcurl's text what to do if only one side speaks TLS.
  ///
  /// - Parameter address: The address of the request.
  static func explained(_ text: String, address: String) -> String {
    guard let end = address.firstRange(of: "://")?.upperBound else { return text }
    let authority = address[end...].prefix { $0 != "/" && $0 != "?" }
    // OpenSSL takes the text of an HTTP server for a record of another version.
    let isPlain = ["wrong version number", "packet length too long", "unknown protocol"]
    // A TLS server answers plain HTTP with an alert, or nothing.
    let isEncrypted = ["HTTP/0.9", "Empty reply"]
    if address.hasPrefix("https:"), isPlain.contains(where: { text.contains($0) }) {
      return "the server does not speak TLS: write http://\(authority) if that is right (\(text))"
    }
    if address.hasPrefix("http:"), isEncrypted.contains(where: { text.contains($0) }) {
      return "the server does not answer HTTP: does it need https://\(authority)? (\(text))"
    }
    return text
  }
}
