import Bytes
import Crypto
import Testing

@Suite("Signatures of SHA-256") struct SignatureKeyTests {
  private static func bytes(_ text: String) throws -> [UInt8] { try #require(Base64.decode(text)) }

  /// Source: RFC 7515, appendix A.3.
  @Test("An ES256 signature is verified, and every bit counts")
  func ecdsa() throws {
    let key = try #require(
      SignatureKey(
        p256X: try Self.bytes("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"),
        y: try Self.bytes("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")))
    let message = ByteView(
      """
      eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19y\
      b290Ijp0cnVlfQ
      """.utf8)
    let signature = try Self.bytes(
      "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q")
    #expect(key.isSignature(signature, of: message))
    for index in 0..<signature.count {
      var wrong = signature
      wrong[index] ^= 1
      #expect(!key.isSignature(wrong, of: message))
    }
    #expect(!key.isSignature(signature, of: ByteView(message.array + [0])))
    #expect(!key.isSignature([], of: message) && !key.isSignature([1], of: message))
    #expect(!key.isSignature([UInt8](repeating: 0, count: 64), of: message))
    #expect(SignatureKey(p256X: [1], y: [2]) == nil)
  }

  @Test("Values that cannot be an RSA key are rejected")
  func rsa() {
    let modulus = [UInt8](repeating: 0xC5, count: 256)
    #expect(SignatureKey(rsaModulus: modulus, exponent: [1, 0, 1])?.isRSA == true)
    #expect(SignatureKey(rsaModulus: Array(modulus.dropLast()), exponent: [1, 0, 1]) == nil)
    #expect(SignatureKey(rsaModulus: Array(repeating: 0, count: 256), exponent: [3]) == nil)
    #expect(SignatureKey(rsaModulus: Array(repeating: 1, count: 2_000), exponent: [3]) == nil)
    for exponent: [UInt8] in [[], [0], [1], [2], [1, 0, 0, 0, 1]] {
      #expect(SignatureKey(rsaModulus: modulus, exponent: exponent) == nil)
    }
  }
}
