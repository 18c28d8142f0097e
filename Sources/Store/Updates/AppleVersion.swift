/// How App Center's SDK for iOS reads the version of an app.
///
/// Source: MSACSemVer.m.
public enum AppleVersion {
  /// Whether the SDK compares a version by its numbers: `v?N[.N[.N[-pre][+meta]]]`, where N has no leading
  /// zero, and may be `x` or `*` from the second on. It takes any other version for an older one.
  public static func isComparable(_ version: String) -> Bool {
    var text = version[...]
    if let first = text.first, "vV".contains(first) { text.removeFirst() }
    let tail = text.firstIndex { "-+".contains($0) } ?? text.endIndex
    let parts = text[..<tail].split(separator: ".", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count),
      parts.enumerated().allSatisfy({ isNumber($1, mayBeAny: $0 > 0) })
    else { return false }
    guard tail < text.endIndex else { return true }
    guard parts.count == 3 else { return false }
    text = text[tail...]
    if text.first == "-" {
      text.removeFirst()
      let end = text.firstIndex(of: "+") ?? text.endIndex
      guard isIdentifier(text[..<end]) else { return false }
      text = text[end...]
    }
    guard text.first == "+" else { return text.isEmpty }
    return isIdentifier(text.dropFirst())
  }

  private static func isNumber(_ part: Substring, mayBeAny: Bool) -> Bool {
    if mayBeAny, ["x", "X", "*"].contains(part) { return true }
    return !part.isEmpty && part.utf8.allSatisfy { (48...57).contains($0) }
      && (part.utf8.count == 1 || part.utf8.first != 48)
  }

  private static func isIdentifier(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
      }
  }
}
