import Glibc
import HTTP
import Synchronization
import TestSupport
import Testing

/// Malicious requests. Each gets a clear status, and the server continues.
@Suite(.serialized)
struct HostileRequestTests {
  static let post = "POST /memory HTTP/1.1\r\nHost: a\r\n"

  @Test(
    "What two readers could take for different requests is refused",
    arguments: [
      "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n",
      "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
      "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
      "Content-Length: 3, 3\r\n\r\nabc",
      "Content-Length: +3\r\n\r\nabc",
      "Content-Length: -3\r\n\r\nabc",
      "Content-Length: 0x3\r\n\r\nabc",
      "Content-Length: 99999999999999999999999\r\n\r\nabc",
      "Content-Length : 3\r\n\r\nabc",
      "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
      "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
      "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
      "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
      "Transfer-Encoding: \u{b}chunked\r\n\r\n0\r\n\r\n",
      "Host: b\r\nContent-Length: 3\r\n\r\nabc",
      "Na me: x\r\nContent-Length: 3\r\n\r\nabc",
      "X-A: a\u{1}b\r\nContent-Length: 3\r\n\r\nabc",
      "X-A: a\u{7f}b\r\nContent-Length: 3\r\n\r\nabc",
      "X(A): a\r\nContent-Length: 3\r\n\r\nabc",
    ])
  func contradictions(headers: String) throws {
    let server = try TestServer()
    let client = server.client()
    client.send(Self.post + headers)
    let status = client.answer()?.status
    // A length of 2^64 or more is a number.
    #expect(status == (headers.contains("9999999999") ? 413 : 400))
    // The bytes that follow are not a second request.
    #expect(client.isEnded())
    #expect(server.answer(to: "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.status == 200)
  }

  @Test("A Host is one name or address, and a valid port")
  func hosts() throws {
    let server = try TestServer()
    for (host, status) in [
      ("crashes.example.org", 200), ("crashes.example.org:8443", 200), ("127.0.0.1:1", 200),
      ("[::1]", 200), ("[::1]:8080", 200), ("[fe80::1%25eth0]:65535", 200), ("a:", 200),
      ("x_y.internal:080", 200),
      ("[::1", 400), ("::1", 400), ("[::1]8080", 400), ("[a]:1", 400), ("[]", 400),
      ("a:99999", 400),
      ("a:65536", 400), ("a:123456", 400), ("a:-1", 400), ("a:b", 400), ("a:1:2", 400),
      (":80", 400),
      ("a]", 400), ("[::1]:x", 400), ("[::1]]", 400), ("a b", 400), ("a,b", 400), ("a/b", 400),
      ("user@a", 400), ("a#b", 400), ("[::1/64]", 400),
    ] {
      let answer = server.answer(to: "GET /hello HTTP/1.1\r\nHost: \(host)\r\n\r\n")
      #expect(answer?.status == status, "\(host)")
    }
  }

  @Test("HTTP/1.1 requires a Host, HTTP/1.0 does not; other versions and methods are refused")
  func versions() throws {
    let server = try TestServer()
    #expect(server.answer(to: "GET /hello HTTP/1.1\r\n\r\n")?.status == 400)
    #expect(server.answer(to: "GET /hello HTTP/1.0\r\n\r\n")?.status == 200)
    // Some clients send chunks with the old version; what follows them is not another request.
    let chunks = "Transfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n2\r\nhi\r\n0\r\n\r\n"
    let client = server.client()
    client.send("POST /memory HTTP/1.0\r\n" + chunks + "GET /hello HTTP/1.0\r\n\r\n")
    #expect(client.answer()?.status == 200)
    #expect(client.isEnded())
    for (line, status) in [
      ("GET /hello HTTP/2.0", 505), ("GET /hello HTTP/1.7", 505), ("GET /hello FTP/1.1", 400),
    ] {
      #expect(server.answer(to: "\(line)\r\nHost: a\r\n\r\n")?.status == status, "\(line)")
    }
    #expect(server.answer(to: "G@T /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.status == 400)
    #expect(server.answer(to: "BREW /hello HTTP/1.1\r\nHost: a\r\n\r\n")?.status == 405)
  }

  @Test(
    "Paths are text: none climbs, ends early or is invalid UTF-8",
    arguments: zip(
      [
        "/echo/..%2f..%2fetc/passwd", "/echo/../../etc/passwd", "/echo/a%00b/c", "/echo/%ff/c",
        "/echo/%c3%28/c", "/echo/%e2%82%ac/c", "//echo///a//b", "/echo/a%zz/%", "nothing",
        "http://elsewhere/echo/a/b",
      ],
      [
        "../../etc|passwd", "..|../etc/passwd", nil, nil, nil, "€|c", "a|b", "a%zz|%", nil, "a|b",
      ] as [String?]))
  func paths(path: String, answer: String?) throws {
    let server = try TestServer()
    let got = server.answer(to: "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(got?.status == (answer == nil ? 400 : 200))
    if let answer { #expect(got?.text == answer) }
  }

  @Test("Raw bytes that are not UTF-8 in path and headers, and a NUL")
  func rawBytes() throws {
    let server = try TestServer()
    let end = Array(" HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    #expect(server.answer(to: Array("GET /echo/".utf8) + [0xff, 0xfe] + end)?.status == 400)
    let head = Array("GET /hello HTTP/1.1\r\nHost: a\r\nX-A: ".utf8)
    let tail = Array("\r\n\r\n".utf8)
    #expect(server.answer(to: head + [0xff, 0xfe, 0xc3] + tail)?.status == 200)
    #expect(server.answer(to: head + [0x61, 0, 0x62] + tail)?.status == 400)
    let path = Array("GET /hello".utf8) + [0] + Array("x".utf8)
    #expect(server.answer(to: path + end)?.status == 400)
    #expect(server.answer(to: "GET /query?a=%00 HTTP/1.1\r\nHost: a\r\n\r\n")?.status == 400)
  }

  /// The status of the response; if it was lost because the client kept on writing, the one that the server
  /// logged.
  private static func status(_ answer: WebClient.Answer?, _ server: TestServer) -> Int? {
    answer?.status ?? (server.isQuiet() ? server.records.all.withLock { $0.last?.status } : nil)
  }

  @Test("Endless heads give 414 or 431, within the memory of a connection")
  func giantHeads() throws {
    let server = try TestServer()
    let client = server.client()
    client.send("GET /hello HTTP/1.1\r\nHost: a\r\n")
    let line = String(repeating: "X-A: b\r\n", count: 1_000)
    for _ in 0..<100 where client.send(line) {}
    #expect(Self.status(client.answer(), server) == 431)
    let path = "GET /" + String(repeating: "a", count: 100_000) + " HTTP/1.1\r\nHost: a\r\n\r\n"
    #expect(Self.status(server.answer(to: path), server) == 414)
    let many = "GET /query?" + String(repeating: "a=1&", count: 30_000) + " HTTP/1.1\r\n\r\n"
    #expect(Self.status(server.answer(to: many), server) == 414)
    // A valid request gets its status.
    let value = String(repeating: "v", count: 70_000)
    let one = server.answer(to: "GET /hello HTTP/1.1\r\nHost: a\r\nX-A: \(value)\r\n\r\n")
    #expect(Self.status(one, server) == 431)
    #expect(server.isQuiet() || server.server.connectionCount <= 1)
  }

  @Test("An endless body gives 413")
  func endlessChunks() throws {
    let server = try TestServer()
    let client = server.client()
    client.send(Self.post + "Transfer-Encoding: chunked\r\n\r\n")
    let chunk = "8000\r\n" + String(repeating: "x", count: 0x8000) + "\r\n"
    var sent = 0
    while sent < 3_000, client.send(chunk) { sent += 1 }
    #expect(sent < 3_000)
    let answer = client.answer()
    // The response may be lost if the client keeps on writing.
    #expect(answer == nil || answer?.status == 413)
    let record = server.isQuiet() ? server.records.all.withLock { $0.last } : nil
    #expect(record?.status == 413)
    #expect((record?.received ?? .max) < 8 << 20)
  }

  @Test("A body that exceeds its limit and stops gets 413")
  func tooLarge() throws {
    let server = try TestServer()
    let client = server.client()
    client.send(Self.post + "Transfer-Encoding: chunked\r\n\r\n")
    let chunk = "8000\r\n" + String(repeating: "x", count: 0x8000) + "\r\n"
    for _ in 0..<4 { client.send(chunk) }
    client.send("0\r\n\r\n")
    #expect(client.answer()?.status == 413)
    // Little was left, so the connection can be reused.
    client.request("GET", "/hello")
    #expect(client.answer()?.status == 200)
    let announced = server.client()
    announced.send(Self.post + "Content-Length: 9999999999\r\n\r\nabc")
    #expect(announced.answer()?.status == 413)
  }

  @Test("A chunk's length that is not a number, and one of 2^64")
  func chunkLengths() throws {
    let server = try TestServer()
    for (length, status) in [
      ("zz", 400), ("-5", 400), ("10000000000000000", 400), ("fffffffffffffffff", 400), ("", 400),
      // A reader that trims a space and one that does not see different bodies.
      ("3 ", 400), ("3\t", 400), (" 3", 400), ("3 ;a=b", 400), ("+3", 400), ("0x3", 400),
      ("3;a=b", 200), ("003", 200),
    ] {
      let answer = server.answer(
        to: Self.post + "Transfer-Encoding: chunked\r\n\r\n\(length)\r\nabc\r\n0\r\n\r\n")
      #expect(Self.status(answer, server) == status, "\(length)")
    }
    #expect(server.isQuiet())
  }

  @Test("One byte at a time does not hold a connection", .timeLimit(.minutes(1)))
  func slowLoris() throws {
    let server = try TestServer {
      $0.headDeadline = .milliseconds(300)
      $0.idleTimeout = .seconds(5)
    } routes: {
      $0.post("/short", body: .memory(limit: 1_000), deadline: .milliseconds(300)) { _ in .empty() }
    }
    for start in ["", "POST /short HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\n"] {
      let client = server.client()
      client.send(start)
      var sent = 0
      while sent < 200, client.send("a") {
        usleep(10_000)
        sent += 1
      }
      #expect(sent < 200)
    }
    #expect(server.isQuiet())
    #expect(server.records.all.withLock { $0.last?.outcome } == .expired)
  }

  @Test("A client that disconnects anywhere leaves nothing behind")
  func hangUps() throws {
    let server = try TestServer()
    let form = Array(
      """
      POST /form HTTP/1.1\r
      Host: a\r
      Content-Type: multipart/form-data; boundary=xx\r
      Content-Length: 128\r
      \r
      --xx\r
      Content-Disposition: form-data; name="file"; filename="a.bin"\r
      \r
      0123456789012345678901234567890123456789\r
      --xx--\r\n
      """.utf8)
    let file =
      Array(
        "PUT /file HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n".utf8)
      + [UInt8](repeating: 65, count: 100)
    for request in [form, file] {
      for length in 0..<request.count {
        let client = server.client()
        client.send(Array(request[..<length]))
      }
    }
    #expect(server.isUnspooled() && server.isQuiet())
    #expect(server.answer(to: file)?.text.hasPrefix("100 ") == true)
  }
}
