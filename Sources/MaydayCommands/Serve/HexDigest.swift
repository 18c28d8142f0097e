import Bytes
import Hashing

/// SHA-256 as clients write it.
enum HexDigest {
  /// - Returns: `nil` unless `text` is 64 hexadecimal digits.
  static func bytes(of text: String) -> [UInt8]? {
    text.utf8.count == 64 ? [UInt8](hexadecimal: text) : nil
  }

  static func text(_ digest: [UInt8]) -> String { SHA256.hex(digest) }
}
