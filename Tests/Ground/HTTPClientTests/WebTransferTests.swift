import Bytes
import HTTPClient
import TestSupport
import Testing

private typealias Reply = ScriptedServer.Reply

@Suite("Transfers") struct WebTransferTests {
  private final class Sink: WebSink {
    var heads: [WebHead] = []
    var bytes: [UInt8] = []
    var limit = Int.max

    func begin(_ head: WebHead) -> Bool {
      heads.append(head)
      return true
    }

    func take(_ part: RawSpan) -> Bool {
      part.withUnsafeBytes { bytes += $0 }
      return bytes.count <= limit
    }
  }

  private func transfer(
    _ server: ScriptedServer, _ request: WebRequest, to sink: Sink = Sink(),
    _ change: (inout WebTransferOptions) -> Void = { _ in }
  ) throws -> WebHead {
    var options = WebTransferOptions()
    change(&options)
    return try WebSenderPool(agent: "tests").transfer(request, to: sink, options)
  }

  @Test("The head comes before the body, without the heads before it and the trailers after it")
  func head() throws {
    let text =
      "HTTP/1.1 103 Early Hints\r\nA: 0\r\n\r\nHTTP/1.1 200 OK\r\nA: 1\r\na:  2 \r\n"
      + "Retry-After: 7\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nA: 3\r\n\r\n"
    let server = ScriptedServer { _ in Reply(raw: Array(text.utf8)) }
    let sink = Sink()
    let head = try transfer(server, WebRequest("GET", server.origin), to: sink)
    #expect(sink.heads.map(\.status) == [200])
    #expect(head.headers.filter { $0.name == "a" }.map(\.value) == ["1", "2"])
    #expect(head["retry-after"] == "7")
    #expect(head.retryAfter == 7)
    #expect(sink.bytes == Array("hi".utf8))
  }

  @Test("HEAD has no body, whatever its length; a path keeps its dots where that is asked for")
  func methods() throws {
    let server = ScriptedServer { _ in
      Reply(raw: Array("HTTP/1.1 302 Found\r\nContent-Length: 5\r\nLocation: ../c\r\n\r\n".utf8))
    }
    let url = server.origin + "/a/../b//c/./d"
    let head = try transfer(server, WebRequest("HEAD", url)) { $0.keepsPath = true }
    #expect(head["content-length"] == "5")
    _ = try transfer(server, WebRequest("HEAD", url))
    #expect(server.requests.map(\.target) == ["/a/../b//c/./d", "/b//c/d"])
    #expect(
      try transfer(server, WebRequest("HEAD", server.origin + "/a/b")).redirection
        == server.origin + "/c")
  }

  @Test("A sink ends a transfer, as do headers without end")
  func stopped() throws {
    let server = ScriptedServer { request in
      request.target == "/body"
        ? Reply(200, body: [UInt8](repeating: 1, count: 1 << 20))
        : Reply(
          raw: Array("HTTP/1.1 200 OK\r\n".utf8)
            + Array(String(repeating: "Name: value\r\n", count: 100_000).utf8))
    }
    for path in ["/body", "/headers"] {
      let sink = Sink()
      sink.limit = 1000
      #expect {
        try transfer(server, WebRequest("GET", server.origin + path), to: sink)
      } throws: {
        ($0 as? WebError)?.kind == .stopped
      }
    }
  }

  @Test("Requests share a connection")
  func connections() throws {
    let server = ScriptedServer { _ in Reply(200, body: [1]) }
    let pool = WebSenderPool(agent: "tests")
    for _ in 0..<20 {
      _ = try pool.transfer(WebRequest("GET", server.origin), to: Sink(), WebTransferOptions())
    }
    #expect(server.connections == 1)
  }

  @Test("No line of an answer is added to the answer before")
  func continuedLine() throws {
    // libcurl 7.88 would write into the last header of the first answer, which it has freed.
    let line = "HTTP/1.1 200 OK\r\n a: \(String(repeating: "c", count: 900))\r\n\r\n"
    let server = ScriptedServer { request in
      request.index % 2 == 0 ? Reply(200, headers: ["A: b"]) : Reply(raw: Array(line.utf8))
    }
    let pool = WebSenderPool(agent: "tests")
    for index in 0..<200 {
      let head = try? pool.transfer(
        WebRequest("GET", server.origin), to: Sink(), WebTransferOptions())
      #expect(index % 2 == 1 || head?["a"] == "b")
    }
    #expect(server.requests.count == 200)
  }

  @Test("Time limits and wrong addresses")
  func limits() throws {
    let server = ScriptedServer { _ in Reply(200, length: 10).stalling(20) }
    #expect {
      try transfer(server, WebRequest("GET", server.origin)) { $0.silence = 1 }
    } throws: {
      ($0 as? WebError)?.kind == .temporary
    }
    #expect {
      try transfer(server, WebRequest("GET", "ftp://127.0.0.1/"))
    } throws: {
      ($0 as? WebError)?.kind == .permanent
    }
  }
}
