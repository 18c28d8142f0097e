public import Bytes

/// A deflate stream (RFC 1951) without a format around it, as zip files hold it, by libdeflate.
public enum Deflate {
  /// Decompresses one stream whose output is exactly `size` bytes long.
  ///
  /// - Parameters:
  ///   - size: What the container of the stream announces, in bytes. It is not trusted: a size that
  ///     no stream of this length can yield is refused before memory is taken.
  ///   - limit: The most bytes to give back.
  /// - Throws: ``CompressionError`` for damage, another size, or one over the limit.
  public static func decompress(
    _ input: ByteView, size: UInt64, limit: Int
  ) throws(CompressionError) -> ByteView {
    try Decompressor.decompress(input, size: size, limit: limit, format: .deflate)
  }
}
