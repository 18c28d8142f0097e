import Bytes
import Glibc
import ObjectStorage
import Synchronization
import TestSupport
import Testing

private typealias Reply = ScriptedServer.Reply

@Suite("Refusals of a store") struct FailureTests {
  @Test(
    "Temporary refusals are tried again",
    arguments: [
      (500, "InternalError"), (502, ""), (503, "SlowDown"), (504, ""), (429, "TooMany"),
      (408, ""), (400, "RequestTimeout"), (403, "RequestLimitExceeded"),
    ])
  func temporary(status: Int, code: String) throws {
    let server = ScriptedServer { request in
      request.index == 0
        ? Reply(status, body: Fixture.document(code)) : Reply(200, body: [1, 2])
    }
    #expect(try Fixture.store(server).get(Fixture.object, limit: 2).bytes.array == [1, 2])
    let always = ScriptedServer { _ in Reply(status, body: Fixture.document(code)) }
    let store = try Fixture.store(always, tries: 3)
    #expect(Fixture.error { _ = try store.get(Fixture.object, limit: 2) }?.failureKind != nil)
    #expect(always.requests.count == 3)
  }

  @Test("Final refusals name the object, the code and what to check")
  func final() throws {
    let long = String(repeating: "x", count: 5000) + "\u{1b}[31m"
    for (status, code, kind, advice): (Int, String, ObjectStorageError.Kind, String) in [
      (404, "NoSuchKey", .notFound, ""), (404, "NoSuchBucket", .notFound, "name of the bucket"),
      (403, "AccessDenied", .notAllowed, "s3:GetObject"),
      (403, "SignatureDoesNotMatch", .notAllowed, "AWS_SECRET_ACCESS_KEY"),
      (403, "InvalidAccessKeyId", .notAllowed, "AWS_ACCESS_KEY_ID"),
      (403, "RequestTimeTooSkewed", .notAllowed, "clock"),
      (301, "PermanentRedirect", .refused, "AWS_REGION"), (400, "Odd\u{7}", .refused, ""),
      (501, "NotImplemented", .refused, ""),
    ] {
      let server = ScriptedServer { _ in Reply(status, body: Fixture.document(code, long)) }
      let store = try Fixture.store(server)
      let error = try #require(
        Fixture.error { _ = try store.get(Fixture.object, limit: 2) })
      #expect(error.kind == kind)
      #expect(error.status == status)
      #expect(error.description.hasPrefix("s3://bucket/dumps/a.dmp: "))
      #expect(error.description.contains(advice))
      #expect(error.description.utf8.count < 700)
      #expect(!error.description.unicodeScalars.contains { $0.value < 0x20 })
      #expect(!error.description.contains("wJalr"))
      #expect(server.requests.count == 1)
    }
  }

  @Test("An error's document may be anything")
  func documents() throws {
    for body in [
      Array("<html>".utf8), [], [0xff, 0xfe], [UInt8](repeating: 60, count: 200_000),
      Array("<Error><Code>\(String(repeating: "é", count: 100))</Code></Error>".utf8),
    ] {
      let server = ScriptedServer { _ in Reply(403, body: body) }
      let store = try Fixture.store(server)
      #expect(Fixture.error { _ = try store.get(Fixture.object, limit: 2) }?.kind == .notAllowed)
    }
  }

  @Test("A bucket in another region is asked there, once, and then from the start")
  func region() throws {
    let server = ScriptedServer { request in
      if request.headers["authorization"]?.contains("/eu-west-3/s3/") == true {
        return Reply(200, body: [1])
      }
      return request.target.contains("malformed")
        ? Reply(
          400,
          body: Fixture.document(
            "AuthorizationHeaderMalformed", more: "<Region>eu-west-3</Region>"))
        : Reply(301, headers: ["x-amz-bucket-region: eu-west-3"])
    }
    for name in ["s3://moved/key", "s3://malformed/key"] {
      let store = try Fixture.store(server)
      for _ in 0..<2 {
        #expect(try store.get(Fixture.address(name), limit: 1).bytes.array == [1])
      }
    }
    #expect(server.requests.count == 6)

    let liar = ScriptedServer { request in
      Reply(301, headers: ["x-amz-bucket-region: \(request.index == 0 ? "eu-1" : "eu-2")"])
    }
    let store = try Fixture.store(liar)
    #expect(Fixture.error { _ = try store.head(Fixture.object) }?.kind == .refused)
    #expect(liar.requests.count == 2)
    let evil = ScriptedServer { _ in
      Reply(301, headers: ["x-amz-bucket-region: evil.example.org/"])
    }
    let other = try Fixture.store(evil)
    #expect(Fixture.error { _ = try other.head(Fixture.object) }?.kind == .refused)
    #expect(evil.requests.count == 1)
  }

  @Test("Nobody answers, or not with HTTP")
  func unreachable() throws {
    for endpoint in ["http://127.0.0.1:1", "http://[::1]:1"] {
      let store = try Fixture.store(at: endpoint, tries: 2)
      #expect(Fixture.error { _ = try store.head(Fixture.object) }?.failureKind == .unreachable)
    }
    for raw in ["", "SSH-2.0-OpenSSH\r\n", "HTTP/1.1 200 OK\r\nA: "] {
      let server = ScriptedServer { _ in Reply(raw: Array(raw.utf8)) }
      let store = try Fixture.store(server, tries: 1)
      #expect(Fixture.error { _ = try store.get(Fixture.object, limit: 9) } != nil)
    }
    let endless = ScriptedServer { _ in
      Reply(raw: Array("HTTP/1.1 200 OK\r\n".utf8) + [UInt8](repeating: 65, count: 1 << 20))
    }
    let store = try Fixture.store(endless, tries: 1)
    #expect(Fixture.error { _ = try store.get(Fixture.object, limit: 9) } != nil)
  }

  @Test("Of several threads each has a connection of its own")
  func threads() throws {
    let server = ScriptedServer { Reply(200, body: Array($0.target.utf8)) }
    let store = try Fixture.store(server)
    let wrong = Mutex(0)
    runThreads(8) {
      for number in 0..<50 {
        let bytes = try? store.get(Fixture.address("s3://bucket/\(number)"), limit: 99).bytes.array
        if bytes != Array("/bucket/\(number)".utf8) { wrong.withLock { $0 += 1 } }
      }
    }
    #expect(wrong.withLock { $0 } == 0)
    #expect(server.requests.count == 400)
  }

  @Test("Without credentials, requests are not signed")
  func unsigned() throws {
    let server = ScriptedServer { request in
      request.index == 0
        ? Reply(200, body: [1]) : Reply(403, body: Fixture.document("AccessDenied"))
    }
    let store = try Fixture.store(at: server.origin, credentials: nil)
    #expect(try store.get(Fixture.object, limit: 1).bytes.array == [1])
    #expect(server.requests[0].headers["authorization"] == nil)
    #expect(
      Fixture.error { _ = try store.get(Fixture.object, limit: 1) }?.advice?.contains("not signed")
        == true)
  }
}

@Suite("Writing to a store") struct WritingTests {
  private static func isPut(_ request: ScriptedServer.Request) -> Bool { request.method == "PUT" }

  @Test("The first writer wins, also when the answer to its first try is lost")
  func lostAnswer() throws {
    for isOwn in [true, false] {
      let writer = Mutex("")
      let server = ScriptedServer { request in
        switch (request.method, request.index) {
        case ("PUT", 0):
          writer.withLock { $0 = request.headers["x-amz-meta-mayday-writer"] ?? "" }
          return Reply(raw: [])
        case ("PUT", _): return Reply(412, body: Fixture.document("PreconditionFailed"))
        default:
          let name = isOwn ? writer.withLock { $0 } : "another"
          return Reply(200, headers: ["x-amz-meta-mayday-writer: \(name)"])
        }
      }
      let store = try Fixture.store(server)
      let outcome = try store.put(ByteView([1]), at: Fixture.object, ifAbsent: true)
      #expect(outcome == (isOwn ? .stored : .existed))
      #expect(server.requests.map(\.method) == ["PUT", "PUT", "HEAD"])
      #expect(server.requests[0].headers["if-none-match"] == "*")
    }
  }

  @Test("Parts of an upload are deleted if it fails")
  func aborted() throws {
    let folder = ScratchFolder()
    let path = folder.write("large", [UInt8](repeating: 7, count: 11 << 20))
    var limits = ObjectStoreLimits()
    limits.wholeUpload = 1 << 20
    limits.partBytes = 5 << 20
    for last in ["parts", "answer"] {
      let server = ScriptedServer { request in
        switch request.method {
        case "POST" where request.target.hasSuffix("?uploads="):
          return Reply(
            200,
            body: Array(
              "<InitiateMultipartUploadResult><UploadId>u&amp;1</UploadId>".utf8)
              + Array("</InitiateMultipartUploadResult>".utf8))
        case "PUT" where last == "parts" && request.target.contains("partNumber=2"):
          return Reply(403, body: Fixture.document("AccessDenied"))
        case "PUT": return Reply(200, headers: ["ETag: \"<t>\""])
        case "POST": return Reply(200, body: Fixture.document("InternalError"))
        default: return Reply(204)
        }
      }
      let store = try Fixture.store(server, limits: limits)
      let file = try #require(fopen(path, "r"))
      defer { fclose(file) }
      let error = Fixture.error { try store.put(contentsOf: fileno(file), at: Fixture.object) }
      #expect(error?.kind == (last == "parts" ? .notAllowed : .unreachable))
      let final = try #require(server.requests.last)
      #expect(final.method == "DELETE")
      #expect(final.target == "/bucket/dumps/a.dmp?uploadId=u%261")
    }
  }

  @Test("A whole bucket is neither written to nor deleted, and a folder is not a file")
  func refused() throws {
    let server = ScriptedServer { _ in Reply(200) }
    let store = try Fixture.store(server)
    let bucket = Fixture.address("s3://bucket/")
    #expect(Fixture.error { try store.delete(bucket) }?.kind == .configuration)
    #expect(Fixture.error { try store.put(.empty, at: bucket) }?.kind == .configuration)
    let folder = open("/tmp", O_RDONLY)
    defer { close(folder) }
    #expect(
      Fixture.error { try store.put(contentsOf: folder, at: Fixture.object) }?.kind == .local)
    #expect(Fixture.error { try store.put(contentsOf: -1, at: Fixture.object) }?.kind == .local)
    #expect(server.requests.isEmpty)
  }
}
