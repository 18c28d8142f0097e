internal import Hashing

/// The digest of digests, one after the other.
final class DigestChain {
  private var hash = SHA256()

  func add(_ digest: [UInt8]) { hash.update(digest.span.bytes) }

  /// In hexadecimal; begins anew.
  func take() -> String {
    var taken = SHA256()
    swap(&taken, &hash)
    return SHA256.hex(taken.finish())
  }
}
