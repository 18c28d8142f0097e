/// Names of scripts that a bundler makes: `main.3f2a9c1b.js`, `index-BxY12_kd.js`, `app~4fa1.chunk.js`.
enum BundleName {
  /// The base name of a script without the content hash and the query, which differ per version; any other
  /// name unchanged.
  static func withoutHash(_ name: NameBytes) -> NameBytes {
    var name = name
    if let query = name.firstIndex(of: UInt8(ascii: "?")), query > 0 { name.cut(at: query) }
    guard let end = ending(of: name), end > 0 else { return name }
    var parts = parts(of: name[..<end])
    var isFirst = true
    parts.removeAll { part in
      defer { isFirst = false }
      return !isFirst && isHash(part.dropFirst())
    }
    var stem = NameBytes(parts.joined())
    // Vite's have eight characters of Base64, which may be a dash or an underscore.
    if stem.count > 9, stem[stem.count - 9] == UInt8(ascii: "-"), isMixed(stem[(stem.count - 8)...])
    {
      stem.cut(at: stem.count - 9)
    }
    // If the name is only a hash, all scripts of a page are one.
    return (stem.isEmpty ? NameBytes(name[..<end]) : stem) + name[end...]
  }

  /// The base name of the script at a path or an address, without the hash; any other path unchanged.
  static func file(_ path: String) -> String {
    let bytes = Scrubbing.scrub(path, limit: SigningLimits.nameBytes)
    let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
    let start = bytes[..<end].lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    let name = NameBytes(bytes[(start.map { $0 + 1 } ?? 0)..<end])
    return ending(of: name) == nil ? path : withoutHash(name).text
  }

  private static let endings: [StaticString] = [
    ".js", ".mjs", ".cjs", ".jsx", ".ts", ".bundle", ".jsbundle", ".hbc",
  ]

  private static func ending(of name: NameBytes) -> Int? {
    let lower = name.map(\.lowercased)
    return endings.first { lower.ends(with: $0) }.map { name.count - $0.utf8CodeUnitCount }
  }

  /// The parts of a name, each but the first with the mark before it.
  private static func parts(of name: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var start = name.startIndex
    for index in name.indices where index > start {
      switch name[index] {
      case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "~"), UInt8(ascii: "_"):
        parts.append(name[start..<index])
        start = index
      default: continue
      }
    }
    parts.append(name[start...])
    return parts
  }

  /// Six or more digits of base 16 with a digit among them, eight and more without, or esbuild's eight of
  /// base 32.
  private static func isHash(_ part: ArraySlice<UInt8>) -> Bool {
    let digits = part.count { $0.isDigit }
    if part.count >= 6, part.allSatisfy({ $0.isHexDigit }) {
      return part.count >= 8 || digits > 0 && digits < part.count
    }
    return part.count == 8 && digits > 0
      && part.allSatisfy { $0.isDigit || $0.isLetter && $0 & 0x20 == 0 } && digits < 8
  }

  /// Whether eight characters look random: digits between letters, or letters of both cases without order.
  private static func isMixed(_ part: ArraySlice<UInt8>) -> Bool {
    let upper = part.count { $0.isLetter && $0 & 0x20 == 0 }
    let lower = part.count { $0.isLetter && $0 & 0x20 != 0 }
    let digits = part.count { $0.isDigit }
    let isKnown = part.allSatisfy { $0.isIdentifier || $0 == UInt8(ascii: "-") }
    return isKnown && lower > 0 && (digits > 0 && upper > 0 || upper > 2)
  }
}
