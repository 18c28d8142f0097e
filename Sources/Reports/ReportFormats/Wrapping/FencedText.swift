internal import Bytes

/// Markdown with reports between fences: ```` ``` ```` or `~~~`. Each block is a separate source.
enum FencedText {
  /// The blocks, and the text between them; `nil` if there is no fence.
  ///
  /// - Complexity: O(n).
  static func sources(of text: RawSpan) -> [TextSource]? {
    guard text.contains("```") || text.contains("~~~") else { return nil }
    var sources: [TextSource] = []
    var block = TextSource.Builder()
    var fence: (byte: UInt8, count: Int)?
    var hasFence = false
    var cursor = LineCursor(0..<text.byteCount)
    while let range = cursor.next(in: text) {
      let line = text.part(range)
      if let found = opening(line), fence == nil || closes(found, fence) {
        fence = fence == nil ? (found.byte, found.count) : nil
        hasFence = true
        if !block.isEmpty { sources.append(block.source) }
        block = TextSource.Builder()
      } else {
        block.append(line, from: range.lowerBound)
      }
      guard sources.count < FormatLimits.reports else { return nil }
    }
    if !block.isEmpty { sources.append(block.source) }
    return hasFence ? sources : nil
  }

  private static func closes(
    _ found: (byte: UInt8, count: Int, isBare: Bool), _ fence: (byte: UInt8, count: Int)?
  ) -> Bool {
    guard let fence else { return false }
    return found.isBare && found.byte == fence.byte && found.count >= fence.count
  }

  /// The fence in `line`: at least three bytes of a kind, and after them at most the name of a language.
  ///
  /// Python marks the wrong part of a line with tildes, indented further than a fence.
  private static func opening(_ line: RawSpan) -> (byte: UInt8, count: Int, isBare: Bool)? {
    let text = line.trimmed
    let byte = text.byteOrZero(0)
    guard byte == UInt8(ascii: "`") || byte == UInt8(ascii: "~"),
      byte == UInt8(ascii: "`") || line.skippingBlanks(from: 0) < 4
    else { return nil }
    var count = 0
    while text.byteOrZero(count) == byte { count += 1 }
    guard count >= 3 else { return nil }
    let rest = text.from(count).trimmed
    guard rest.byteCount <= 64 else { return nil }
    for index in 0..<rest.byteCount {
      let byte = rest.byte(index)
      guard byte.isLetter || byte.isDigit || byte.isOne(of: "_+-.#{}=\"") else {
        return nil
      }
    }
    return (byte, count, rest.byteCount == 0)
  }
}
