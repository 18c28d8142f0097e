internal import Bytes
internal import Crypto

/// One of several shares of the files on disk, by a hash of the name: programs that are given the same names
/// read each file once without knowing of each other.
///
/// An archive, a mail or a log is in one share as a whole.
public struct InputShare: Hashable, Sendable {
  /// From 1.
  public let number: Int
  public let count: Int

  /// The maximum number of shares.
  public static let most = 1_000_000

  /// - Returns: `nil` unless 1 ≤ `number` ≤ `count` ≤ ``most``.
  public init?(_ number: Int, of count: Int) {
    guard (1...Self.most).contains(count), (1...count).contains(number) else { return nil }
    self.number = number
    self.count = count
  }

  /// Whether the file with this path, as it was found, is in the share: if the first eight bytes of the
  /// path's SHA-256, as a number with the highest byte first, are `number - 1` modulo `count`.
  func contains(_ path: [UInt8]) -> Bool {
    guard count > 1 else { return true }
    let digest = SHA256.digest(of: ByteView(path))
    let hash = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return hash % UInt64(count) == UInt64(number - 1)
  }
}
