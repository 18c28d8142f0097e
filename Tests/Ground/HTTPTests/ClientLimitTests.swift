import Glibc
import HTTP
import TestSupport
import Testing

/// Limits of one client, and caching of responses.
@Suite(.serialized)
struct ClientLimitTests {
  @Test("An address has a limited number of connections, and another when one has ended")
  func connections() throws {
    let server = try TestServer { $0.connectionsPerAddress = 2 }
    var clients: [WebClient] = []
    for _ in 0..<2 {
      let client = server.client()
      client.request("GET", "/hello")
      #expect(client.answer()?.status == 200)
      clients.append(client)
    }
    let third = server.client()
    third.request("GET", "/hello")
    #expect(third.answer() == nil)
    #expect(third.isEnded())
    clients.removeLast()
    var status: Int?
    for _ in 0..<200 where status == nil {
      let client = server.client()
      client.request("GET", "/hello", headers: ["Connection: close"])
      status = client.answer()?.status
      if status == nil { usleep(10_000) }
    }
    #expect(status == 200)
  }

  @Test("Without a limit an address has any number")
  func unlimited() throws {
    let server = try TestServer { $0.connectionsPerAddress = 0 }
    let clients = (0..<150).map { _ in server.client() }
    for client in clients { client.request("GET", "/hello") }
    #expect(clients.allSatisfy { $0.answer()?.status == 200 })
  }

  @Test("Limits count an IPv6 network of 64 bits as one client, and an IPv4 address as one")
  func networks() {
    func network(_ peer: String) -> String {
      var head = RequestHead("GET", "/")
      head.peer = peer
      return head.network
    }
    #expect(network("2001:db8:1:2::5") == "2001:db8:1:2::/64")
    #expect(network("2001:db8:1:2:ffff:1:2:3") == "2001:db8:1:2::/64")
    #expect(network("2001:db8:1:3::5") != network("2001:db8:1:2::5"))
    #expect(network("192.0.2.7") == "192.0.2.7")
    #expect(network("::ffff:192.0.2.7") == "192.0.2.7")
    #expect(network("unix") == "unix")
  }

  @Test("No response may be cached, unless it allows that itself")
  func caching() throws {
    let server = try TestServer {
      _ in
    } routes: {
      $0.get("/cached") { _ in
        var response = Response.text("a")
        response.headers["Cache-Control"] = "max-age=60"
        return response
      }
    }
    for path in ["/hello", "/none", "/fails", "/download", "/stream"] {
      let answer = server.answer(to: "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(answer?.headers["cache-control"] == "no-store", "\(path)")
    }
    let own = server.answer(to: "GET /cached HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(own?.headers["cache-control"] == "max-age=60")
    let broken = server.answer(to: "GET /hello HTTP/1.1\nHost: a\r\n\r\n")
    #expect(broken?.headers["cache-control"] == "no-store")
    let early = server.client()
    early.send("POST /memory HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999\r\n\r\nabc")
    #expect(early.answer()?.headers["cache-control"] == "no-store")
  }
}
