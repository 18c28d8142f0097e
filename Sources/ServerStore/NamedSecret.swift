internal import Bytes
internal import Hashing

/// A random text that proves something, with a name by which it is found: `4fT9…_x81b…`.
///
/// Only a hash of the secret is stored. One round will do: nobody guesses 256 random bits.
struct NamedSecret: Sendable {
  let id: String
  let secret: String

  private static let idLength = 12
  /// 256 bits of 62 characters each.
  private static let secretLength = 43

  /// A new one.
  init() {
    id = RandomBytes.characters(Self.idLength)
    secret = RandomBytes.characters(Self.secretLength)
  }

  /// `nil` for a text of another form, which nobody need look for.
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

  /// The time that it takes does not depend on how much is right.
  func has(hash other: [UInt8]) -> Bool { HMAC.isEqual(hash, other) }
}
