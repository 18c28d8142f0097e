// Swift's own `split` by `\.isNewline` finds the characters of a text first, which takes much longer than
// reading its bytes.
extension Substring {
  /// The lines of the text, also the empty ones: what `split` by `\.isNewline` gives.
  ///
  /// - Complexity: O(n).
  public var textLines: [Substring] {
    var lines: [Substring] = []
    var start = startIndex
    while let end = lineEnd(from: start) {
      lines.append(self[start..<end.lowerBound])
      start = end.upperBound
    }
    lines.append(self[start...])
    return lines
  }

  /// The first line that is not empty; `nil` if all are.
  ///
  /// - Complexity: O(n) in the length of what is before its end.
  public var firstTextLine: Substring? {
    var start = startIndex
    while let end = lineEnd(from: start) {
      if start < end.lowerBound { return self[start..<end.lowerBound] }
      start = end.upperBound
    }
    return start < endIndex ? self[start...] : nil
  }

  /// The next end of a line. Source: Unicode Standard, section 5.8 (newline functions).
  private func lineEnd(from start: Index) -> Range<Index>? {
    var index = start
    while index < utf8.endIndex {
      let byte = utf8[index]
      let next = utf8.index(after: index)
      switch byte {
      case 0x0a...0x0c: return index..<next
      case 0x0d:
        let isPair = next < utf8.endIndex && utf8[next] == 0x0a
        return index..<(isPair ? utf8.index(after: next) : next)
      case 0xc2 where next < utf8.endIndex && utf8[next] == 0x85:
        return index..<utf8.index(after: next)
      case 0xe2 where next < utf8.endIndex && utf8[next] == 0x80:
        let last = utf8.index(after: next)
        if last < utf8.endIndex, utf8[last] & 0xfe == 0xa8 {
          return index..<utf8.index(after: last)
        }
        index = next
      default: index = next
      }
    }
    return nil
  }
}

extension String {
  /// The lines of the text, also the empty ones: what `split` by `\.isNewline` gives.
  public var textLines: [Substring] { self[...].textLines }

  /// The first line that is not empty; `nil` if all are.
  public var firstTextLine: Substring? { self[...].firstTextLine }
}
