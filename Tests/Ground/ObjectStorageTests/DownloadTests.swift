import Bytes
import Glibc
import ObjectStorage
import TestSupport
import Testing

private typealias Reply = ScriptedServer.Reply

@Suite("Downloads") struct DownloadTests {
  private static let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7 + $0 >> 8) }
  private static let tag = "ETag: \"v1\""

  /// The answer of a server that does everything right.
  private static func answer(_ request: ScriptedServer.Request) -> Reply {
    guard let range = range(of: request) else { return Reply(200, headers: [tag], body: bytes) }
    return part(range)
  }

  private static func range(of request: ScriptedServer.Request) -> Range<Int>? {
    guard let text = request.headers["range"] else { return nil }
    let ends = text.dropFirst("bytes=".count).split(
      separator: "-", omittingEmptySubsequences: false)
    guard let start = Int(ends[0]) else { return nil }
    return start..<min(Int(ends[1]).map { $0 + 1 } ?? bytes.count, bytes.count)
  }

  private static func part(
    _ range: Range<Int>, tag: String = tag, said: String? = nil, length: Int? = nil
  ) -> Reply {
    let said = said ?? "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(bytes.count)"
    return Reply(
      206, headers: [tag, "Content-Range: \(said)"], body: Array(bytes[range]), length: length)
  }

  @Test("An object, ranges of it, and the head")
  func whole() throws {
    let server = ScriptedServer { request in
      request.method == "HEAD"
        ? Reply(
          raw: Array("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\(Self.tag)\r\n\r\n".utf8))
        : Self.answer(request)
    }
    let store = try Fixture.store(server)
    let whole = try store.get(Fixture.object, limit: 100_000)
    #expect(whole.bytes.array == Self.bytes)
    #expect(whole.object.size == 100_000)
    #expect(whole.object.entityTag == "\"v1\"")
    let part = try store.get(Fixture.object, range: 10..<20, entityTag: "\"v1\"", limit: 10)
    #expect(part.bytes.array == Array(Self.bytes[10..<20]))
    #expect(part.object.size == 100_000)
    let end = try store.get(Fixture.object, range: 99_990..<200_000, limit: 1000)
    #expect(end.bytes.array == Array(Self.bytes[99_990...]))
    #expect(try store.get(Fixture.object, range: 5..<5, limit: 0).bytes.isEmpty)
    #expect(try store.head(Fixture.object)?.size == 100_000)
    for tag in ["W/\"v1\"", "\"v\r\nA: b\"", "v1", ""] {
      #expect(
        Fixture.error { _ = try store.get(Fixture.object, entityTag: tag, limit: 1 << 20) }?.kind
          == .malformed)
    }
    let requests = server.requests
    #expect(requests[0].target == "/bucket/dumps/a.dmp")
    #expect(requests[1].headers["if-match"] == "\"v1\"")
    #expect(requests[1].headers["range"] == "bytes=10-19")
    #expect(requests[0].headers["authorization"]?.hasPrefix("AWS4-HMAC-SHA256 ") == true)
  }

  @Test("An answer that is cut off is continued after its last byte", arguments: [true, false])
  func continued(isPlain: Bool) throws {
    let server = ScriptedServer { request in
      let range = Self.range(of: request) ?? 0..<Self.bytes.count
      guard request.index < 2 else { return Self.answer(request) }
      let some = Array(Self.bytes[range.prefix(30_000)])
      return request.index == 0
        ? Reply(200, headers: [Self.tag], body: some, length: range.count)
        : Reply(
          206,
          headers: [
            Self.tag, "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/100000",
          ], body: some, length: range.count)
    }
    let part =
      isPlain
      ? try WebObjects(agent: "tests", plan: Fixture.plan()).get(server.origin, limit: 1 << 20)
      : try Fixture.store(server).get(Fixture.object, limit: 1 << 20)
    #expect(part.bytes.array == Self.bytes)
    #expect(
      server.requests.map { $0.headers["range"] } == [
        nil, "bytes=30000-99999", "bytes=60000-99999",
      ])
    #expect(server.requests[1].headers["if-match"] == "\"v1\"")
  }

  @Test("Without a version, everything is read anew, unless it went into a pipe")
  func anew() throws {
    let answer: @Sendable (ScriptedServer.Request) -> Reply = { request in
      request.index == 0
        ? Reply(200, body: Array(Self.bytes[..<30_000]), length: 100_000)
        : Reply(200, body: Self.bytes)
    }
    let server = ScriptedServer(answer)
    #expect(try Fixture.store(server).get(Fixture.object, limit: 1 << 20).bytes.array == Self.bytes)
    #expect(server.requests.map { $0.headers["range"] } == [nil, nil])

    let folder = ScratchFolder()
    let path = folder.write("object", "head".utf8)
    let file = open(path, O_WRONLY | O_APPEND)
    defer { close(file) }
    let again = ScriptedServer(answer)
    lseek(file, 4, Int32(SEEK_SET))
    _ = try Fixture.store(again).get(Fixture.object, into: file, limit: 1 << 20)
    #expect(try ByteView(reading: path, limit: 1 << 20).array == Array("head".utf8) + Self.bytes)

    var ends: [Int32] = [0, 0]
    pipe(&ends)
    defer { ends.forEach { close($0) } }
    let third = ScriptedServer(answer)
    let store = try Fixture.store(third)
    #expect(
      Fixture.error { _ = try store.get(Fixture.object, into: ends[1], limit: 1 << 20) }?.kind
        == .unreachable)
  }

  @Test("A server that knows no ranges sends everything, of which the range is kept")
  func ignoredRange() throws {
    let server = ScriptedServer { _ in Reply(200, headers: [Self.tag], body: Self.bytes) }
    let web = WebObjects(agent: "tests", plan: Fixture.plan())
    let part = try web.get(server.origin + "/a", range: 50_000..<50_010, limit: 10)
    #expect(part.bytes.array == Array(Self.bytes[50_000..<50_010]))
    #expect(part.object.size == 100_000)
    #expect(
      Fixture.error { _ = try web.get(server.origin, range: 100_000..<100_001, limit: 9) }?
        .kind == .outOfRange)
  }

  @Test("An answer without a length ends with its connection or its last chunk")
  func noLength() throws {
    let server = ScriptedServer { request in
      request.target == "/chunks"
        ? Reply(
          raw: Array(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n".utf8))
        : Reply(raw: Array("HTTP/1.0 200 OK\r\n\r\nabc".utf8))
    }
    let web = WebObjects(agent: "tests", plan: Fixture.plan())
    for target in ["/chunks", "/end"] {
      let part = try web.get(server.origin + target, limit: 3)
      #expect(part.bytes.array == Array("abc".utf8))
      #expect(part.object.size == 3)
      #expect(
        Fixture.error { _ = try web.get(server.origin + target, limit: 2) }?.kind == .tooLarge)
    }
  }

  @Test("An answer that contradicts the request or itself is an error")
  func lies() throws {
    let replies: [@Sendable () -> Reply] = [
      { Self.part(0..<10, said: "bytes 1-10/100000") },
      { Self.part(0..<11, said: "bytes 0-10/100000") },
      { Self.part(0..<10, said: "bytes 0-9/*", length: 11) },
      { Self.part(0..<9, said: "bytes 0-9/100000") },
      { Self.part(0..<5, said: "bytes 0-4/*") },
      { Self.part(0..<10, said: "bytes 0-9/5") },
      { Self.part(0..<10, said: "bytes 0-99999999999999999999/99999999999999999999") },
      { Self.part(0..<10, said: "bytes -5-9/100") },
      { Self.part(0..<10, said: "pages 0-9/100") },
      { Reply(206, body: Array(Self.bytes[..<10])) },
      { Reply(204) },
      { Reply(raw: Array("HTTP/1.1 206 Partial\r\nContent-Length: -1\r\n\r\n".utf8)) },
    ]
    for reply in replies {
      let server = ScriptedServer { _ in reply() }
      let store = try Fixture.store(server, tries: 1)
      let error = Fixture.error { _ = try store.get(Fixture.object, range: 0..<10, limit: 100) }
      #expect([.malformed, .unreachable].contains(error?.kind))
      #expect(error?.description.hasPrefix("s3://bucket/dumps/a.dmp: ") == true)
    }
  }

  @Test("Another version between two answers is an error, in whatever way the server shows it")
  func changed() throws {
    for reply: @Sendable () -> Reply in [
      { Self.part(30_000..<100_000, tag: "ETag: \"v2\"") },
      { Reply(412, body: Fixture.document("PreconditionFailed")) },
      { Reply(200, headers: ["ETag: \"v2\""], body: Self.bytes) },
    ] {
      let server = ScriptedServer { request in
        request.index == 0
          ? Reply(200, headers: [Self.tag], body: Array(Self.bytes[..<30_000]), length: 100_000)
          : reply()
      }
      let store = try Fixture.store(server)
      #expect(Fixture.error { _ = try store.get(Fixture.object, limit: 1 << 20) }?.kind == .changed)
    }
  }

  @Test("No more is taken than the limit, and a length alone takes no memory")
  func limits() throws {
    let server = ScriptedServer { request in
      request.target.hasSuffix("claim")
        ? Reply(200, body: [1], length: .max) : Self.answer(request)
    }
    let store = try Fixture.store(server, tries: 1)
    #expect(Fixture.error { _ = try store.get(Fixture.object, limit: 99_999) }?.kind == .tooLarge)
    let claim = Fixture.address("s3://bucket/claim")
    #expect(Fixture.error { _ = try store.get(claim, limit: .max) }?.kind == .unreachable)
    #expect(
      Fixture.error { _ = try store.get(Fixture.object, range: 0..<100, limit: 99) }?.kind
        == .tooLarge)
  }

  @Test("The beginning of an empty object is nothing; a range after the end is an error")
  func empty() throws {
    let server = ScriptedServer { request in
      request.headers["range"] == nil
        ? Reply(200) : Reply(416, body: Fixture.document("InvalidRange"))
    }
    let store = try Fixture.store(server)
    #expect(try store.get(Fixture.object, limit: 0).bytes.isEmpty)
    #expect(try store.get(Fixture.object, range: 0..<4096, limit: 4096).object.size == 0)
    #expect(
      Fixture.error { _ = try store.get(Fixture.object, range: 9..<10, limit: 9) }?.kind
        == .outOfRange)
  }

  @Test("A server that breaks off each time is given up, however much it sent")
  func neverDone() throws {
    let bytes = [UInt8](repeating: 1, count: 3 << 20)
    for headers in [[], [Self.tag]] {
      // It ignores ranges, so that no try comes further than the first.
      let server = ScriptedServer { _ in Reply(200, headers: headers, body: bytes, length: 9 << 20)
      }
      let store = try Fixture.store(server)
      #expect(
        Fixture.error { _ = try store.get(Fixture.object, limit: 1 << 30) }?.kind == .unreachable)
      #expect(server.requests.count <= 4)
    }
  }

  @Test("A server that stalls is given up after the time limit")
  func stalled() throws {
    let server = ScriptedServer { request in
      request.index == 0
        ? Reply(200, headers: [Self.tag], body: Array(Self.bytes[..<30_000]), length: 100_000)
          .stalling(30)
        : Self.answer(request)
    }
    var limits = ObjectStoreLimits()
    limits.silence = 1
    let store = try Fixture.store(server, limits: limits)
    #expect(try store.get(Fixture.object, limit: 1 << 20).bytes.array == Self.bytes)
  }

  @Test("Any answer ends in bytes or an error")
  func hostile() throws {
    let whole = Self.part(0..<100).parts[0].bytes
    let copies = Mutator.binary(whole, count: TestSize.of(small: 150, all: 3000), seed: 5)
    var mutator = Mutator(seed: 6)
    let answers = copies + mutator.copies(of: whole, count: TestSize.of(small: 150, all: 3000))
    let server = ScriptedServer { Reply(raw: answers[$0.index]) }
    var limits = ObjectStoreLimits()
    limits.silence = 1
    let store = try Fixture.store(server, tries: 1, limits: limits)
    for _ in answers {
      let part = try? store.get(Fixture.object, range: 0..<100, limit: 100)
      #expect(part?.bytes.count ?? 0 <= 100)
    }
    #expect(server.requests.count == answers.count)
  }
}

@Suite("Files at plain addresses") struct WebObjectsTests {
  @Test("Redirections are followed, as far as they are safe")
  func redirections() throws {
    let server = ScriptedServer { request in
      switch request.target {
      case "/a": Reply(302, headers: ["Location: /b?secret"], body: Array("moved".utf8))
      case "/b?secret": Reply(200, body: Array("bytes".utf8))
      case "/file": Reply(302, headers: ["Location: file:///etc/passwd"])
      case "/none": Reply(302)
      default: Reply(307, headers: ["Location: /circle"])
      }
    }
    let web = WebObjects(agent: "tests", plan: Fixture.plan())
    #expect(try web.get(server.origin + "/a", limit: 5).bytes.array == Array("bytes".utf8))
    #expect(try web.head(server.origin + "/a")?.size == 5)
    for path in ["/circle", "/file", "/none"] {
      #expect(Fixture.error { _ = try web.get(server.origin + path, limit: 5) }?.kind == .refused)
    }
    #expect(server.requests.allSatisfy { $0.headers["authorization"] == nil })
  }

  @Test("Secrets of an address appear in no error")
  func secrets() throws {
    let server = ScriptedServer { $0.method == "HEAD" ? Reply(404) : Reply(403) }
    let web = WebObjects(agent: "tests", plan: Fixture.plan())
    let url = "http://user:secret@127.0.0.1:\(server.port)/a.dmp?X-Amz-Signature=secret#secret"
    #expect(
      Fixture.error { _ = try web.get(url, limit: 5) }?.description
        == "http://127.0.0.1:\(server.port)/a.dmp: the server answered 403")
    #expect(try web.head(server.origin) == nil)
    for wrong in ["ftp://a/b", "http://a b/", "/etc/passwd", "http://a\r\nb/"] {
      #expect(Fixture.error { _ = try web.get(wrong, limit: 5) }?.kind == .configuration)
    }
  }
}
