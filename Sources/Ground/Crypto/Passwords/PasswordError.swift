/// Why a password was not hashed or checked.
public enum PasswordError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The library's error message.
  case failed(String)
  /// Too many other passwords are being checked.
  case busy
  /// The stored hash cannot be checked.
  case damaged

  public var description: String {
    switch self {
    case .failed(let words): "a password cannot be hashed: \(words)"
    case .busy: "too many passwords are being checked"
    case .damaged: "the stored hash of a password is damaged"
    }
  }
}
