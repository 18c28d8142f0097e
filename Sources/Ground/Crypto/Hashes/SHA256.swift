public import Bytes
internal import CCrypto

/// SHA-256 as libcrypto computes it.
///
/// Source: FIPS 180-4; `SHA256_Init(3)`.
public struct SHA256: ~Copyable {
  private var context = SHA256_CTX()

  /// Begins a digest of bytes that come in pieces.
  public init() { SHA256_Init(&context) }

  /// Takes the next piece.
  ///
  /// - Complexity: O(n).
  public mutating func update(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { _ = SHA256_Update(&context, $0.baseAddress, $0.count) }
  }

  /// The 32 bytes of the digest of all pieces.
  public consuming func finish() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    SHA256_Final(&digest, &context)
    return digest
  }

  /// The digest of `bytes`: 32 bytes.
  ///
  /// - Complexity: O(n).
  public static func digest(of bytes: ByteView) -> [UInt8] {
    var hash = SHA256()
    // A mapped file of gigabytes is to be read without staying in memory.
    var start = 0
    while start < bytes.count {
      let part = bytes.clamped(start..<start.addingClamped(windowSize))
      hash.update(part.bytes)
      if bytes.count > windowSize { part.forgetPages() }
      start += part.count
    }
    return hash.finish()
  }

  private static let windowSize = 16 << 20

  /// The digest of `bytes`: 32 bytes.
  ///
  /// - Complexity: O(n).
  public static func digest(of bytes: RawSpan) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finish()
  }

  /// The digest of `bytes` as 64 lower-case hexadecimal digits.
  ///
  /// - Complexity: O(n).
  public static func hex(of bytes: ByteView) -> String { hex(digest(of: bytes)) }

  /// The digits of `digest`, lower-case hexadecimal.
  public static func hex(_ digest: [UInt8]) -> String { digest.hexadecimalDigits }
}
