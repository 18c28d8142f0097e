import Bytes
import CDeflate
import Compression
import Glibc
import HTTP
import TestSupport
import Testing

/// Compressed bodies: gzip, deflate, zstd.
@Suite(.serialized)
struct CodingTests {
  /// `bytes` as one gzip member of stored blocks: made here so that it shares nothing with a decoder.
  static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    packed(bytes, { libdeflate_gzip_compress($0, $1, $2, $3, $4) })
  }

  static func packed(
    _ bytes: [UInt8],
    _ compress: (OpaquePointer?, UnsafePointer<UInt8>, Int, UnsafeMutablePointer<UInt8>, Int) -> Int
  ) -> [UInt8] {
    let compressor = libdeflate_alloc_compressor(9)
    defer { libdeflate_free_compressor(compressor) }
    var output = [UInt8](repeating: 0, count: bytes.count + 1_000)
    let count = compress(compressor, bytes, bytes.count, &output, output.count)
    return Array(output[..<count])
  }

  static let text = Array(String(repeating: "crash in Renderer.swift\n", count: 2_000).utf8)

  static let bodies: [(String, [UInt8])] = [
    ("gzip", gzip(text)),
    ("x-gzip", gzip(Array(text[..<10])) + gzip(Array(text[10...]))),
    ("deflate", packed(text, { libdeflate_zlib_compress($0, $1, $2, $3, $4) })),
    ("deflate", packed(text, { libdeflate_deflate_compress($0, $1, $2, $3, $4) })),
    ("zstd", (try? Zstandard.compress(ByteView(text)).array) ?? []),
    ("identity", text),
  ]

  @Test("A compressed body is decompressed, whole and in chunks of any size", arguments: 0..<6)
  func unpacks(index: Int) throws {
    let (coding, body) = Self.bodies[index]
    let server = try TestServer()
    let client = server.client()
    client.request("POST", "/memory", headers: ["Content-Encoding: \(coding)"], body: body)
    #expect(client.answer()?.text == "\(Self.text.count)")
    client.send(
      "POST /memory HTTP/1.1\r\nHost: a\r\nContent-Encoding: \(coding)\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n")
    var position = 0
    while position < body.count {
      let size = min(body.count - position, body.count > 10_000 ? 997 : 7)
      client.send(Array("\(String(size, radix: 16))\r\n".utf8))
      client.send(Array(body[position..<position + size]) + [13, 10])
      position += size
    }
    client.send("0\r\n\r\n")
    #expect(client.answer()?.text == "\(Self.text.count)")
  }

  @Test("Damage and truncation give 400, unknown codings 415")
  func damage() throws {
    let server = try TestServer()
    let client = server.client()
    for (coding, body) in Self.bodies.dropLast() {
      let headers = ["Content-Encoding: \(coding)"]
      client.request("POST", "/memory", headers: headers, body: Array(body.dropLast(9)))
      #expect(client.answer()?.status == 400, "\(coding) cut")
      client.request(
        "POST", "/memory", headers: headers, body: [UInt8](repeating: 0xee, count: 100))
      #expect(client.answer()?.status == 400, "\(coding) of nonsense")
    }
    for coding in ["br", "gzip, gzip", "compress"] {
      client.request("POST", "/memory", headers: ["Content-Encoding: \(coding)"], body: [1])
      #expect(client.answer()?.status == 415)
    }
  }

  @Test("A bomb gives 413 before it takes memory")
  func bomb() throws {
    let server = try TestServer()
    let client = server.client()
    // 20 MB of zeros in 20 KB: over the limit of the route, and over the ratio.
    let zeros = [UInt8](repeating: 0, count: 20 << 20)
    for (coding, body) in [
      ("gzip", Self.gzip(zeros)), ("zstd", try Zstandard.compress(ByteView(zeros)).array),
    ] {
      client.request("POST", "/memory", headers: ["Content-Encoding: \(coding)"], body: body)
      #expect(client.answer()?.status == 413)
    }
  }
}
