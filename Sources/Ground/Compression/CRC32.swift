public import Bytes
internal import CDeflate

/// The checksum of zlib, gzip and `.gnu_debuglink`.
public enum CRC32 {
  /// - Complexity: O(n), several gigabytes a second.
  public static func checksum(of bytes: ByteView) -> UInt32 {
    bytes.withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress, $0.count) }
  }
}
