/// The names of apps, and the prefixes of their groups' ids.
public enum AppName {
  /// The most bytes of a name.
  public static let limit = 200
  /// The most letters of a prefix.
  private static let prefixLimit = 12

  /// Whether `name` can be one: not empty, not over the limit, no control characters.
  public static func isValid(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= limit
      && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
  }

  /// What can be a name of a name that came from outside: without control characters, and no longer
  /// than the limit; `nil` where nothing is left.
  public static func valid(from name: String) -> String? {
    var kept = String.UnicodeScalarView()
    var count = 0
    for scalar in name.unicodeScalars where scalar.value >= 0x20 && scalar.value != 0x7f {
      count += UTF8.width(scalar)
      guard count <= limit else { break }
      kept.append(scalar)
    }
    return kept.isEmpty ? nil : String(kept)
  }

  /// `TERN` for "Tern", `MYAPP` for "my-app", `APP` where no letter is left. With `attempt` a number
  /// follows, for when another app has the prefix already.
  public static func prefix(of name: String, attempt: Int) -> String {
    var letters = name.uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    if letters.first?.isLetter != true { letters = "APP" + letters }
    // The number must not run into digits of the name.
    let kept = letters.prefix(prefixLimit)
    if attempt == 0 { return String(kept) }
    return kept + (kept.last?.isNumber == true ? "X" : "") + String(attempt + 1)
  }
}
