public import Bytes
internal import CDeflate

/// gzip (RFC 1952), by libdeflate.
public enum Gzip {
  /// libdeflate's own default.
  private static let level: Int32 = 6

  /// One member that holds `input`. The same input gives the same bytes with the same library.
  ///
  /// - Throws: ``CompressionError`` when memory is short.
  public static func compress(_ input: ByteView) throws(CompressionError) -> ByteView {
    guard let compressor = libdeflate_alloc_compressor(level) else {
      throw .noMemory(format: "gzip")
    }
    defer { libdeflate_free_compressor(compressor) }
    let bound = libdeflate_gzip_compress_bound(compressor, input.count)
    return try ByteView(capacity: bound) { (output) throws(CompressionError) in
      let count = input.withUnsafeBytes { bytes in
        libdeflate_gzip_compress(
          compressor, bytes.baseAddress, bytes.count, output.baseAddress, output.count)
      }
      guard count > 0 else { throw .noMemory(format: "gzip") }
      return count
    }
  }
}
