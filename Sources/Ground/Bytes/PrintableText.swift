/// Text from outside, made safe to show.
///
/// A function name or a path may contain bytes that a terminal obeys or that change the writing
/// direction. They are shown as escapes instead: `\n`, `\x1b`, `\u{202e}`.
extension String {
  /// The text in one line, without anything that acts on a terminal.
  package var printable: String {
    guard unicodeScalars.contains(where: \.isUnprintable) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "  "
      case _ where scalar.isUnprintable:
        let digits = String(scalar.value, radix: 16)
        text +=
          scalar.value < 0x100
          ? "\\x" + (digits.count < 2 ? "0" : "") + digits : "\\u{\(digits)}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The text in its own lines, without anything else that acts on a terminal; empty lines at the
  /// end are dropped.
  package var printableLines: [String] {
    var lines = split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { String($0).printable }
    while let last = lines.last, last.allSatisfy(\.isWhitespace) { lines.removeLast() }
    return lines
  }
}

extension Unicode.Scalar {
  /// Whether the character is more than a visible sign: controls, line separators, direction marks,
  /// and the invisible characters that make two different names look the same.
  ///
  /// Source: Unicode Standard Annex 9, table 4 (directional characters); Technical Report 36.
  fileprivate var isUnprintable: Bool {
    switch value {
    case 0..<0x20, 0x7f..<0xa0, 0xad, 0x61c, 0x180e, 0x200b...0x200f, 0x2028...0x202e,
      0x2060...0x206f, 0xfeff, 0xfff9...0xfffb, 0xe0000...0xe0fff:
      true
    default: false
    }
  }
}
