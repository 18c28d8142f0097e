/// Names of apps, and the prefixes of their groups' ids.
public enum AppName {
  /// Maximum length of a name in bytes.
  public static let limit = 200
  /// Maximum length of a prefix derived from a name; a number may follow.
  private static let prefixLimit = 12
  /// Maximum length of a prefix chosen by the user.
  private static let chosenPrefixLimit = 16

  /// App of reports that name no app.
  public static let unnamed = "unknown"

  /// Whether `name` is valid: not empty, not over the limit, no control characters.
  public static func isValid(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= limit
      && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
  }

  /// Returns `name` as a valid name, without control characters and cut to the limit; `nil` where nothing is
  /// left.
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

  /// Whether the user may choose `prefix`: capital letters and digits, a letter first.
  public static func isValidPrefix(_ prefix: String) -> Bool {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
    return (1...chosenPrefixLimit).contains(prefix.utf8.count)
      && prefix.utf8.allSatisfy { capitals.contains($0) || digits.contains($0) }
      && prefix.utf8.first.map { capitals.contains($0) } == true
  }

  /// Returns `TERN` for "Tern" and "org.example.tern", `MYAPP` for "my-app", `APP` where no letter is left.
  /// With `attempt` a number is appended, for when another app already has the prefix.
  public static func prefix(of name: String, attempt: Int) -> String {
    var letters = ownPart(of: name).uppercased()
      .filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    if letters.first?.isLetter != true { letters = "APP" + letters }
    // The number must not run into digits of the name.
    let kept = letters.prefix(prefixLimit)
    if attempt == 0 { return String(kept) }
    return kept + (kept.last?.isNumber == true ? "X" : "") + String(attempt + 1)
  }

  /// Returns the part of a bundle identifier or Java package that is the app's own: `tern` of
  /// "org.example.tern", `tern.ios` of "org.example.tern.ios". Other names are returned whole.
  private static func ownPart(of name: String) -> String {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 2, let domain = parts.first, domains.contains(domain.lowercased()),
      parts.allSatisfy({ part in
        !part.isEmpty
          && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) }
      })
    else { return name }
    // It follows the domain and the owner's name.
    let own = parts.dropFirst(2)
    let last = own.last.map { $0.lowercased() } ?? ""
    return own.count > 1 && variants.contains(last)
      ? own.suffix(2).joined(separator: ".") : String(own.last ?? "")
  }

  /// First parts of bundle identifiers and Java packages.
  private static let domains: Set<String> = [
    "com", "org", "net", "io", "dev", "app", "edu", "gov", "co", "me", "de", "uk", "fr", "at", "ch",
    "nl", "it", "es", "pl", "cz", "se", "no", "fi", "dk", "eu", "us", "ca", "au", "jp", "cn", "kr",
    "in",
    "ru", "br", "be", "pt", "tv", "ai", "info", "biz",
  ]

  /// Last parts that name a variant of an app.
  private static let variants: Set<String> = [
    "ios", "android", "mac", "macos", "tvos", "watchos", "app", "mobile", "debug", "release",
    "beta",
    "alpha", "dev", "staging", "test", "free", "pro", "lite", "extension", "watchkitapp", "widget",
  ]
}
