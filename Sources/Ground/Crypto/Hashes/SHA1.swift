public import Bytes
internal import CCrypto

/// SHA-1 as libcrypto computes it: for ids that are made by it, not against anybody who means harm.
///
/// Source: FIPS 180-4; `SHA1_Init(3)`.
public struct SHA1: ~Copyable {
  private var context = SHA_CTX()

  /// Begins a digest of bytes that come in pieces.
  public init() { SHA1_Init(&context) }

  /// Takes the next piece.
  ///
  /// - Complexity: O(n).
  public mutating func update(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { _ = SHA1_Update(&context, $0.baseAddress, $0.count) }
  }

  /// Takes the next piece; the pages of a large mapped file do not stay in memory.
  ///
  /// - Complexity: O(n).
  public mutating func update(_ bytes: ByteView) {
    var start = 0
    while start < bytes.count {
      let part = bytes.clamped(start..<start.addingClamped(Self.windowSize))
      update(part.bytes)
      if bytes.count > Self.windowSize { part.forgetPages() }
      start += part.count
    }
  }

  private static let windowSize = 16 << 20

  /// The 20 bytes of the digest of all pieces.
  public consuming func finish() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 20)
    SHA1_Final(&digest, &context)
    return digest
  }
}
