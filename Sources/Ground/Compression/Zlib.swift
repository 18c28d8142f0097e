public import Bytes

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
    try Decompressor.decompress(input, size: size, limit: limit, format: .zlib)
  }
}
