public import Bytes
internal import CCrypto

/// Signatures by Ed25519 as libcrypto makes and checks them.
///
/// Source: RFC 8032; `EVP_SIGNATURE-ED25519(7)`.
public enum Ed25519 {
  public static let seedSize = 32
  public static let signatureSize = 64

  /// The 64 bytes of the signature of `message`; `nil` for a seed of another length.
  ///
  /// - Parameters:
  ///   - message: Of any size: a mapped file is read without staying in memory for long.
  ///   - seed: The 32 bytes that the private key is made of.
  /// - Complexity: O(n).
  public static func signature(of message: ByteView, seed: [UInt8]) -> [UInt8]? {
    guard let key = PrivateKey(seed: seed) else { return nil }
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    var signature = [UInt8](repeating: 0, count: signatureSize)
    var count = signature.count
    let isDone = message.withUnsafeBytes { bytes in
      EVP_DigestSignInit(context, nil, nil, nil, key.handle) == 1
        && EVP_DigestSign(context, &signature, &count, start(of: bytes), bytes.count) == 1
    }
    message.forgetPages()
    return isDone && count == signatureSize ? signature : nil
  }

  /// The 32 bytes of the public key of a seed; `nil` for a seed of another length.
  public static func publicKey(ofSeed seed: [UInt8]) -> [UInt8]? {
    guard let key = PrivateKey(seed: seed) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 32)
    var count = bytes.count
    guard EVP_PKEY_get_raw_public_key(key.handle, &bytes, &count) == 1 else { return nil }
    return bytes
  }

  /// Whether the owner of a public key signed `message`.
  public static func isSignature(
    _ signature: [UInt8], of message: ByteView, by publicKey: [UInt8]
  ) -> Bool {
    guard signature.count == signatureSize, publicKey.count == 32,
      let key = EVP_PKEY_new_raw_public_key(NID_ED25519, nil, publicKey, publicKey.count)
    else { return false }
    defer { EVP_PKEY_free(key) }
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    return message.withUnsafeBytes { bytes in
      EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
        && EVP_DigestVerify(context, signature, signature.count, start(of: bytes), bytes.count) == 1
    }
  }

  /// Where a message begins; an empty one needs a place too.
  private static func start(of bytes: UnsafeRawBufferPointer) -> UnsafePointer<UInt8>? {
    bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
  }

  /// A key of libcrypto, given back when it goes out of scope.
  private struct PrivateKey: ~Copyable {
    let handle: OpaquePointer

    init?(seed: [UInt8]) {
      guard seed.count == Ed25519.seedSize,
        let handle = EVP_PKEY_new_raw_private_key(NID_ED25519, nil, seed, seed.count)
      else { return nil }
      self.handle = handle
    }

    deinit { EVP_PKEY_free(handle) }
  }
}
