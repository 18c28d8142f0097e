/// Checks whether clients can open an address.
enum RemoteConfigurationURL {
  /// `nil` for an address that they can open.
  static func problem(of text: String) -> String? {
    guard let colon = text.firstIndex(of: ":") else { return wanted }
    let scheme = text[..<colon]
    guard let first = scheme.utf8.first, first.isLetter,
      scheme.utf8.allSatisfy({ $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) })
    else { return wanted }
    let rest = Array(text[text.index(after: colon)...].utf8)
    guard !rest.isEmpty else { return wanted }
    for (index, byte) in rest.enumerated() {
      if byte == UInt8(ascii: "%") {
        guard index + 2 < rest.count, rest[index + 1].isHex, rest[index + 2].isHex else {
          return "is not a URL: % without two hexadecimal digits"
        }
      } else if !byte.isLetter, !byte.isDigit, !"-._~:/?#[]@!$&'()*+,;=".utf8.contains(byte) {
        return "is not a URL: blanks and other characters must be percent-encoded"
      }
    }
    switch scheme.lowercased() {
    case "http", "https", "itms-apps", "itms-appss":
      let host = rest.dropFirst(2).prefix { !"/?#".utf8.contains($0) }
      guard rest.starts(with: "//".utf8), let end = host.last, end != UInt8(ascii: ":"),
        end != UInt8(ascii: "@"), host.first != UInt8(ascii: ":")
      else { return "is not a URL: it names no host" }
    case "javascript", "data", "file", "about", "blob": return "clients cannot open it; use https"
    default: break
    }
    return nil
  }

  private static let wanted = "is not a URL; use one such as https://apps.apple.com/app/id123456789"
}

extension UInt8 {
  fileprivate var isLetter: Bool { (65...90).contains(self) || (97...122).contains(self) }
  fileprivate var isDigit: Bool { (48...57).contains(self) }
  fileprivate var isHex: Bool { isDigit || (65...70).contains(self) || (97...102).contains(self) }
}
