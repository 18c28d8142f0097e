import Glibc
import HTTP
import TestSupport
import Testing

/// Parts of files, as download managers and interrupted downloads request them (RFC 9110 14).
@Suite(.serialized)
struct RangeTests {
  private static let size = 300_000
  private static let bytes = (0..<size).map { UInt8($0 % 251) }

  private static func server() throws -> TestServer {
    let folder = ScratchFolder()
    let path = folder.write("file", bytes)
    let empty = folder.write("empty", [])
    return try TestServer({ _ in }) { router in
      router.get("/file") { request in
        _ = folder
        return Response.file(try ResponseFile(path: path), type: "application/octet-stream")
          .tagged("abc", for: request.head).ranged(for: request.head)
      }
      router.get("/empty") { request in
        Response.file(try ResponseFile(path: empty), type: "application/octet-stream")
          .ranged(for: request.head)
      }
      router.get("/bytes") { Response.text("0123456789").ranged(for: $0.head) }
      router.get("/refused") { Response.text("no", status: 403).ranged(for: $0.head) }
    }
  }

  @Test(
    "One range of bytes is answered with these bytes",
    arguments: [
      ("bytes=0-0", 0..<1), ("bytes=0-499", 0..<500), ("bytes=500-", 500..<300_000),
      ("bytes=-500", 299_500..<300_000), ("bytes=299999-", 299_999..<300_000),
      ("bytes=-300000", 0..<300_000), ("bytes=-9223372036854775808", 0..<300_000),
      ("bytes=-99999999999999999999999", 0..<300_000),
      ("bytes=10-9223372036854775807", 10..<300_000),
      ("bytes=10-18446744073709551616", 10..<300_000),
      ("BYTES=7-9", 7..<10), ("bytes= 7-9 ", 7..<10), ("bytes=7-9,", 7..<10),
    ])
  func parts(_ range: (String, Range<Int>)) throws {
    let server = try Self.server()
    let client = server.client()
    client.request("GET", "/file", headers: ["Range: \(range.0)"])
    let answer = try #require(client.answer())
    #expect(answer.status == 206)
    let (first, last) = (range.1.lowerBound, range.1.upperBound - 1)
    #expect(answer.headers["content-range"] == "bytes \(first)-\(last)/300000")
    #expect(answer.headers["content-length"] == "\(range.1.count)")
    #expect(answer.headers["accept-ranges"] == "bytes")
    #expect(answer.headers["etag"] == "\"abc\"")
    #expect(answer.body == Array(Self.bytes[range.1]))
  }

  @Test(
    "A range beyond the end is refused with the length",
    arguments: [
      "bytes=300000-", "bytes=300000-300001", "bytes=-0", "bytes=9223372036854775808-",
      "bytes=18446744073709551615-18446744073709551615", "bytes=99999999999999999999999-",
    ])
  func behindTheEnd(_ range: String) throws {
    let server = try Self.server()
    let client = server.client()
    client.request("GET", "/file", headers: ["Range: \(range)"])
    let answer = try #require(client.answer())
    #expect(answer.status == 416)
    #expect(answer.headers["content-range"] == "bytes */300000")
    // The connection stays open.
    client.request("GET", "/bytes", headers: ["Range: bytes=-2"])
    #expect(client.answer()?.text == "89")
  }

  @Test(
    "What is not one range of bytes is answered with the whole file",
    arguments: [
      "bytes=0-1,5-9", "bytes=5-1", "bytes=-", "bytes=", "bytes", "bytes=a-b", "bytes=+1-2",
      "bytes=1-2-3", "bytes=--1", "items=0-1", "bytes=0x1-2", "bytes=1 -2", "bytes=\u{661}-2", "",
    ])
  func whole(_ range: String) throws {
    let server = try Self.server()
    let client = server.client()
    client.request("GET", "/file", headers: ["Range: \(range)"])
    let answer = try #require(client.answer())
    #expect(answer.status == 200)
    #expect(answer.headers["content-range"] == nil)
    #expect(answer.body == Self.bytes)
  }

  @Test("A changed file is sent whole; HEAD has no range, nor has an empty file")
  func conditions() throws {
    let server = try Self.server()
    let client = server.client()
    func status(_ headers: [String], _ method: String = "GET", _ path: String = "/file") -> Int? {
      client.request(method, path, headers: headers)
      return client.answer(toHead: method == "HEAD")?.status
    }
    let range = "Range: bytes=0-1"
    #expect(status([range, "If-Range: \"abc\""]) == 206)
    #expect(status([range, "If-Range: \"abd\""]) == 200)
    #expect(status([range, "If-Range: W/\"abc\""]) == 200)
    #expect(status([range, "If-Range: Wed, 21 Oct 2015 07:28:00 GMT"]) == 200)
    #expect(status([range, "If-None-Match: \"abc\""]) == 304)
    #expect(status([range, range]) == 200)
    #expect(status([range], "GET", "/empty") == 200)
    #expect(status([range], "GET", "/refused") == 403)
    client.request("HEAD", "/file", headers: [range])
    let head = client.answer(toHead: true)
    #expect(head?.status == 200)
    #expect(head?.headers["content-length"] == "300000")
    #expect(head?.headers["accept-ranges"] == "bytes")
  }

  @Test(
    "curl goes on where a download of more than 4 GB was cut off",
    .enabled(if: OtherTool.path("curl") != nil, "curl is not installed"))
  func largeFile() throws {
    let folder = ScratchFolder()
    let path = folder.path + "/large"
    let size = (5 << 30) + 7
    let file = open(path, O_CREAT | O_RDWR, 0o600)
    #expect(ftruncate(file, size) == 0)
    #expect(pwrite(file, "tail", 4, size - 4) == 4)
    #expect(pwrite(file, "head", 4, 0) == 4)
    close(file)
    let server = try TestServer({ _ in }) { router in
      router.get("/large") { request in
        Response.file(try ResponseFile(path: path), type: "application/octet-stream")
          .tagged("large", for: request.head).ranged(for: request.head)
      }
    }
    let curl = try #require(OtherTool.path("curl"))
    let url = "http://127.0.0.1:\(server.port)/large"
    let head = try #require(OtherTool.output(of: "\(curl) -sI \(url)"))
    #expect(head.contains("Content-Length: \(size)\r\n"))
    #expect(OtherTool.output(of: "\(curl) -s -r -4 \(url)") == "tail")
    #expect(OtherTool.output(of: "\(curl) -s -r 0-3 \(url)") == "head")
    // The existing part of the file was cut off; curl fetches only the rest.
    let part = open(folder.path + "/part", O_CREAT | O_RDWR, 0o600)
    #expect(ftruncate(part, size - 6) == 0)
    close(part)
    #expect(
      OtherTool.output(of: "\(curl) -s -C - -o \(folder.path)/part -w %{http_code} \(url)")
        == "206")
    var status = stat()
    #expect(stat(folder.path + "/part", &status) == 0 && Int(status.st_size) == size)
    let around = "bytes \((4 << 30) - 2)-\((4 << 30) + 1)/\(size)"
    let answer = OtherTool.output(of: "\(curl) -s -i -r \((4 << 30) - 2)-\((4 << 30) + 1) \(url)")
    #expect(answer?.contains("Content-Range: \(around)\r\n") == true)
    #expect(answer?.hasSuffix("\r\n\r\n\0\0\0\0") == true)
  }
}
