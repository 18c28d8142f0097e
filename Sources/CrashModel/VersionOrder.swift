/// The order of version numbers, where nobody says otherwise.
///
/// Runs of digits are compared as numbers and everything else as text, so that `1.10` comes after
/// `1.9`, and `2.0 (7)` before `2.0 (12)`. A version that goes on where the other ends is the later
/// one, but a suffix of letters after a dash makes it an earlier one: `2.0-beta` comes before `2.0`.
///
/// Source for the last rule: Semantic Versioning 2.0.0, section 11.
public enum VersionOrder {
  /// Whether `left` comes before `right`.
  public static func precedes(_ left: String, _ right: String) -> Bool {
    compare(left, right) < 0
  }

  /// Below zero when `left` comes before `right`, zero when neither comes before the other.
  public static func compare(_ left: String, _ right: String) -> Int {
    compare(parts(of: left), parts(of: right))
  }

  private enum Part: Equatable {
    /// Digits without leading zeros, of any length.
    case number(Substring)
    case text(Substring)
  }

  private static func parts(of version: String) -> [Part] {
    var parts: [Part] = []
    var rest = version[...]
    while let first = rest.first {
      if first.isASCIIDigit {
        let digits = rest.prefix { $0.isASCIIDigit }
        parts.append(.number(digits.drop { $0 == "0" }))
        rest = rest.dropFirst(digits.count)
      } else {
        let text = rest.prefix { !$0.isASCIIDigit }
        parts.append(.text(text))
        rest = rest.dropFirst(text.count)
      }
    }
    return parts
  }

  private static func compare(_ left: [Part], _ right: [Part]) -> Int {
    for (left, right) in zip(left, right) where left != right {
      switch (left, right) {
      case (.number(let left), .number(let right)):
        if left.count != right.count { return left.count < right.count ? -1 : 1 }
        return left < right ? -1 : 1
      case (.text(let left), .text(let right)):
        if isEarlier(left) != isEarlier(right) { return isEarlier(left) ? -1 : 1 }
        return left < right ? -1 : 1
      case (.text, .number): return -1
      case (.number, .text): return 1
      }
    }
    guard left.count != right.count else { return 0 }
    let isLeftLonger = left.count > right.count
    let next = isLeftLonger ? left[right.count] : right[left.count]
    var isSuffixEarlier = false
    if case .text(let suffix) = next { isSuffixEarlier = isEarlier(suffix) }
    return isLeftLonger == isSuffixEarlier ? -1 : 1
  }

  /// Whether `suffix` makes a version of what will become it: `-beta`, but not the `-` of `-1`.
  private static func isEarlier(_ suffix: Substring) -> Bool {
    suffix.hasPrefix("-") && suffix.dropFirst().first?.isLetter == true
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
