public import Bytes
internal import CDeflate

/// The zlib format (RFC 1950), by libdeflate: the whole input and output lie in memory.
public enum Zlib {
  /// No deflate stream yields more bytes than this for each of its own: 258 from two bits, which is
  /// what a run of the longest match comes to.
  public static let largestRatio = 1032

  /// Decompresses one zlib stream whose output is exactly `size` bytes long.
  ///
  /// Bytes after the stream are left alone.
  ///
  /// - Parameters:
  ///   - size: What the container of the stream announces, in bytes. It is not trusted: a size that
  ///     no stream of this length can yield is refused before memory is taken.
  ///   - limit: The most bytes to give back.
  /// - Throws: ``CompressionError`` for damage, another size, or one over the limit.
  public static func decompress(
    _ input: ByteView, size: UInt64, limit: Int
  ) throws(CompressionError) -> ByteView {
    guard let wanted = Int(exactly: size), wanted <= limit else {
      throw .tooLarge(format: "zlib", size: size, limit: limit)
    }
    let reach = input.count.multipliedReportingOverflow(by: largestRatio)
    guard reach.overflow || wanted <= reach.partialValue else {
      throw .damaged(
        format: "zlib", reason: "\(input.count) bytes cannot hold the announced \(size)")
    }
    let decompressor = try Decompressor()
    return try ByteView(capacity: wanted) { (output) throws(CompressionError) in
      try input.withUnsafeBytes { (bytes) throws(CompressionError) in
        try decompressor.inflate(bytes, into: output)
      }
      return wanted
    }
  }
}

/// libdeflate's working memory, given back when it goes out of scope.
private struct Decompressor: ~Copyable {
  private let handle: OpaquePointer

  init() throws(CompressionError) {
    guard let handle = libdeflate_alloc_decompressor() else { throw .noMemory(format: "zlib") }
    self.handle = handle
  }

  /// Fills `output` exactly.
  func inflate(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(CompressionError) {
    var used = 0
    // Without a place for the output's size, libdeflate insists on the whole buffer.
    let result = libdeflate_zlib_decompress_ex(
      handle, input.baseAddress, input.count, output.baseAddress, output.count, &used, nil)
    switch result {
    case LIBDEFLATE_SUCCESS: return
    case LIBDEFLATE_SHORT_OUTPUT:
      throw .damaged(format: "zlib", reason: "less than the announced \(output.count) bytes")
    case LIBDEFLATE_INSUFFICIENT_SPACE:
      throw .damaged(format: "zlib", reason: "more than the announced \(output.count) bytes")
    default: throw .damaged(format: "zlib", reason: "damaged data")
    }
  }

  deinit { libdeflate_free_decompressor(handle) }
}
