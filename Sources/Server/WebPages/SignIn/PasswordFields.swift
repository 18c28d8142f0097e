internal import Crypto
internal import HTTP
internal import Rendering

/// Password fields, named so that password managers recognize them.
///
/// Source: "Autofill" in the HTML standard, 4.10.18.7.
enum PasswordFields {
  static func current(_ label: String = "Password") -> HTML {
    """
    <p><label for="password">\(label)</label><br>
    <input id="password" name="password" type="password" autocomplete="current-password" required></p>
    """
  }

  /// The account's name, for password managers.
  static func username(_ name: String) -> HTML {
    "<input name=\"username\" value=\"\(name)\" autocomplete=\"username\" readonly hidden>"
  }

  static func new(isRequired: Bool) -> HTML {
    let (hint, required): (HTML, HTML) = isRequired ? (.none, " required") : (" (optional)", .none)
    return """
      <p><label for="new">New password\(hint)</label><br>
      <input id="new" name="new" type="password" autocomplete="new-password" \
      minlength="\(PasswordRule.shortest)" aria-describedby="rule"\(required)></p>
      <p><label for="again">Confirm new password</label><br>
      <input id="again" name="again" type="password" autocomplete="new-password"\(required)></p>
      <p id="rule" class="quiet">Use at least \(PasswordRule.shortest) characters. Several words are easy to \
      remember.</p>
      """
  }

  /// Why a new password is refused; `nil` if it is not.
  static func problem(in form: QueryItems, of name: String) -> String? {
    let password = form["new"] ?? ""
    if let problem = PasswordRule.problem(with: password, of: name) { return problem }
    return password == form["again"] ? nil : "The new passwords do not match."
  }
}
