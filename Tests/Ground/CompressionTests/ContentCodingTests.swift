import Bytes
import Compression
import Testing

/// The compressed bytes were made by Python's gzip and zlib, and by the zstd command.
@Suite struct ContentCodingTests {
  private static let text = "crash in Renderer.swift\n"
  private static let gzip =
    "1f8b08000000000002034b2e4a2cce50c8cc53084acd4b492d4a2dd22b2ecf4c2be10200ea0df34218000000"
  private static let zlib = "789c4b2e4a2cce50c8cc53084acd4b492d4a2dd22b2ecf4c2be102006f2408c5"
  private static let zstd =
    "28b52ffd0458c10000637261736820696e2052656e64657265722e73776966740afe898466"

  private static func bytes(_ digits: String) -> ByteView {
    let digits = Array(digits.utf8.map { $0 > 57 ? $0 - 87 : $0 - 48 })
    return ByteView(
      stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
  }

  @Test(
    "Each coding is undone, members of gzip one after the other, nothing and none as they are",
    arguments: [
      ("gzip", gzip, text), ("x-gzip", gzip + gzip, text + text), ("deflate", zlib, text),
      ("deflate", String(zlib.dropFirst(4).dropLast(8)), text), ("zstd", zstd, text),
      ("zstd", zstd + zstd, text + text), ("gzip", "", ""), ("", "7b7d", "{}"),
    ])
  func undone(coding: String, packed: String, text: String) throws {
    let body = try ContentCoding.undo(coding, of: Self.bytes(packed), limit: 1_000)
    #expect(body.text == text)
  }

  @Test(
    "What cannot be undone is an error that says what and where",
    arguments: [
      ("gzip", String(gzip.dropLast(18)), "gzip body of 35 bytes: the data ends early at 0x23"),
      ("gzip", "6e6f20677a6970", "gzip body of 7 bytes: damaged data at 0x"),
      ("gzip", gzip.replacing("ea0df342", with: "ea0df343"), "gzip body of 44 bytes: damaged data"),
      ("gzip", gzip + "00ff", "gzip body of 46 bytes: damaged data at 0x2e"),
      ("deflate", zlib + "00", "deflate body of 33 bytes: data at its end at 0x20"),
      ("zstd", String(zstd.dropLast(2)), "zstd body of 36 bytes: the data ends early at 0x24"),
      ("zstd", gzip, "zstd body of 44 bytes: "),
      ("br", "00", "content coding: 'br' at 0x0 is not supported"),
      ("gzip, gzip", gzip, "content coding: 'gzip, gzip' at 0x0 is not supported"),
    ])
  func broken(coding: String, packed: String, reason: String) throws {
    let error = #expect(throws: ParseError.self) {
      try ContentCoding.undo(coding, of: Self.bytes(packed), limit: 1_000)
    }
    #expect(error?.description.hasPrefix(reason) == true, "\(error?.description ?? "")")
  }

  @Test("Unusually large output is returned up to the limit, and no further")
  func limit() throws {
    // 100,000 zeros.
    let packed = Self.bytes(
      "1f8b0800000000000203edc13101000000c2a0f54f6d0d0fa" + String(repeating: "00", count: 96)
        + "08057037d9511d4a0860100")
    let body = try ContentCoding.undo("gzip", of: packed, limit: 100_000)
    #expect(body.count == 100_000 && body.array.allSatisfy { $0 == 0 })
    let error = #expect(throws: ParseError.self) {
      try ContentCoding.undo("gzip", of: packed, limit: 99_999)
    }
    #expect(error?.kind == .limit(name: "unpacked bytes", value: 99_999))
  }
}
