import Bytes
import Crypto
import Testing

@Suite("HMAC-SHA-256")
struct HMACTests {
  /// Source: RFC 4231 4.2, 4.3, 4.7.
  @Test(
    "The codes of the standard",
    arguments: [
      (
        [UInt8](repeating: 0x0b, count: 20), "Hi There",
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Array("Jefe".utf8), "what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        [UInt8](repeating: 0xaa, count: 131),
        "Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
    ])
  func codes(_ key: [UInt8], _ text: String, _ code: String) {
    #expect(SHA256.hex(HMAC.sha256(of: ByteView(text.utf8), key: key)) == code)
  }

  @Test("Codes are equal only as a whole")
  func comparison() {
    #expect(HMAC.isEqual([1, 2, 3], [1, 2, 3]))
    #expect(!HMAC.isEqual([1, 2, 3], [1, 2, 4]))
    #expect(!HMAC.isEqual([1, 2, 3], [1, 2]))
    #expect(!HMAC.isEqual([], [0]))
  }
}
