public import Bytes
internal import CCrypto

/// MD5 as libcrypto computes it: for files that were named by it, not against anybody who means harm.
///
/// Source: RFC 1321; `MD5_Init(3)`.
public enum MD5 {
  private static let windowSize = 16 << 20

  /// The digest of `bytes`: 16 bytes. The pages of a large mapped file do not stay in memory.
  ///
  /// - Complexity: O(n).
  public static func digest(of bytes: ByteView) -> [UInt8] {
    var context = MD5_CTX()
    MD5_Init(&context)
    var start = 0
    while start < bytes.count {
      let part = bytes.clamped(start..<start.addingClamped(windowSize))
      part.withUnsafeBytes { _ = MD5_Update(&context, $0.baseAddress, $0.count) }
      if bytes.count > windowSize { part.forgetPages() }
      start += part.count
    }
    var digest = [UInt8](repeating: 0, count: 16)
    MD5_Final(&digest, &context)
    return digest
  }
}
