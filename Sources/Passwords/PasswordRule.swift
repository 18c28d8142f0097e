/// What a new password has to be like: long, and nothing else that makes people write it down.
///
/// Source: NIST SP 800-63B 5.1.1.2.
public enum PasswordRule {
  /// In code points.
  public static let shortest = 8
  /// In bytes.
  public static let longest = 1_024

  /// Why a password is not taken; `nil` for one that is.
  ///
  /// - Parameter name: Of the account.
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
