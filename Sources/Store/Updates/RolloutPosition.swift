internal import Bytes
internal import Crypto

/// The position of an installation in a roll-out.
public enum RolloutPosition {
  /// A number from 0 to 9,999, equal for the same name on any machine: the first four bytes of its
  /// SHA-256, as a share of their range.
  public static func position(of name: String) -> Int {
    let digest = SHA256.digest(of: ByteView(name.utf8))
    let number = digest.prefix(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int((number * 10_000) >> 32)
  }
}
