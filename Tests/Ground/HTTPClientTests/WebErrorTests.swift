import Testing

@testable import HTTPClient

@Suite struct WebErrorTests {
  @Test("If only one side speaks TLS, the error says so, and with which address to try")
  func halfTLS() {
    let version = "error:0A00010B:SSL routines::wrong version number"
    let plain = WebError.explained(version, address: "https://crashes.example.org:8080/api/v1/apps")
    #expect(plain.contains("does not speak TLS"))
    #expect(plain.contains("http://crashes.example.org:8080 "))
    #expect(plain.contains(version))
    let empty = WebError.explained("Empty reply from server", address: "http://127.0.0.1:443/a?b")
    #expect(empty.contains("https://127.0.0.1:443?"))
  }

  @Test(
    "Every other error is that of libcurl",
    arguments: [
      ("Could not resolve host: nowhere", "https://nowhere/"), ("wrong version number", "http://a"),
      ("Empty reply from server", "https://a/"), ("wrong version number", "no address"),
    ])
  func others(text: String, address: String) {
    #expect(WebError.explained(text, address: address) == text)
  }
}
