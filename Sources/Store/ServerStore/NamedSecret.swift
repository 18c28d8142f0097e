internal import Bytes
internal import Crypto

/// A random secret with a name that identifies it: `4fT9…_x81b…`.
///
/// Only a hash of the secret is stored. One round of hashing is enough, because 256 random bits cannot be
/// guessed.
struct NamedSecret: Sendable {
  let id: String
  let secret: String

  private static let idLength = 12
  /// Enough of 62 different characters for 256 bits.
  private static let secretLength = 43

  /// Creates a new secret.
  init() {
    id = RandomBytes.characters(Self.idLength)
    secret = RandomBytes.characters(Self.secretLength)
  }

  /// `nil` for a text in another format, which cannot be stored.
  init?(_ text: String) {
    let parts = text.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == Self.idLength,
      parts[1].utf8.count == Self.secretLength,
      parts.allSatisfy({ $0.utf8.allSatisfy(RandomBytes.isCharacter) })
    else { return nil }
    id = String(parts[0])
    secret = String(parts[1])
  }

  var text: String { "\(id)_\(secret)" }

  var hash: [UInt8] { SHA256.digest(of: ByteView(secret.utf8)) }

  /// The time does not depend on how much of the secret matches.
  func has(hash other: [UInt8]) -> Bool { HMAC.isEqual(hash, other) }
}
