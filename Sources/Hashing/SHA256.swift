public import Bytes
internal import CCrypto

/// SHA-256 as libcrypto computes it.
///
/// Source: FIPS 180-4; `EVP_DigestInit(3)`.
public struct SHA256: ~Copyable {
  private let context: OpaquePointer
  /// Looked up once: with `EVP_sha256()` each digest would look for its implementation anew. Never
  /// freed, and never written to, so that threads may share it.
  private nonisolated(unsafe) static let algorithm = EVP_MD_fetch(nil, "SHA256", nil)

  /// Begins a digest of bytes that come in pieces.
  public init() {
    guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, Self.algorithm, nil) == 1
    else {
      preconditionFailure("libcrypto has no SHA-256")
    }
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Takes the next piece.
  ///
  /// - Complexity: O(n).
  public mutating func update(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
  }

  /// The 32 bytes of the digest of all pieces.
  public consuming func finish() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    var count: UInt32 = 0
    EVP_DigestFinal_ex(context, &digest, &count)
    return digest
  }

  /// The digest of `bytes`: 32 bytes.
  ///
  /// - Complexity: O(n).
  public static func digest(of bytes: ByteView) -> [UInt8] { digest(of: bytes.bytes) }

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
  public static func hex(_ digest: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(digest.count * 2)
    for byte in digest {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
