import Bytes
import TestSupport
import Testing

@testable import Compression

@Suite struct CompressionTests {
  /// Ten lines of "hello, mayday", made by Python's `zlib` and `lzma`.
  static let text = Array(String(repeating: "hello, mayday\n", count: 10).utf8)
  static let zlib = bytes("78dacb48cdc9c9d751c84dac4c49ace4ca18501e00a8813157")
  static let xz = bytes(
    "fd377a585a000004e6d6b4460200210116000000742fe5a3e0008b00145d00341949ee8def8c6a775495e8ceaaf0"
      + "e0587940000056a7fc4a74fb587e0001308c0100000086e9850bb1c467fb020000000004595a")

  private static func bytes(_ digits: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Substring(digits)
    while let byte = UInt8(rest.prefix(2), radix: 16), rest.count >= 2 {
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return bytes
  }

  @Test("Data compressed by other programs is decompressed correctly")
  func known() throws {
    #expect(try Zlib.decompress(ByteView(Self.zlib), size: 140, limit: 140).array == Self.text)
    #expect(try XZ.decompress(ByteView(Self.xz), limit: 140).array == Self.text)
    let twice = try XZ.decompress(ByteView(Self.xz + Self.xz), limit: 280)
    #expect(twice.array == Self.text + Self.text)
    #expect(try XZ.decompress(ByteView(ObjectBuilderXZ.stored(Self.text)), limit: 140).count == 140)
    #expect(CRC32.checksum(of: ByteView("123456789".utf8)) == 0xcbf4_3926)
  }

  @Test("zstd returns its input, with the same bytes each time", arguments: [1, 1000, 300_000])
  func zstandard(count: Int) throws {
    var random = SplitMix(seed: 1)
    let bytes = ByteView((0..<count).map { _ in UInt8.random(in: 0..<16, using: &random) })
    let packed = try Zstandard.compress(bytes)
    #expect(try Zstandard.compress(bytes).array == packed.array)
    #expect(try Zstandard.decompress(packed, limit: count).array == bytes.array)
    let again = try Zstandard.decompress(packed, size: UInt64(count), limit: count)
    #expect(again.array == bytes.array)
    let frames = ByteView(packed.array + packed.array)
    #expect(try Zstandard.decompress(frames, limit: 2 * count).array == bytes.array + bytes.array)
    #expect(throws: CompressionError.self) { try Zstandard.decompress(packed, limit: count - 1) }
    #expect(throws: CompressionError.self) {
      try Zstandard.decompress(frames, limit: 2 * count - 1)
    }
  }

  @Test("Empty input compresses, and is restored as empty")
  func empty() throws {
    #expect(try Zstandard.decompress(Zstandard.compress(.empty), limit: 0).isEmpty)
    #expect(throws: CompressionError.self) { try Zstandard.decompress(.empty, limit: 10) }
    #expect(throws: CompressionError.self) { try XZ.decompress(.empty, limit: 10) }
  }

  @Test(
    "Another size than the announced one is an error",
    arguments: [0, 1, 139, 141, 10_000, 1 << 40, .max] as [UInt64])
  func lies(size: UInt64) throws {
    #expect(throws: CompressionError.self) {
      try Zlib.decompress(ByteView(Self.zlib), size: size, limit: 1 << 50)
    }
    let packed = try Zstandard.compress(ByteView(Self.text))
    #expect(throws: CompressionError.self) {
      try Zstandard.decompress(packed, size: size, limit: 1 << 20)
    }
  }

  @Test("Limits apply whatever size is announced")
  func limits() throws {
    let error = #expect(throws: CompressionError.self) {
      try Zlib.decompress(ByteView(Self.zlib), size: 140, limit: 139)
    }
    #expect(error?.description == "zlib: 140 bytes exceed the limit of 139")
    #expect(throws: CompressionError.tooLarge(format: "xz", size: nil, limit: 139)) {
      try XZ.decompress(ByteView(Self.xz), limit: 139)
    }
  }

  @Test("Each prefix is an error, and no mutation does harm")
  func damage() throws {
    let packed = try Zstandard.compress(ByteView(Self.text)).array
    for end in 0..<Self.zlib.count {
      let view = ByteView(Self.zlib[..<end])
      #expect(throws: CompressionError.self) {
        try Zlib.decompress(view, size: 140, limit: 140)
      }
    }
    for end in 0..<Self.xz.count {
      #expect(throws: CompressionError.self) {
        try XZ.decompress(ByteView(Self.xz[..<end]), limit: 140)
      }
    }
    for end in 0..<packed.count {
      let view = ByteView(packed[..<end])
      #expect(throws: CompressionError.self) { try Zstandard.decompress(view, limit: 140) }
    }
    var outcomes = Outcomes()
    for copy in Mutator.binary(Self.zlib, count: 500, seed: 2) {
      outcomes.count { _ = try Zlib.decompress(ByteView(copy), size: 140, limit: 140) }
    }
    for copy in Mutator.binary(Self.xz, count: 500, seed: 3) {
      outcomes.count { _ = try XZ.decompress(ByteView(copy), limit: 1000) }
    }
    for copy in Mutator.binary(packed, count: 500, seed: 4) {
      outcomes.count { _ = try Zstandard.decompress(ByteView(copy), limit: 1000) }
    }
    #expect(outcomes.all == 1500 && outcomes.isMixed)
  }
}
