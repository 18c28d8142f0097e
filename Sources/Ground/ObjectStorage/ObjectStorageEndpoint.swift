internal import Bytes

/// A server that speaks the protocol of S3: `https://minio.example.org:9000`.
struct ObjectStorageEndpoint: Sendable {
  let isSecure: Bool
  /// In lower case, an IPv6 address in its brackets.
  let host: String
  let port: Int?
  /// The path before the bucket; empty or from its slash on, without one at the end.
  let base: String

  init(isSecure: Bool, host: String, port: Int? = nil, base: String = "") {
    self.isSecure = isSecure
    self.host = host
    self.port = port
    self.base = base
  }

  /// - Parameter allowsQuery: Whether a path and query are left alone; they are not in ``base`` then.
  /// - Throws: ``ObjectStorageError``.
  init(parsing text: String, allowsQuery: Bool = false) throws(ObjectStorageError) {
    func error(_ reason: String) -> ObjectStorageError {
      // It may hold a password.
      ObjectStorageError(.configuration, "", "the address of the S3 endpoint \(reason)")
    }
    guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\\") }) else {
      throw error("has blanks or characters beyond ASCII in it")
    }
    let scheme = text.prefix { $0 != ":" }.lowercased()
    guard ["http", "https"].contains(scheme), text.dropFirst(scheme.count).hasPrefix("://") else {
      throw error("does not begin with http:// or https://")
    }
    let rest = text.dropFirst(scheme.count + 3)
    let authority = rest.prefix { !["/", "?", "#"].contains($0) }
    var path = rest[authority.endIndex...]
    guard !authority.contains("@") else { throw error("has a user name in it") }
    if allowsQuery {
      path = ""
    } else if path.contains(where: { ["?", "#", "%"].contains($0) }) {
      throw error("has more than a path in it")
    }
    while path.hasSuffix("/") { path.removeLast() }
    var host = authority.lowercased()
    var port: Int?
    if let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") {
      guard let number = UInt16(host[host.index(after: colon)...]), number > 0 else {
        throw error("has no port after its colon")
      }
      port = Int(number)
      host = String(host[..<colon])
    }
    let isAddress = host.hasPrefix("[") && host.hasSuffix("]")
    let allowed = isAddress ? "0123456789abcdef:." : "abcdefghijklmnopqrstuvwxyz0123456789.-_"
    let name = isAddress ? String(host.dropFirst().dropLast()) : host
    guard !name.isEmpty, name.allSatisfy({ allowed.contains($0) }) else {
      throw error("has no name or number of a host")
    }
    self.init(isSecure: scheme == "https", host: host, port: port, base: String(path))
  }

  /// The endpoint of a region.
  ///
  /// Source: AWS General Reference, "Amazon S3 endpoints"; those of China have a domain of their own.
  static func amazon(region: String, service: String = "s3") -> ObjectStorageEndpoint {
    let domain = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
    return ObjectStorageEndpoint(isSecure: true, host: "\(service).\(region).\(domain)")
  }

  /// `host`, or `host:port` where the port is not the scheme's.
  var authority: String {
    guard let port, port != (isSecure ? 443 : 80) else { return host }
    return "\(host):\(port)"
  }

  var origin: String { "\(isSecure ? "https" : "http")://\(authority)" }

  /// Whether a text may become part of a host name and of a signature.
  static func isRegion(_ text: String) -> Bool {
    (1...40).contains(text.utf8.count) && text.first != "-"
      && text.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}
