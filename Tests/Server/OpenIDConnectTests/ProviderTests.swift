import Bytes
import Testing

@testable import OpenIDConnect

@Suite("Identity providers") struct ProviderTests {
  @Test("Codes and tokens are sent only over HTTPS or to this machine")
  func addresses() {
    for address in [
      "https://login.example.com", "https://login.example.com/realms/a?b=c",
      "http://127.0.0.1:8080/a",
      "http://localhost", "http://localhost/x", "http://[::1]:1",
    ] { #expect(ProviderSettings.isSafe(address), "\(address)") }
    for address in [
      "", "http://login.example.com", "http://127.0.0.1.example.com",
      "http://127.0.0.1@example.com",
      "http://127.0.0.1:80@example.com/", "http://localhost:x.example.com", "ftp://localhost",
      "file:///etc/passwd", "https://", "https://a b", "https://a\nb", "HTTP://localhost.example",
      "https://" + String(repeating: "x", count: 2_000),
    ] { #expect(!ProviderSettings.isSafe(address), "\(address)") }
  }

  private func document(_ text: String) throws -> ProviderDocument {
    try ProviderDocument(ByteView(text.utf8), issuer: "https://a.example")
  }

  private static let whole = """
    {"issuer":"https://a.example","authorization_endpoint":"https://a.example/auth",
    "token_endpoint":"https://a.example/token","jwks_uri":"https://a.example/keys"
    """

  @Test(
    "A provider's description is accepted only with its own issuer and safe addresses")
  func descriptions() throws {
    let found = try document(Self.whole + "}")
    #expect(found.authorization == "https://a.example/auth" && found.userInfo == nil)
    #expect(!found.wantsSecretInBody)
    let post = #","token_endpoint_auth_methods_supported":["client_secret_post"]}"#
    #expect(try document(Self.whole + post).wantsSecretInBody)
    for text in [
      "", "{}", "[]", Self.whole,
      Self.whole.replacing("\"https://a.example\"", with: "\"https://b.example\"") + "}",
      Self.whole.replacing("https://a.example/token", with: "http://a.example/token") + "}",
      Self.whole.replacing("jwks_uri", with: "jwks") + "}",
      Self.whole + #","userinfo_endpoint":"http://evil.example"}"#,
    ] { #expect(throws: ProviderError.self, "\(text)") { try document(text) } }
  }

  @Test("Each sign-in has its own values, derived from the browser's secret")
  func flows() throws {
    let flow = SignInFlow()
    let same = try #require(SignInFlow(secret: flow.secret))
    #expect(same.state == flow.state && same.nonce == flow.nonce && same.verifier == flow.verifier)
    // Source: RFC 7636 4.1.
    #expect((43...128).contains(flow.verifier.count))
    let texts = [flow.secret, flow.state, flow.nonce, flow.verifier, flow.challenge]
    #expect(Set(texts).count == texts.count)
    #expect(Set(texts).isDisjoint(with: [SignInFlow().state, SignInFlow().nonce]))
    #expect(flow.isState(flow.state) && !flow.isState(nil) && !flow.isState(flow.state + "A"))
    for text in ["", "x", flow.secret + "A", String(flow.secret.dropLast()), flow.secret + "="] {
      #expect(SignInFlow(secret: text) == nil)
    }
  }

  @Test("A provider that does not respond is distinguished from one that refuses")
  func unreachable() {
    let provider = IdentityProvider(
      ProviderSettings(issuer: "http://127.0.0.1:1", client: "mayday"))
    do {
      _ = try provider.address(for: SignInFlow(), back: "http://127.0.0.1/")
      Issue.record("it answers")
    } catch ProviderError.unreachable {
    } catch {
      Issue.record("\(error)")
    }
  }
}
