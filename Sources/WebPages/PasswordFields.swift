internal import HTTP
internal import Passwords
internal import Rendering

/// Fields of passwords, named so that managers of passwords know them.
///
/// Source: "Autofill" in the HTML standard, 4.10.18.7.
enum PasswordFields {
  static let current: HTML = """
    <p><label for="password">Password</label><br>
    <input id="password" name="password" type="password" autocomplete="current-password" required></p>
    """

  /// Whose password it is.
  static func username(_ name: String) -> HTML {
    "<input name=\"username\" value=\"\(name)\" autocomplete=\"username\" readonly hidden>"
  }

  static func new(isRequired: Bool) -> HTML {
    let (hint, required): (HTML, HTML) = isRequired ? (.none, " required") : (" (optional)", .none)
    return """
      <p><label for="new">New password\(hint)</label><br>
      <input id="new" name="new" type="password" autocomplete="new-password" \
      minlength="\(PasswordRule.shortest)" aria-describedby="rule"\(required)></p>
      <p><label for="again">The same again</label><br>
      <input id="again" name="again" type="password" autocomplete="new-password"\(required)></p>
      <p id="rule" class="quiet">At least \(PasswordRule.shortest) characters, any. Several words are easy to \
      remember.</p>
      """
  }

  /// Why a new password is not taken.
  static func problem(in form: QueryItems, of name: String) -> String? {
    let password = form["new"] ?? ""
    if let problem = PasswordRule.problem(with: password, of: name) { return problem }
    return password == form["again"] ? nil : "The two new passwords differ."
  }
}
