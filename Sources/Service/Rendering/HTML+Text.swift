extension HTML {
  /// The minimum number of bytes of a name with break opportunities.
  package static let longName = 40

  /// A long name that breaks after `::`, `.`, `(` and `,` before it breaks inside a word.
  ///
  /// - Parameter length: Names with fewer bytes get no break opportunities.
  package static func name(_ text: String, from length: Int = longName) -> HTML {
    guard text.utf8.count >= length else { return "\(text)" }
    let isCut = text.utf8.count > longestText
    var parts: [HTML] = []
    var part = ""
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars.prefix(isCut ? longestText : .max) {
      if let last, isBreak(after: last, before: scalar) {
        parts.append("\(part)<wbr>")
        part = ""
      }
      part.unicodeScalars.append(scalar)
      last = scalar
    }
    parts.append("\(part)\(isCut ? "…" : "")")
    return HTML(parts)
  }

  private static func isBreak(after last: Unicode.Scalar, before next: Unicode.Scalar) -> Bool {
    switch last {
    case ":", ".": next.properties.isAlphabetic || next == "~" || next == "<"
    case "(", ",", "/": next != " " && next != ")"
    default: false
    }
  }

  /// A text with its own line breaks; long lines are not cut.
  ///
  /// - Parameter most: The maximum number of lines.
  /// - Returns: The lines, and how many were left out.
  package static func lines(_ text: String, most: Int = .max) -> (shown: HTML, left: Int) {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let shown = lines.prefix(most).map { line -> HTML in
      var parts: [HTML] = []
      var rest = line
      while rest.utf8.count > longestText {
        // At most four bytes each.
        let end = rest.unicodeScalars.index(rest.startIndex, offsetBy: longestText / 4)
        parts.append("\(String(rest[..<end]))")
        rest = rest[end...]
      }
      return "\(parts)\(String(rest))\n"
    }
    return (HTML(shown), lines.count - shown.count)
  }
}

extension HTML {
  /// A text in which addresses of the web are links that leave this site without telling where they were.
  package static func linked(_ text: String) -> HTML {
    var parts: [HTML] = []
    var rest = Substring(text)
    while let range = WebAddress.first(in: rest) {
      let address = String(rest[range])
      parts.append("\(String(rest[..<range.lowerBound]))")
      parts.append(
        address.utf8.count > longestText
          ? "\(address)"
          : "<a href=\"\(address)\" rel=\"noopener noreferrer nofollow\">\(name(address))</a>")
      rest = rest[range.upperBound...]
    }
    return "\(parts)\(String(rest))"
  }
}
