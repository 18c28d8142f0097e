import Glibc
import HTTP
import TestSupport
import Testing

/// Checks made before the HTTP library sees a request: line ends, folds, NULs, chunks.
@Suite(.serialized)
struct RawHeadTests {
  private static let post = "POST /memory HTTP/1.1\r\nHost: a\r\n"
  private static let get = "GET /hello HTTP/1.1\r\nHost: a\r\n"
  private static let chunked = post + "Transfer-Encoding: chunked\r\n\r\n"

  /// All responses on their own connection, until the server ends it.
  private func statuses(_ server: TestServer, _ text: String) -> [Int] {
    let client = server.client()
    client.send(text)
    client.finishSending()
    var statuses: [Int] = []
    while let answer = client.answer() { statuses.append(answer.status) }
    return statuses
  }

  @Test(
    "A head that is not plain is refused once, by a problem document, and ends its connection",
    arguments: [
      (post + "Content-Length:\r\n 3\r\n\r\n", 400),
      (post + "Content-Length: 1\r\n 0\r\n\r\n", 400),
      (post + "X-A: b\r\n\tContent-Length: 3\r\n\r\n", 400),
      (post + "Transfer-Encoding:\r\n chunked\r\n\r\n", 400),
      (post + "Content-Length: 3\u{0}\r\n\r\n", 400),
      (post + "Content-Length: 3\u{0}42\r\n\r\n", 400),
      (post + "Content-Length\u{0}: 3\r\n\r\n", 400),
      (get + "X-A: b\u{0}c\r\n\r\n", 400),
      ("GET /hello\u{0}x HTTP/1.1\r\nHost: a\r\n\r\n", 400),
      ("GET /hello HTTP/1.1\nHost: a\r\n\r\n", 400),
      (get + "X-A: b\nX-C: d\r\n\r\n", 400),
      (get + "\n", 400),
      ("\r\n" + get + "\r\n", 400),
      (get + "X-A: b\rContent-Length: 3\r\n\r\n", 400),
      ("GET  /hello HTTP/1.1\r\nHost: a\r\n\r\n", 400),
      ("GET /hello\r\n\r\n", 400),
      ("GET /hello HTTP/2.0\r\nHost: a\r\n\r\n", 505),
      (post + "Expect: 200-ok\r\nContent-Length: 3\r\n\r\n", 417),
      (post + "Content-Length: 9223372036854775808\r\n\r\n", 413),
      (post + "Content-Length: 18446744073709551615\r\n\r\n", 413),
      (
        post + "Content-Length: 3\r\nContent-Type: multipart/form-data; boundary="
          + String(repeating: "b", count: 40_000) + "\r\n\r\n", 400
      ),
      (get + String(repeating: "X-A: b\r\n", count: 300) + "\r\n", 431),
      (get + "X-A: " + String(repeating: "b", count: 70_000) + "\r\n\r\n", 431),
      ("GET /" + String(repeating: "a", count: 70_000) + " HTTP/1.1\r\nHost: a\r\n\r\n", 414),
    ])
  func refusals(request: String, status: Int) throws {
    let server = try TestServer()
    let client = server.client()
    client.send(request + Self.get + "\r\n")
    let answer = client.answer()
    #expect(answer?.status == status)
    #expect(answer?.headers["content-type"] == "application/problem+json")
    #expect(answer?.headers["connection"]?.lowercased() == "close")
    #expect(answer?.text.contains("\"status\":\(status)") == true)
    #expect(client.answer() == nil)
    #expect(client.isEnded())
  }

  @Test(
    "A body whose chunks are not plain is 400, and nothing after it is read",
    arguments: [
      "3\nabc\r\n0\r\n\r\n", "3\r\nabc\n0\r\n\r\n", "3\r\nabc\r\n0\n\r\n", "3\r\nabc\r\n0\r\n\n",
      "3\r\nabcd\r\n0\r\n\r\n", "5\r\nabc\r\n0\r\n\r\n", "+3\r\nabc\r\n0\r\n\r\n",
      "0x3\r\nabc\r\n0\r\n\r\n", "\r\nabc\r\n0\r\n\r\n", " 3\r\nabc\r\n0\r\n\r\n",
      "10000000000000003\r\nabc\r\n0\r\n\r\n", "3\u{0}\r\nabc\r\n0\r\n\r\n",
      "3;a\nb\r\nabc\r\n0\r\n\r\n", "3\r\nabc\r\n0\r\nX-A: b\r\n c\r\n\r\n",
      "3\r\nabc\r\n0\r\nX-A\r\n\r\n",
    ])
  func chunks(body: String) throws {
    let server = try TestServer()
    #expect(statuses(server, Self.chunked + body + Self.get + "\r\n") == [400])
  }

  @Test("A stream of requests is the same wherever it is split")
  func cuts() throws {
    let server = try TestServer()
    let stream = Array(
      (Self.get + "\r\n" + Self.post + "Content-Length: 5\r\n\r\nabcde" + Self.chunked
        + "3;x=y\r\nabc\r\n00A\r\n0123456789\r\n0\r\nX-T: v\r\n\r\n" + Self.get + "\r\n"
        + Self.post + "Content-Length: 1\r\n 0\r\n\r\n" + Self.get + "\r\n").utf8)
    for cut in 1..<stream.count {
      let client = server.client()
      client.send(Array(stream[..<cut]))
      usleep(500)
      client.send(Array(stream[cut...]))
      let answers = (0..<5).map { _ in client.answer() }
      #expect(answers.map { $0?.status } == [200, 200, 200, 200, 400], "cut at \(cut)")
      #expect(answers[1]?.text == "5" && answers[2]?.text == "13", "cut at \(cut)")
      #expect(client.answer() == nil, "cut at \(cut)")
    }
  }

  @Test("Large bodies of chunks and of a length come through whole, a request after them too")
  func large() throws {
    let server = try TestServer()
    let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let client = server.client()
    client.request("PUT", "/file", body: body)
    let answer = client.answer()?.text
    #expect(answer?.hasPrefix("3000000 ") == true)
    var chunked = Array("PUT /file HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
    var rest = body[...]
    var size = 1
    while !rest.isEmpty {
      let piece = rest.prefix(size)
      chunked += Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [13, 10]
      rest = rest.dropFirst(size)
      size = size * 3 % 70_001 + 1
    }
    client.send(chunked + Array("0\r\n\r\n".utf8))
    #expect(client.answer()?.text == answer)
    client.request("GET", "/hello")
    #expect(client.answer()?.status == 200)
  }

  @Test("Large heads sent without waiting are answered in order, up to a bound")
  func waiting() throws {
    let server = try TestServer()
    let head = Self.get + "X-A: " + String(repeating: "b", count: 30_000) + "\r\n\r\n"
    let client = server.client()
    client.send(String(repeating: head, count: 100))
    client.finishSending()
    var statuses: [Int] = []
    while let answer = client.answer() { statuses.append(answer.status) }
    #expect(statuses.count >= 4)
    #expect(statuses.dropLast().allSatisfy { $0 == 200 })
    #expect(statuses.last == 431)
    // Many small ones are not too many.
    #expect(self.statuses(server, String(repeating: Self.get + "\r\n", count: 500)).count == 500)
  }

  @Test("A query of a thousand items is read, one more gives 414")
  func items() throws {
    let server = try TestServer()
    for (count, status) in [(701, 200), (1_000, 200), (1_001, 414)] {
      let query = (0..<count).map { "a=\($0)" }.joined(separator: "&")
      let answer = server.answer(to: "GET /query?\(query) HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(answer?.status == status)
      if status == 200 { #expect(answer?.text.split(separator: ";").count == count) }
    }
    let answer = server.answer(to: "GET /query?a=b+c%2Bd&&e&=f HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(answer?.text == "a=b c+d;e=;=f")
  }
}
