internal import Bytes

/// Markup of web pages in a text.
enum HTMLText {
  private static let blocks: Set<String> = [
    "pre", "p", "div", "br", "li", "ul", "ol", "tr", "table", "tbody", "blockquote", "h1", "h2",
    "h3", "h4", "details", "summary", "html", "body", "head", "hr", "section", "article",
  ]
  private static let others: Set<String> = [
    "code", "span", "samp", "tt", "b", "i", "em", "strong", "a", "td", "th", "font", "kbd", "sub",
    "meta", "mark", "small", "u",
  ]
  private static let names: [(name: StaticString, text: [UInt8])] = [
    ("&lt;", [UInt8(ascii: "<")]), ("&gt;", [UInt8(ascii: ">")]),
    ("&amp;", [UInt8(ascii: "&")]), ("&quot;", [UInt8(ascii: "\"")]),
    ("&apos;", [UInt8(ascii: "'")]), ("&nbsp;", [32]),
  ]

  /// Whether `text` has a tag that only web pages have, so that `<p>` in it is a tag, and not part of a name.
  static func isPage(_ text: RawSpan) -> Bool {
    text.find(UInt8(ascii: "<")) != nil
      && (text.contains("</pre>") || text.contains("<br>") || text.contains("<br/>")
        || text.contains("<br />") || text.contains("</code>") || text.contains("</div>")
        || text.contains("</p>") || text.contains("</details>") || text.contains("</span>")
        || text.contains("</html>"))
  }

  /// The tag at `index`; `nil` if it is unknown.
  static func tag(in text: RawSpan, at index: Int) -> (
    isBlock: Bool, isBreak: Bool, endsText: Bool, end: Int
  )? {
    var start = index + 1
    if text.byteOrZero(start) == UInt8(ascii: "/") { start += 1 }
    var end = start
    while text.byteOrZero(end).isLetter || text.byteOrZero(end).isDigit, end - start < 12 {
      end += 1
    }
    // Capital letters belong to a name's parameters.
    let name = text.between(start, end).name
    let isBlock = blocks.contains(name.lowercased())
    guard isBlock || others.contains(name) else { return nil }
    let next = text.byteOrZero(end)
    guard next == UInt8(ascii: ">") || next == UInt8(ascii: "/") || next.isBlank,
      let close = text.between(end, end + 2048).find(UInt8(ascii: ">"))
    else { return nil }
    let lowered = name.lowercased()
    let endsText = start == index + 2 && (lowered == "pre" || lowered == "details")
    return (isBlock, lowered == "br", endsText, end + close + 1)
  }

  /// The text of the character reference at `index`.
  static func entity(in text: RawSpan, at index: Int) -> (text: [UInt8], end: Int)? {
    for (name, bytes) in names where text.has(name, at: index) {
      return (bytes, index + name.utf8CodeUnitCount)
    }
    guard text.has("&#", at: index) else { return nil }
    var end = index + 2
    let isHexadecimal = text.byteOrZero(end) | 0x20 == UInt8(ascii: "x")
    if isHexadecimal { end += 1 }
    let value =
      isHexadecimal ? text.hexadecimalDigits(at: &end) : text.decimal(at: &end)
    guard let value, text.byteOrZero(end) == UInt8(ascii: ";"), value >= 32,
      let scalar = UInt32(exactly: value).flatMap({ Unicode.Scalar($0) })
    else { return nil }
    return (scalar == "\u{a0}" ? [32] : Array(String(Character(scalar)).utf8), end + 1)
  }
}
