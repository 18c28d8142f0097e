/// Texts compared as Foundation's numeric search does: digits by their value, all else by its characters.
public enum NumericText {
  /// Negative, 0 or positive if `left` is lower, equal or higher.
  public static func compare(_ left: String, _ right: String) -> Int {
    var (first, second) = (parts(left)[...], parts(right)[...])
    while let one = first.popFirst() {
      guard let other = second.popFirst() else { return 1 }
      if one == other { continue }
      guard let isLower = isLower(one, other) else { continue }
      return isLower ? -1 : 1
    }
    return second.isEmpty ? 0 : -1
  }

  private static func isLower(_ one: [Character], _ other: [Character]) -> Bool? {
    guard one[0].isNumber, other[0].isNumber else { return String(one) < String(other) }
    let (left, right) = (one.drop { $0 == "0" }, other.drop { $0 == "0" })
    if left.elementsEqual(right) { return nil }
    return left.count == right.count ? String(left) < String(right) : left.count < right.count
  }

  /// Runs of digits, and single characters between them.
  private static func parts(_ text: String) -> [[Character]] {
    var parts: [[Character]] = []
    for character in text {
      if character.isNumber, let last = parts.last, last[0].isNumber {
        parts[parts.count - 1].append(character)
      } else {
        parts.append([character])
      }
    }
    return parts
  }
}
