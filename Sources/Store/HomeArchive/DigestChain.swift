internal import Crypto

/// The digest of concatenated digests.
final class DigestChain {
  private var hash = SHA256()

  func add(_ digest: [UInt8]) { hash.update(digest.span.bytes) }

  /// Returns the digest in hexadecimal, and starts over.
  func take() -> String {
    var taken = SHA256()
    swap(&taken, &hash)
    return SHA256.hex(taken.finish())
  }
}
