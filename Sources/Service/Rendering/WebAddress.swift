internal import Bytes

/// Addresses of the web in texts that people wrote.
enum WebAddress {
  private static let schemes = ["https://", "http://"]
  /// Characters that end a sentence rather than an address.
  private static let ends: Set<Character> = [".", ",", ";", ":", "!", "?", "'", "*", "_"]

  /// The first address in a text that begins a word.
  static func first(in text: Substring) -> Range<Substring.Index>? {
    var start = text.startIndex
    while let colon = text[start...].firstRange(of: "://") {
      start = colon.upperBound
      let before = text[..<colon.upperBound]
      guard let scheme = schemes.first(where: before.hasSuffix) else { continue }
      let first = before.index(before.endIndex, offsetBy: -scheme.count)
      if first > text.startIndex {
        let previous = text[text.index(before: first)]
        if previous.isLetter || previous.isNumber { continue }
      }
      let address = text[first..<end(of: text, from: start)]
      if address.count > scheme.count { return first..<address.endIndex }
    }
    return nil
  }

  private static func end(of text: Substring, from start: Substring.Index) -> Substring.Index {
    var address = text[start...].prefix { character in
      !character.isWhitespace && !"<>\"`|".contains(character)
        && String(character).printable == String(character)
    }
    while let last = address.last {
      // A bracket is part of the address only if it was opened there.
      let opening: Character? = last == ")" ? "(" : last == "]" ? "[" : nil
      let isLeft = opening.map { opening in
        address.count { $0 == last } > address.count { $0 == opening }
      }
      guard isLeft ?? ends.contains(last) else { break }
      address.removeLast()
    }
    return address.endIndex
  }
}
