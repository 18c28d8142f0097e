import Bytes
import Identifiers
import JSON
import TestSupport
import Testing

@testable import OpenIDConnect

/// Tokens made by another implementation; see Golden/make.py.
@Suite("ID tokens") struct IDTokenTests {
  private static let samples: JSONValue = {
    let path = Samples.root + "/Tests/Server/OpenIDConnectTests/Golden/tokens.json"
    let bytes = (try? ByteView(reading: path, limit: 1 << 22)) ?? .empty
    return (try? JSONDocument.parse(bytes).value) ?? .null
  }()

  private static func names(_ kind: String) -> [String] {
    samples[kind]?.object?.map(\.key) ?? []
  }

  private func check(
    _ text: String, keys document: JSONValue = samples["keys"] ?? .null
  ) throws {
    let samples = Self.samples
    var writer = JSONWriter()
    writer.value(document)
    let keys = try KeySet(ByteView(writer.takeBytes()))
    let token = try IDToken(text)
    guard token.isSigned(by: keys) else { throw ProviderError.token("not signed") }
    try token.check(
      .init(
        issuer: try #require(samples["issuer"]?.string),
        client: try #require(samples["client"]?.string),
        nonce: try #require(samples["nonce"]?.string),
        now: Timestamp(seconds: Int64(try #require(samples["now"]?.integer)))))
  }

  @Test("There are samples")
  func samples() {
    #expect(Self.names("right").count >= 7 && Self.names("wrong").count >= 40)
  }

  @Test("The provider's tokens for this sign-in are accepted", arguments: names("right"))
  func right(name: String) throws {
    try check(try #require(Self.samples["right"]?[name]?.string))
  }

  @Test("All other tokens are rejected", arguments: names("wrong"))
  func wrong(name: String) throws {
    let text = try #require(Self.samples["wrong"]?[name]?.string)
    #expect(throws: ProviderError.self) { try check(text) }
  }

  @Test("Truncated and modified tokens are rejected")
  func changes() throws {
    let text = try #require(Self.samples["right"]?["ES256"]?.string)
    for index in stride(from: 0, to: text.count, by: 7) {
      #expect(throws: ProviderError.self) { try check(String(text.prefix(index))) }
      var characters = Array(text)
      characters[index] = characters[index] == "A" ? "B" : "A"
      #expect(throws: ProviderError.self, "\(index)") { try check(String(characters)) }
    }
  }

  @Test("A text larger than any token is not parsed")
  func oversized() throws {
    let text = try #require(Self.samples["right"]?["RS256"]?.string)
    #expect(throws: ProviderError.token("it is larger than 64 KiB")) {
      try check(text + String(repeating: "A", count: IDToken.limit))
    }
  }

  @Test(
    "Invalid keys verify no signature",
    arguments: [
      #"{"keys":[]}"#, #"{"keys":[{}]}"#, #"{"keys":[{"kty":"EC","kid":"ec","crv":"P-256"}]}"#,
      #"{"keys":[{"kty":"EC","kid":"ec","crv":"P-256","x":"AA","y":"AA"}]}"#,
      // Not on the curve.
      #"{"keys":[{"kty":"EC","kid":"ec","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"}]}"#,
      #"{"keys":[{"kty":"oct","kid":"ec","k":"AAAA"}]}"#,
    ])
  func keys(document: String) throws {
    let value = try JSONDocument.parse(ByteView(document.utf8)).value
    let text = try #require(Self.samples["right"]?["ES256"]?.string)
    #expect(throws: ProviderError.self) { try check(text, keys: value) }
  }

  @Test(
    "An invalid key set is an error",
    arguments: ["", "[]", "{}", #"{"keys":1}"#, "{\"keys\":["])
  func noKeys(document: String) {
    #expect(throws: ProviderError.self) { try KeySet(ByteView(document.utf8)) }
  }
}
