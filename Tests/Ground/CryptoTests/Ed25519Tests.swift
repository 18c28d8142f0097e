import Bytes
import Crypto
import Testing

@Suite struct Ed25519Tests {
  private static func bytes(_ digits: String) -> [UInt8] {
    let digits = digits.filter(\.isHexDigit).compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  /// Seed, public key, message and signature of RFC 8032, section 7.1, tests 1 to 3.
  private static let examples: [(String, String, String, String)] = [
    (
      "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
      """
      e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155
      5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b
      """
    ),
    (
      "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
      "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
      """
      92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da
      085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00
      """
    ),
    (
      "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
      "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
      """
      6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac
      18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a
      """
    ),
  ]

  @Test("Signatures and public keys are those of RFC 8032", arguments: examples)
  func vectors(seed: String, publicKey: String, message: String, signature: String) {
    let seed = Self.bytes(seed)
    let message = ByteView(Self.bytes(message))
    #expect(Ed25519.publicKey(ofSeed: seed) == Self.bytes(publicKey))
    #expect(Ed25519.signature(of: message, seed: seed) == Self.bytes(signature))
    #expect(
      Ed25519.isSignature(Self.bytes(signature), of: message, by: Self.bytes(publicKey)))
  }

  @Test("A signature of another message, by another key, or changed is invalid")
  func wrong() throws {
    let seed = Self.bytes(Self.examples[2].0)
    let key = Self.bytes(Self.examples[2].1)
    let message = ByteView([0xaf, 0x82])
    var signature = try #require(Ed25519.signature(of: message, seed: seed))
    #expect(!Ed25519.isSignature(signature, of: ByteView([0xaf]), by: key))
    #expect(!Ed25519.isSignature(signature, of: message, by: Self.bytes(Self.examples[0].1)))
    signature[63] ^= 1
    #expect(!Ed25519.isSignature(signature, of: message, by: key))
    #expect(!Ed25519.isSignature([], of: message, by: key))
    #expect(Ed25519.signature(of: message, seed: [1, 2, 3]) == nil)
  }

  @Test("Bytes become Base64 that reads back", arguments: 0...64)
  func base64(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 251) }
    let text = Base64.encode(bytes)
    #expect(text.utf8.count == (count + 2) / 3 * 4)
    #expect(Base64.decode(text) == bytes)
  }

  @Test("Base64 is that of RFC 4648")
  func base64Examples() {
    #expect(
      ["", "f", "fo", "foo", "foob", "fooba"].map { Base64.encode(Array($0.utf8)) }
        == ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE="])
  }
}
