import Bytes
import Crypto
import Identifiers
import JSON
import TestSupport
import Testing

@testable import ObjectStorage

@Suite("Signatures") struct RequestSignerTests {
  private struct Example: CustomTestStringConvertible {
    let testDescription: String
    var method = "GET"
    var path = "/"
    var query: [(name: String, value: String)] = []
    var headers: [(name: String, value: String)] = []
    var body = ""
    let signature: String
  }

  /// Source: Amazon S3 API Reference, "Signature Calculations for the Authorization Header: Transferring
  /// Payload in a Single Chunk", "Examples: Signature Calculations".
  private static let examples = [
    Example(
      testDescription: "GET object", path: "/test.txt", headers: [("Range", "bytes=0-9")],
      signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
    Example(
      testDescription: "PUT object", method: "PUT", path: "/test%24file.text",
      headers: [
        ("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
      ],
      body: "Welcome to Amazon S3.",
      signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
    Example(
      testDescription: "GET bucket lifecycle", query: [("lifecycle", "")],
      signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
    Example(
      testDescription: "GET bucket, list objects", query: [("prefix", "J"), ("max-keys", "2")],
      signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
  ]

  @Test("The examples of Amazon have their signatures", arguments: examples)
  private func example(_ example: Example) throws {
    let time = try #require(Timestamp("2013-05-24T00:00:00Z"))
    let headers = RequestSigner(Fixture.credentials, region: "us-east-1").signed(
      example.method, path: example.path, query: example.query,
      headers: [("Host", "examplebucket.s3.amazonaws.com")] + example.headers,
      digest: SHA256.hex(of: ByteView(example.body.utf8)), at: time)
    let authorization = try #require(headers.first { $0.name == "Authorization" }).value
    #expect(authorization.hasSuffix(",Signature=\(example.signature)"))
    #expect(
      authorization.hasPrefix(
        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"))
  }

  @Test("Nothing has the digest of nothing")
  func emptyDigest() {
    #expect(RequestSigner.emptyDigest == SHA256.hex(of: .empty))
  }

  @Test("Names are sorted by their bytes, and a session's token is signed")
  func order() throws {
    #expect(
      RequestSigner.canonicalQuery([("b", "2"), ("a b", "/"), ("B", ""), ("b", "1"), ("é", "~")])
        == "%C3%A9=~&B=&a%20b=%2F&b=1&b=2")
    let credentials = ObjectCredentials(
      accessKeyID: "A", secretAccessKey: "B", sessionToken: "token")
    let headers = RequestSigner(credentials, region: "r").signed(
      "GET", path: "/", query: [], headers: [("Host", "h")], digest: RequestSigner.emptyDigest,
      at: Timestamp(seconds: 0))
    #expect(headers.contains { $0 == ("x-amz-security-token", "token") })
    #expect(
      headers.last?.value.contains(
        "SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,") == true)
  }

  @Test(
    "Signatures are those of botocore", .enabled(if: MotoServer.python != nil, MotoServer.absence))
  func oracle() throws {
    var random = SplitMix(seed: TestSize.seed)
    let count = TestSize.isAll ? 20_000 : 500
    var lines: [UInt8] = []
    for _ in 0..<count {
      let key = "/" + Self.text(&random, 40)
      let credentials = ObjectCredentials(
        accessKeyID: "AKIA\(random.below(1_000_000))", secretAccessKey: "s/+\(random.next())",
        sessionToken: random.below(2) == 0 ? nil : "token+/=\(random.next())")
      let region = random.pick(["us-east-1", "eu-central-1", "cn-north-1"])
      let host = random.pick(["b.s3.eu-central-1.amazonaws.com", "127.0.0.1:9000", "[::1]:9000"])
      let path = PercentEncoding.encoded(key, keepsSlash: true)
      var query: [(name: String, value: String)] = []
      for _ in 0..<random.below(5) {
        query.append((Self.text(&random, 6) + "n", Self.text(&random, 12)))
      }
      var headers = [(name: "Host", value: host)]
      if random.below(2) == 0 { headers.append(("Range", "bytes=0-\(random.below(999))")) }
      if random.below(2) == 0 { headers.append(("x-amz-meta-a", "a  b   c")) }
      let body = Self.text(&random, 30)
      let digest = SHA256.hex(of: ByteView(body.utf8))
      let time = Timestamp(seconds: Int64(random.below(4_000_000_000)))
      let method = random.pick(["GET", "PUT", "HEAD", "DELETE", "POST"])
      let signed = RequestSigner(credentials, region: region).signed(
        method, path: path, query: query, headers: headers, digest: digest, at: time)
      func pairs(_ pairs: [(name: String, value: String)]) -> JSONValue {
        .array(pairs.map { .array([.string($0.name), .string($0.value)]) })
      }
      var writer = JSONWriter()
      writer.value(
        .object([
          JSONMember("method", .string(method)), JSONMember("origin", .string("http://\(host)")),
          JSONMember("path", .string(path)), JSONMember("query", pairs(query)),
          JSONMember("headers", pairs(headers)), JSONMember("digest", .string(digest)),
          JSONMember("key", .string(credentials.accessKeyID)),
          JSONMember("secret", .string(credentials.secretAccessKey.text)),
          JSONMember("token", credentials.sessionToken.map { .string($0.text) } ?? .null),
          JSONMember("region", .string(region)),
          JSONMember("time", .string(RequestSigner.moment(time))),
          JSONMember("authorization", .string(signed.last?.value ?? "")),
        ]))
      lines += writer.bytes + [10]
    }
    let folder = ScratchFolder()
    let file = folder.write("cases", lines)
    let script = "\(Samples.root)/scripts/oracles/s3-signatures.py"
    let output = OtherTool.output(of: "\(MotoServer.python ?? "") \(script) \(file) 2>&1")
    #expect(output == "\(count) equal\n")
  }

  private static func text(_ random: inout SplitMix, _ most: Int) -> String {
    var text = ""
    for _ in 0..<random.below(most) {
      text += random.pick([
        "a", "Z", "0", "/", "..", ".", "~", "-", "_", " ", "+", "%", "&", "=", "?", "#", "*", "'",
        "(", ":", ";", "\n", "é", "日", "😀", "%2F", "\"", "\\", "<",
      ])
    }
    return text
  }
}

@Suite("Percent-encoding") struct PercentEncodingTests {
  @Test("Every text comes back")
  func roundTrip() {
    var random = SplitMix(seed: 3)
    for _ in 0..<2000 {
      let scalars = (0..<random.below(20)).compactMap { _ in Unicode.Scalar(random.below(0x3000)) }
      let text = String(String.UnicodeScalarView(scalars))
      for keepsSlash in [true, false] {
        let encoded = PercentEncoding.encoded(text, keepsSlash: keepsSlash)
        #expect(encoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f })
        #expect(PercentEncoding.decoded(encoded).map { Array($0.utf8) } == Array(text.utf8))
      }
    }
  }

  @Test("Damage is not text", arguments: ["%", "a%2", "%zz", "%ff", "%C3"])
  func damage(text: String) { #expect(PercentEncoding.decoded(text) == nil) }
}
