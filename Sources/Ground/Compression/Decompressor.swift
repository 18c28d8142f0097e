internal import Bytes
internal import CDeflate

/// libdeflate's working memory, given back when it goes out of scope.
struct Decompressor: ~Copyable {
  enum Format: String {
    case zlib, deflate
  }

  private let handle: OpaquePointer
  private let format: Format

  private init(_ format: Format) throws(CompressionError) {
    guard let handle = libdeflate_alloc_decompressor() else {
      throw .noMemory(format: format.rawValue)
    }
    self.handle = handle
    self.format = format
  }

  /// Decompresses one stream whose output is exactly `size` bytes long, at most `limit`.
  static func decompress(
    _ input: ByteView, size: UInt64, limit: Int, format: Format
  ) throws(CompressionError) -> ByteView {
    guard let wanted = Int(exactly: size), wanted <= limit else {
      throw .tooLarge(format: format.rawValue, size: size, limit: limit)
    }
    let reach = input.count.multipliedReportingOverflow(by: Zlib.largestRatio)
    guard reach.overflow || wanted <= reach.partialValue else {
      throw .damaged(
        format: format.rawValue,
        reason: "\(input.count) bytes cannot hold the announced \(size)")
    }
    let decompressor = try Decompressor(format)
    return try ByteView(capacity: wanted) { (output) throws(CompressionError) in
      try input.withUnsafeBytes { (bytes) throws(CompressionError) in
        try decompressor.inflate(bytes, into: output)
      }
      return wanted
    }
  }

  /// Fills `output` exactly.
  private func inflate(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(CompressionError) {
    var used = 0
    // Without a place for the output's size, libdeflate insists on the whole buffer.
    let result =
      switch format {
      case .zlib:
        libdeflate_zlib_decompress_ex(
          handle, input.baseAddress, input.count, output.baseAddress, output.count, &used, nil)
      case .deflate:
        libdeflate_deflate_decompress_ex(
          handle, input.baseAddress, input.count, output.baseAddress, output.count, &used, nil)
      }
    switch result {
    case LIBDEFLATE_SUCCESS: return
    case LIBDEFLATE_SHORT_OUTPUT:
      throw .damaged(
        format: format.rawValue, reason: "less than the announced \(output.count) bytes")
    case LIBDEFLATE_INSUFFICIENT_SPACE:
      throw .damaged(
        format: format.rawValue, reason: "more than the announced \(output.count) bytes")
    default: throw .damaged(format: format.rawValue, reason: "damaged data")
    }
  }

  deinit { libdeflate_free_decompressor(handle) }
}
