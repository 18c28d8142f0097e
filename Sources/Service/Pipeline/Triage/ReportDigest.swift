internal import Bytes
internal import Crypto

/// Digests in 16 bytes: those of millions of reports must fit into memory.
enum ReportDigest {
  /// The first half of a SHA-256.
  static func number(ofDigest digest: [UInt8]) -> UInt128 {
    digest.prefix(16).reduce(0) { $0 << 8 | UInt128($1) }
  }

  static func number(of text: String) -> UInt128 {
    number(ofDigest: SHA256.digest(of: ByteView(Array(text.utf8))))
  }

  /// - Parameter id: Usually 32 hexadecimal digits, which are a digest already.
  static func number(ofID id: String) -> UInt128 {
    hexadecimal(id.utf8) ?? number(of: id)
  }

  /// The number of exactly 32 digits in lower case.
  private static func hexadecimal(_ digits: String.UTF8View) -> UInt128? {
    guard digits.count == 32 else { return nil }
    var (high, low): (UInt64, UInt64) = (0, 0)
    for byte in digits {
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30
      case 0x61...0x66: digit = byte - 0x57
      default: return nil
      }
      high = high << 4 | low >> 60
      low = low << 4 | UInt64(digit)
    }
    return UInt128(high) << 64 | UInt128(low)
  }
}
