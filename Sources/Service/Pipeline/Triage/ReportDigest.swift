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
    id.utf8.count == 32 ? UInt128(id, radix: 16) ?? number(of: id) : number(of: id)
  }
}
