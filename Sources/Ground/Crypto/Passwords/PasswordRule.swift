/// The rule for new passwords: long enough, and nothing that makes people write them down.
///
/// Source: NIST SP 800-63B 5.1.1.2.
public enum PasswordRule {
  /// In code points.
  public static let shortest = 8
  /// In bytes.
  public static let longest = 1_024

  /// Why a password is refused; `nil` if it is accepted.
  ///
  /// - Parameter name: The account's name.
  public static func problem(with password: String, of name: String) -> String? {
    if password.unicodeScalars.count < shortest {
      return "The password needs at least \(shortest) characters."
    }
    if password.utf8.count > longest { return "The password can have at most \(longest) bytes." }
    if password.lowercased() == name.lowercased() {
      return "The password must not be the name of the account."
    }
    if Set(password.unicodeScalars).count < 3 {
      return "The password needs at least three different characters."
    }
    return nil
  }
}
