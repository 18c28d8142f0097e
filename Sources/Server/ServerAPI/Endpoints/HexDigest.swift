internal import Bytes
internal import CrashService
internal import Crypto

/// SHA-256 digests in the hexadecimal form that clients send.
package enum HexDigest {
  /// - Returns: `nil` unless `text` is 64 hexadecimal digits.
  package static func bytes(of text: String) -> [UInt8]? {
    text.utf8.count == 64 ? [UInt8](hexadecimal: text) : nil
  }

  package static func text(_ digest: [UInt8]) -> String { SHA256.hex(digest) }
}
