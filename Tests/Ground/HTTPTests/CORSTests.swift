import HTTP
import TestSupport
import Testing

/// Requests and headers of browsers for pages of other origins (the Fetch standard, 3.2).
@Suite("Pages of other origins") struct CORSTests {
  private static let page = "https://dashboard.example.com"

  private func server(_ origins: [String]) throws -> TestServer {
    try TestServer {
      $0.cors = CORSPolicy(origins: origins)
    } routes: { router in
      router.get("/api/list") { _ in .text("list", headers: ["ETag": "\"1\""]) }
      router.add(
        "PUT", "/api/order", before: { _ in .problem(.unauthorized) }, handler: { _ in .text("") })
    }
  }

  private func ask(
    _ server: TestServer, _ method: String, _ path: String, _ headers: [String]
  ) -> WebClient.Answer? {
    let client = server.client()
    client.request(method, path, headers: headers)
    return client.answer(toHead: method == "HEAD")
  }

  @Test("An allowed page may send requests and tokens, and read tags and errors")
  func allowed() throws {
    let server = try server([Self.page, "http://localhost:5173"])
    let preflight = ask(
      server, "OPTIONS", "/api/order",
      [
        "Origin: \(Self.page)", "Access-Control-Request-Method: PUT",
        "Access-Control-Request-Headers: authorization,if-match",
      ])
    #expect(preflight?.status == 204)
    #expect(preflight?.headers["access-control-allow-origin"] == Self.page)
    #expect(preflight?.headers["access-control-allow-methods"]?.contains("PUT") == true)
    let names = preflight?.headers["access-control-allow-headers"]?.lowercased() ?? ""
    #expect(names.contains("authorization") && names.contains("if-match"))
    #expect(preflight?.headers["access-control-max-age"] == "600")
    let list = ask(server, "GET", "/api/list", ["Origin: http://localhost:5173"])
    #expect(list?.text == "list")
    #expect(list?.headers["access-control-allow-origin"] == "http://localhost:5173")
    #expect(list?.headers["access-control-expose-headers"]?.contains("ETag") == true)
    #expect(list?.headers["vary"]?.contains("Origin") == true)
    #expect(list?.headers["access-control-allow-credentials"] == nil)
    let refused = ask(server, "PUT", "/api/order", ["Origin: \(Self.page)"])
    #expect(refused?.status == 401)
    #expect(refused?.headers["access-control-allow-origin"] == Self.page)
  }

  @Test("Any other page, and any page of a server without the setting, may not")
  func others() throws {
    for (origins, origin) in [
      ([Self.page], "https://evil.example.com"),
      ([Self.page], "https://dashboard.example.com.evil"),
      ([Self.page], "null"), ([Self.page], "http://dashboard.example.com"), ([], Self.page),
    ] {
      let server = try server(origins)
      let answer = ask(server, "GET", "/api/list", ["Origin: \(origin)"])
      #expect(answer?.status == 200)
      #expect(answer?.headers["access-control-allow-origin"] == nil, "\(origin)")
      let preflight = ask(
        server, "OPTIONS", "/api/list",
        ["Origin: \(origin)", "Access-Control-Request-Method: GET"])
      #expect(preflight?.status == (origins.isEmpty ? 405 : 204))
      #expect(preflight?.headers["access-control-allow-origin"] == nil)
      #expect(preflight?.headers["access-control-allow-methods"] == nil)
    }
    let outside = ask(
      try server([Self.page]), "GET", "/hello", ["Origin: \(Self.page)"])
    #expect(outside?.headers["access-control-allow-origin"] == nil)
  }

  @Test("An origin is a scheme and a host")
  func origins() {
    for text in ["https://a.example", "http://localhost:5173", "http://[::1]:8080"] {
      #expect(CORSPolicy.isOrigin(text), "\(text)")
    }
    for text in [
      "*", "null", "", "a.example", "https://", "https://a.example/", "ftp://a", "https://a b",
    ] {
      #expect(!CORSPolicy.isOrigin(text), "\(text)")
    }
  }
}
