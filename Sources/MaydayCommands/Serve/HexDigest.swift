import Hashing

/// SHA-256 as clients write it.
enum HexDigest {
  /// - Returns: `nil` unless `text` is 64 hexadecimal digits.
  static func bytes(of text: String) -> [UInt8]? {
    let digits = text.utf8.compactMap { digit -> UInt8? in
      switch digit {
      case 48...57: digit - 48
      case 65...70: digit - 55
      case 97...102: digit - 87
      default: nil
      }
    }
    guard digits.count == 64, text.utf8.count == 64 else { return nil }
    return stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  static func text(_ digest: [UInt8]) -> String { SHA256.hex(digest) }
}
