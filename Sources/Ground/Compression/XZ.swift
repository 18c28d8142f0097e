public import Bytes
internal import CLZMA

/// The .xz format, by liblzma.
public enum XZ {
  /// The most memory for the dictionary of a stream, in bytes; `xz -9` needs 65 MiB.
  private static let memoryLimit: UInt64 = 128 << 20
  /// `LZMA_CONCATENATED` of lzma/container.h, a macro that Swift does not import.
  private static let concatenated: UInt32 = 0x08

  /// Decompresses one or more .xz streams.
  ///
  /// - Parameter limit: The most bytes to give back.
  /// - Throws: ``CompressionError`` for damage, or when more than `limit` bytes come.
  public static func decompress(
    _ input: ByteView, limit: Int
  ) throws(CompressionError) -> ByteView {
    var output = GrowingOutput(format: "xz", limit: limit)
    try input.withUnsafeBytes { (bytes) throws(CompressionError) in
      try decode(bytes, into: &output)
    }
    return output.view
  }

  private static func decode(
    _ input: UnsafeRawBufferPointer, into output: inout GrowingOutput
  ) throws(CompressionError) {
    var stream = lzma_stream()
    defer { lzma_end(&stream) }
    let start = lzma_stream_decoder(&stream, memoryLimit, concatenated)
    guard start == LZMA_OK else { throw error(start) }
    stream.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.avail_in = input.count
    var code = LZMA_OK
    while code == LZMA_OK {
      (code, _) = try output.step { chunk throws(CompressionError) in
        stream.next_out = chunk.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.avail_out = chunk.count
        let code = lzma_code(&stream, LZMA_FINISH)
        return (code, chunk.count - stream.avail_out)
      }
    }
    guard code == LZMA_STREAM_END else { throw error(code) }
  }

  /// The one place where the library's answers become errors.
  private static func error(_ code: lzma_ret) -> CompressionError {
    switch code {
    case LZMA_MEM_ERROR: .noMemory(format: "xz")
    case LZMA_MEMLIMIT_ERROR:
      .damaged(format: "xz", reason: "a dictionary over \(memoryLimit) bytes")
    case LZMA_FORMAT_ERROR: .damaged(format: "xz", reason: "no .xz stream")
    case LZMA_OPTIONS_ERROR: .damaged(format: "xz", reason: "options that are not known")
    case LZMA_BUF_ERROR: .damaged(format: "xz", reason: "the data ends early")
    default: .damaged(format: "xz", reason: "damaged data")
    }
  }
}
