public import Bytes

/// Codes that prove that a text was made by who has the key.
///
/// Source: RFC 2104.
public enum HMAC {
  /// Bytes that SHA-256 takes at a time.
  private static let block = 64

  /// The 32 bytes of HMAC-SHA-256.
  public static func sha256(of message: ByteView, key: [UInt8]) -> [UInt8] {
    let short = key.count > block ? SHA256.digest(of: ByteView(key)) : key
    let padded = short + [UInt8](repeating: 0, count: block - short.count)
    let inner = SHA256.digest(of: ByteView(padded.map { $0 ^ 0x36 } + message.array))
    return SHA256.digest(of: ByteView(padded.map { $0 ^ 0x5c } + inner))
  }

  /// Whether two codes are the same, in a time that does not depend on where they differ.
  public static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
