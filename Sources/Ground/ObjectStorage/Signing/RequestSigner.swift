internal import Bytes
internal import Crypto
internal import Identifiers

/// Signs requests with Signature Version 4.
///
///     signature = hex(HMAC(key, text))
///     text      = "AWS4-HMAC-SHA256" LF time LF scope LF hex(SHA-256(canonical request))
///     key       = HMAC(HMAC(HMAC(HMAC("AWS4" secret, day), region), service), "aws4_request")
///
/// Source: Amazon S3 API Reference, "Signature Calculations for the Authorization Header: Transferring
/// Payload in a Single Chunk (AWS Signature Version 4)".
struct RequestSigner: Sendable {
  let credentials: ObjectCredentials
  let region: String
  let service: String

  /// The digest that stands for no bytes.
  static let emptyDigest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  init(_ credentials: ObjectCredentials, region: String, service: String = "s3") {
    self.credentials = credentials
    self.region = region
    self.service = service
  }

  /// All headers of a request: those given, and those that make it a signed one.
  ///
  /// - Parameters:
  ///   - path: Encoded, from its slash on. For S3 it is not normalised, and not encoded twice.
  ///   - query: Not encoded.
  ///   - headers: With `Host`; all are signed.
  ///   - digest: SHA-256 of the body in lower-case hexadecimal digits.
  func signed(
    _ method: String, path: String, query: [(name: String, value: String)],
    headers: [(name: String, value: String)], digest: String, at time: Timestamp
  ) -> [(name: String, value: String)] {
    let moment = Self.moment(time)
    var headers = headers
    headers.append(("x-amz-content-sha256", digest))
    headers.append(("x-amz-date", moment))
    if let token = credentials.sessionToken { headers.append(("x-amz-security-token", token.text)) }
    let canonical = Self.canonicalRequest(
      method, path: path, query: query, headers: headers, digest: digest)
    let day = String(moment.prefix(8))
    let scope = "\(day)/\(region)/\(service)/aws4_request"
    let text = [
      "AWS4-HMAC-SHA256", moment, scope, SHA256.hex(of: ByteView(canonical.utf8)),
    ].joined(separator: "\n")
    var key = Array("AWS4\(credentials.secretAccessKey.text)".utf8)
    for part in [day, region, service, "aws4_request"] {
      key = HMAC.sha256(of: ByteView(part.utf8), key: key)
    }
    let signature = HMAC.sha256(of: ByteView(text.utf8), key: key).hexadecimalDigits
    headers.append(
      (
        "Authorization",
        "AWS4-HMAC-SHA256 Credential=\(credentials.accessKeyID)/\(scope),"
          + "SignedHeaders=\(Self.names(headers)),Signature=\(signature)"
      ))
    return headers
  }

  static func canonicalRequest(
    _ method: String, path: String, query: [(name: String, value: String)],
    headers: [(name: String, value: String)], digest: String
  ) -> String {
    let lines = sorted(headers).map { "\($0.name):\($0.value)\n" }.joined()
    return [
      method, path, canonicalQuery(query), lines, names(headers), digest,
    ].joined(separator: "\n")
  }

  /// The query as it is signed, which is also how it is sent: encoded and sorted, with `=` after each name.
  static func canonicalQuery(_ query: [(name: String, value: String)]) -> String {
    query.map { (PercentEncoding.encoded($0.name), PercentEncoding.encoded($0.value)) }
      .sorted { $0 < $1 }
      .map { "\($0)=\($1)" }.joined(separator: "&")
  }

  /// `20130524T000000Z`
  static func moment(_ time: Timestamp) -> String {
    Timestamp(seconds: time.seconds).description.filter { $0 != "-" && $0 != ":" }
  }

  private static func names(_ headers: [(name: String, value: String)]) -> String {
    sorted(headers).map(\.name).joined(separator: ";")
  }

  /// Lower-case names in their order, and values whose blanks are single ones between words.
  private static func sorted(
    _ headers: [(name: String, value: String)]
  ) -> [(name: String, value: String)] {
    headers.map { header in
      (
        name: header.name.lowercased(),
        value: header.value.split(separator: " ").joined(separator: " ")
      )
    }.sorted { $0.name < $1.name }
  }
}
