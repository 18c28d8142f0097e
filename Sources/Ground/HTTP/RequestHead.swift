/// The part of a request that is known before its body is read.
public struct RequestHead: Sendable {
  public var method: String
  /// The path as it was sent, percent-encoded, without the query.
  public var path: String
  /// The decoded parts of the path between slashes; empty ones are left out, `..` is just text.
  public var segments: [String]
  public var query = QueryItems()
  public var headers = Headers()
  /// The values matched by each `:name` and `*rest` of the route's pattern.
  public var parameters: [String: String] = [:]
  /// The client's address as text, `unix` for a Unix socket; behind a trusted proxy, the address that the
  /// proxy gives.
  public var peer: String { didSet { peerNetwork = nil } }
  /// The network of `peer`, where it was worked out for the connection.
  private var peerNetwork: String?
  /// The client as limits see it: its address, or the 64-bit network of an IPv6 address.
  public var network: String { peerNetwork ?? PeerAddress(peer)?.networkText ?? peer }

  /// Fills in the client at the other end of a connection.
  mutating func setPeer(_ peer: ConnectionPeer) {
    self.peer = peer.text
    peerNetwork = peer.network
  }
  /// Whether the client spoke TLS with us or with a trusted proxy.
  public var isSecure = false
  /// Whether it came through a trusted proxy, whose headers are therefore trusted.
  public var isFromTrustedProxy = false
  /// The address that the operator configured for this server: `https://crashes.example.com`, without a
  /// trailing slash; `nil` where none was configured.
  public var publicAddress: String?
  /// The base of the addresses that this server writes, without a trailing slash: the configured one, or
  /// otherwise the one that the client used.
  public var origin: String { publicAddress ?? reachedAddress }
  /// The address of a path of this server. The path may already begin with that of the configured address: a
  /// proxy may keep it or strip it.
  public func address(of path: String) -> String {
    guard let publicAddress, let scheme = publicAddress.firstRange(of: "://"),
      let slash = publicAddress[scheme.upperBound...].firstIndex(of: "/")
    else { return origin + path }
    let mount = publicAddress[slash...]
    return path == mount || path.hasPrefix(mount + "/")
      ? publicAddress[..<slash] + path : publicAddress + path
  }
  /// The address by which the client says that it reached this server.
  public var reachedAddress: String {
    "\(isSecure ? "https" : "http")://\(headers["Host"] ?? "localhost")"
  }
  /// The request's identifier in logs; unique in this process.
  public var id: String
  /// The pattern of the route; empty where none was found.
  public var pattern = ""

  /// A request for a router that is called without a server.
  public init(_ method: String, _ path: String, headers: Headers = [:]) {
    let (bare, query) = Self.split(path)
    self.method = method
    self.path = bare
    segments = Self.segments(of: bare) ?? [bare]
    self.query = query
    self.headers = headers
    peer = "127.0.0.1"
    id = "0"
  }

  init(method: String, path: String, segments: [String], peer: String, id: String) {
    self.method = method
    self.path = path
    self.segments = segments
    self.peer = peer
    self.id = id
  }

  /// `Content-Length`, in bytes, where it was announced.
  public var contentLength: UInt64? { headers["Content-Length"].flatMap { UInt64($0) } }

  /// Whether a body follows, or may follow.
  public var hasBody: Bool { (contentLength ?? 0) > 0 || headers["Transfer-Encoding"] != nil }

  /// The media type of the body, lower-case, without its parameters; empty where it is not given.
  public var contentType: String {
    guard let value = headers["Content-Type"] else { return "" }
    return value.prefix { $0 != ";" }.trimmingBlanks().lowercased()
  }

  /// The codings of the body in the order they were applied, lower-case (RFC 9110 8.4).
  public var contentCodings: [String] {
    headers.list("Content-Encoding").map { $0.lowercased() }.filter { $0 != "identity" }
  }

  /// The segments of a path, or `nil` where one contains a NUL or is not UTF-8.
  static func segments(of path: String) -> [String]? {
    var segments: [String] = []
    for part in path.utf8.split(separator: UInt8(ascii: "/")) {
      if part.allSatisfy({ $0 != UInt8(ascii: "%") && $0 != 0 }) {
        segments.append(String(Substring(part)))
        continue
      }
      let bytes = PercentCoding.decode(Substring(part))
      guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
        return nil
      }
      segments.append(text)
    }
    return segments
  }

  private static func split(_ target: String) -> (String, QueryItems) {
    guard let mark = target.firstIndex(of: "?") else { return (target, QueryItems()) }
    let query = QueryItems(form: String(target[target.index(after: mark)...]))
    return (String(target[..<mark]), query)
  }
}
