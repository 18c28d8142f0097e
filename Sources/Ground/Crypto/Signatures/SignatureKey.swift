public import Bytes
internal import CCrypto

/// A public key for signatures over SHA-256, verified by libcrypto.
public struct SignatureKey: Equatable, Sendable {
  private enum Kind {
    case rsa, p256
  }

  private let kind: Kind
  /// SubjectPublicKeyInfo. Source: RFC 5280 4.1.
  private let document: [UInt8]

  /// Accepted sizes of an RSA modulus in bytes: 2,048 to 8,192 bits. Shorter ones are insecure, longer ones
  /// only slow.
  private static let moduli = 256...1_024

  /// An RSA key for PKCS #1 v1.5 signatures (`RS256`).
  ///
  /// - Parameters:
  ///   - modulus: Most significant byte first, like the exponent.
  /// - Returns: `nil` if the modulus is too short or too long, or the values cannot be a key.
  public init?(rsaModulus modulus: [UInt8], exponent: [UInt8]) {
    let modulus = Array(modulus.drop { $0 == 0 })
    let exponent = Array(exponent.drop { $0 == 0 })
    guard Self.moduli.contains(modulus.count), (1...4).contains(exponent.count),
      let last = exponent.last, last & 1 == 1, exponent != [1]
    else { return nil }
    kind = .rsa
    // rsaEncryption. Source: RFC 3279 2.3.1.
    let algorithm = DERBytes.sequence(
      DERBytes.identifier([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]), DERBytes.null)
    document = DERBytes.sequence(
      algorithm,
      DERBytes.bits(
        DERBytes.sequence(DERBytes.integer(modulus), DERBytes.integer(exponent))))
  }

  /// An ECDSA key on the curve P-256 (`ES256`), from the 32 bytes of each coordinate of its point.
  ///
  /// - Returns: `nil` for coordinates of another length. A point that is not on the curve verifies no
  ///   signature.
  public init?(p256X x: [UInt8], y: [UInt8]) {
    guard x.count == 32, y.count == 32 else { return nil }
    kind = .p256
    // id-ecPublicKey, secp256r1. Source: RFC 5480 2.1.1.
    let algorithm = DERBytes.sequence(
      DERBytes.identifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]),
      DERBytes.identifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]))
    document = DERBytes.sequence(algorithm, DERBytes.bits([4] + x + y))
  }

  /// Whether this is an RSA key.
  public var isRSA: Bool { kind == .rsa }

  /// Whether the owner of the key signed `message`.
  ///
  /// - Parameter signature: For ECDSA, the two numbers of 32 bytes each (RFC 7518 3.4).
  /// - Complexity: O(n).
  public func isSignature(_ signature: [UInt8], of message: ByteView) -> Bool {
    let signature = kind == .rsa ? signature : Self.document(of: signature)
    let key = document.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      var start = bytes.baseAddress
      return d2i_PUBKEY(nil, &start, bytes.count)
    }
    guard let key, !signature.isEmpty else { return false }
    defer { EVP_PKEY_free(key) }
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    return message.withUnsafeBytes { bytes in
      EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
        && EVP_DigestVerify(
          context, signature, signature.count,
          bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count) == 1
    }
  }

  /// Converts to the ECDSA-Sig-Value that libcrypto expects; empty if the input is not 64 bytes.
  private static func document(of signature: [UInt8]) -> [UInt8] {
    guard signature.count == 64 else { return [] }
    return DERBytes.sequence(
      DERBytes.integer(Array(signature[..<32])), DERBytes.integer(Array(signature[32...])))
  }
}
