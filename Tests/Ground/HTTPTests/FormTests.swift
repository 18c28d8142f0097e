import Glibc
import HTTP
import Synchronization
import TestSupport
import Testing

/// `multipart/form-data`, as clients send it, and malformed.
@Suite(.serialized)
struct FormTests {
  static let type = "Content-Type: multipart/form-data; boundary=xx"

  static func part(_ disposition: String, _ body: [UInt8], type: String? = nil) -> [UInt8] {
    let line = type.map { "Content-Type: \($0)\r\n" } ?? ""
    return Array("--xx\r\nContent-Disposition: form-data; \(disposition)\r\n\(line)\r\n".utf8)
      + body + [13, 10]
  }

  static let end = Array("--xx--\r\n".utf8)

  @Test("Fields, files, large files and empty ones")
  func parts() throws {
    let server = try TestServer()
    let body =
      Self.part(#"name="prod""#, Array("Tern".utf8))
      + Self.part(
        #"name="upload_file_minidump"; filename="../../x.dmp""#,
        [UInt8](repeating: 13, count: 300_000), type: "application/octet-stream")
      + Self.part(#"name="empty"; filename="e.txt""#, [])
      + Self.part(#"name="same""#, [49])
      + Self.part(#"name="same""#, [50])
      + Self.end
    let client = server.client()
    client.request("POST", "/form", headers: [Self.type], body: body)
    #expect(
      client.answer()?.text == """
        prod|-|-|4
        upload_file_minidump|../../x.dmp|application/octet-stream|300000
        empty|e.txt|-|0
        same|-|-|1
        same|-|-|1
        """)
    client.request(
      "POST", "/form", headers: [Self.type, "Content-Encoding: gzip"], body: CodingTests.gzip(body))
    #expect(client.answer()?.text.split(separator: "\n").count == 5)
    #expect(server.isUnspooled())
  }

  @Test("A hundred thousand parts give 413, other types 415, no boundary and a truncated form 400")
  func refusals() throws {
    let server = try TestServer()
    let many = (0..<100_000).flatMap { Self.part("name=\"a\($0)\"", []) } + Self.end
    let client = server.client()
    client.request("POST", "/form", headers: [Self.type], body: many)
    #expect([413, nil].contains(client.answer()?.status))
    #expect(server.isQuiet() || server.server.connectionCount == 1)
    #expect(server.records.all.withLock { $0.last?.status } == 413)

    let next = server.client()
    next.request("POST", "/form", headers: ["Content-Type: text/plain"], body: [1])
    #expect(next.answer()?.status == 415)
    next.request("POST", "/form")
    #expect(next.answer()?.status == 415)
    next.request("POST", "/form", headers: ["Content-Type: multipart/form-data"], body: [1])
    #expect(next.answer()?.status == 400)
    let name = String(repeating: "n", count: 5_000)
    next.request(
      "POST", "/form", headers: [Self.type], body: Self.part("name=\"\(name)\"", []) + Self.end)
    #expect(next.answer()?.status == 413)
    next.request(
      "POST", "/form", headers: [Self.type], body: Self.part(#"name="a""#, [1, 2, 3]))
    #expect(next.answer()?.status == 400)
  }
}
