public import Bytes
internal import CCrypto

/// MD5 as libcrypto computes it: for files that were named by it, not against anybody who means harm.
///
/// Source: RFC 1321; `EVP_Digest(3)`.
public enum MD5 {
  /// The digest of `bytes`: 16 bytes; `nil` where the system forbids MD5.
  ///
  /// - Complexity: O(n).
  public static func digest(of bytes: ByteView) -> [UInt8]? {
    var digest = [UInt8](repeating: 0, count: 16)
    var count: UInt32 = 0
    let isDone = bytes.withUnsafeBytes {
      EVP_Digest($0.baseAddress, $0.count, &digest, &count, EVP_md5(), nil) == 1
    }
    return isDone ? digest : nil
  }
}
